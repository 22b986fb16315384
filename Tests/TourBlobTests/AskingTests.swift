import Testing
import TourBlob
import TourModel
import TourWire

/// Goal: chunks are asked of whoever gives them, the rarest first, few at once, and never again of who does not.
/// Method: one machine, and what two to four peers say.
@Suite struct AskingTests {
    private static let file = SwarmFile(7, size: 20 * Limits.blobChunkBytes - 5)

    @Test func fewAreAskedAtOnceAndThePageFirst() throws {
        var bench = BlobBench(Self.file)
        bench.open(.wanted)
        let first = try #require(bench.state(0, have: bench.all).asks(0).first)
        #expect(first.pages == [0] && first.chunks.count == BlobLink.asksMax)
        #expect(Set(first.chunks).count == first.chunks.count)
        // The page is on its way: of another nothing is asked before it must be late.
        #expect(bench.state(1, have: bench.all).asked(1).isEmpty)
        let page = bench.page(0)
        #expect(page.asked(1).count == BlobLink.asksMax && page.asks(1).allSatisfy(\.pages.isEmpty))
        #expect(Set(page.asked(1)).isDisjoint(with: first.chunks))
        // One comes, one more is asked for.
        let next = bench.chunk(0, first.chunks[0])
        #expect(next.stores == [first.chunks[0]] && next.asked(0).count == 1 && next.asked(1).isEmpty)
    }

    @Test func aLatePageIsAskedForElsewhere() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted)
        _ = bench.state(0, have: bench.all)
        _ = bench.state(1, have: bench.all)
        #expect(bench.pass(OpenBlob.pagePatience - .milliseconds(1)).asks(1).isEmpty)
        let late = bench.pass(.milliseconds(1)).asks(1)
        #expect(late.count == 1 && late[0].pages == [0] && late[0].chunks.count == BlobLink.asksMax)
    }

    @Test func theRarestComeFirst() {
        var bench = BlobBench(Self.file)
        bench.open(.held, have: bench.chunks(0), links: 3)
        let rare = [3, 8, 11, 17]
        var most = bench.all
        for chunk in rare { most.remove(chunk) }
        _ = bench.state(0, have: bench.all)
        for link in 1...2 { _ = bench.state(link, have: most) }
        let outputs = bench.take(.open(Self.file.opening(.wanted)))
        #expect(outputs.asked(0).sorted() == rare)
        #expect(Set(outputs.asked(1) + outputs.asked(2)).count == 2 * BlobLink.asksMax)
    }

    @Test func aSlowPeerIsAskedForOne() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted, slow: true)
        #expect(bench.state(0, have: bench.all).asked(0).count == 1)
        #expect(bench.pass(BlobLink.stallTimeWhenFast + .seconds(1)).asked(0).isEmpty)
    }

    @Test func falseBytesAreNotStoredAndTheirSenderIsNotAskedAgain() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted)
        let asked = bench.state(0, have: bench.all).asked(0)
        _ = bench.page(0)
        var bytes = Self.file.chunk(asked[0])
        bytes[9] ^= 1
        let outputs = bench.hear(0, .chunk(.init(blob: Self.file.blob, chunk: asked[0], bytes: bytes)))
        #expect(outputs.faults == [.falseChunk] && outputs.stores.isEmpty && outputs.asked(0).isEmpty)
        // What it was asked for is asked of others, and what it sends is not looked at.
        #expect(outputs.said(0) == [.drop(Self.file.blob, asked.dropFirst().map { $0 }, refused: false)])
        #expect(bench.chunk(0, asked[1]).stores.isEmpty)
        #expect(bench.state(0, have: bench.all).asked(0).isEmpty && bench.pass(.seconds(300)).asked(0).isEmpty)
        #expect(bench.state(1, have: bench.all).asked(1).count == BlobLink.asksMax)
    }

    @Test(arguments: [true, false]) func aChunkOfAnotherLengthIsFalse(isShort: Bool) {
        var bench = BlobBench(Self.file)
        bench.open(.wanted)
        _ = bench.state(0, have: bench.chunks(4))
        _ = bench.page(0)
        let bytes = isShort ? Array(Self.file.chunk(4).dropLast()) : Self.file.chunk(4) + [0]
        #expect(bench.hear(0, .chunk(.init(blob: Self.file.blob, chunk: 4, bytes: bytes))).faults == [.falseChunk])
    }

    @Test func aFalsePageIsNotKept() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted)
        _ = bench.state(0, have: bench.all)
        let outputs = bench.hear(0, .page(Self.file.blob, page: 0, hashes: Self.file.pages[0].reversed()))
        #expect(outputs.faults == [.falsePage])
        #expect(bench.machine.blobs[Self.file.blob]?.pages.isEmpty == true)
        #expect(bench.state(1, have: bench.all).asks(1).first?.pages == [0])
    }

    @Test func numbersBeyondTheFileAreFaults() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted)
        let blob = Self.file.blob
        let messages: [BlobMessage] = [
            .state(.init(blob: blob, wants: 0, have: [0, 0, 0, 1], asks: false)),
            .state(.init(blob: blob, wants: 0, have: [0x80, 0], asks: false)),
            .got(blob, [20]), .ask(.init(blob: blob, chunks: [20])), .ask(.init(blob: blob, pages: [1])),
            .page(blob, page: 1, hashes: [.zero]), .chunk(.init(blob: blob, chunk: 20, bytes: [1])),
        ]
        for message in messages { #expect(bench.hear(0, message).faults == [.foreignChunk], "\(message)") }
    }

    @Test func whoRefusesIsAskedForSomethingElseAndThenRests() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted, links: 1)
        var asked = bench.state(0, have: bench.all).asked(0)
        var all = asked
        _ = bench.page(0)
        for _ in 0..<10 where !asked.isEmpty {
            asked = bench.hear(0, .drop(Self.file.blob, asked, refused: true)).asked(0)
            all += asked
        }
        // Eight refusals, and none asked for twice.
        #expect(all.count == BlobPeer.refusalsMax && Set(all).count == all.count)
        // Each time it rests longer.
        var pauses = [Duration]()
        for _ in 0..<3 {
            let start = bench.now
            var outputs = [BlobMachine.Output]()
            while outputs.asked(0).isEmpty, bench.now - start < .seconds(100) { outputs = bench.pass(.seconds(1)) }
            pauses.append(bench.now - start)
            for _ in 0..<BlobPeer.refusalsMax {
                outputs = bench.hear(0, .drop(Self.file.blob, outputs.asked(0), refused: true))
                if let chunk = outputs.asked(0).first { _ = bench.hear(0, .got(Self.file.blob, [chunk])) }
            }
            _ = bench.state(0, have: bench.all)
        }
        #expect(pauses == [.seconds(4), .seconds(8), .seconds(16)], "\(pauses)")
    }

    @Test func whoStallsLosesItsQuestionsAndGetsOneForATrial() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted, links: 1)
        let asked = bench.state(0, have: bench.all).asked(0)
        _ = bench.page(0)
        let stalled = bench.pass(BlobLink.stallTimeWhenFast)
        #expect(stalled.said(0) == [.drop(Self.file.blob, asked, refused: false)])
        let trial = bench.pass(BlobPeer.restMin).asked(0)
        #expect(trial.count == 1)
        // It answers: all is well again.
        #expect(bench.chunk(0, trial[0]).asked(0).count == BlobLink.asksMax)
    }

    /// What comes late is as good.
    @Test func aChunkThatWasGivenUpIsTaken() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted, links: 1)
        let asked = bench.state(0, have: bench.all).asked(0)
        _ = bench.page(0)
        _ = bench.pass(BlobLink.stallTimeWhenFast)
        #expect(bench.chunk(0, asked[2]).stores == [asked[2]])
        #expect(bench.chunk(0, asked[2]).stores.isEmpty)
    }

    @Test func inTheEndASecondPeerIsAskedAndTheOtherToldWhenItCame() {
        var bench = BlobBench(Self.file)
        var have = bench.all
        have.remove(4)
        bench.open(.wanted, have: have)
        #expect(bench.state(0, have: bench.all).asked(0) == [4])
        #expect(bench.state(1, have: bench.all).asked(1).isEmpty)
        #expect(bench.pass(OpenBlob.endPatience - .milliseconds(1)).asked(1).isEmpty)
        #expect(bench.pass(.milliseconds(1)).asked(1) == [4])
        let outputs = bench.chunk(1, 4)
        #expect(outputs.stores == [4] && outputs.said(0) == [.drop(Self.file.blob, [4], refused: false)])
        #expect(bench.chunk(0, 4).stores.isEmpty)
        #expect(bench.take(.stored(Self.file.blob, chunk: 4)).completes == 1)
    }

    @Test func whatTheStoreCannotTakeIsFetchedAgainLater() {
        var bench = BlobBench(Self.file)
        var have = bench.all
        have.remove(4)
        bench.open(.wanted, have: have)
        _ = bench.state(0, have: bench.all)
        _ = bench.chunk(0, 4)
        #expect(bench.take(.storeFailed(Self.file.blob, chunk: 4)).asked(0).isEmpty)
        #expect(bench.pass(OpenBlob.storePause - .milliseconds(1)).asked(0).isEmpty)
        #expect(bench.pass(.milliseconds(1)).asked(0) == [4])
    }

    @Test func withTheStoreBehindNothingIsAskedFor() {
        let file = SwarmFile(8, size: 90 * Limits.blobChunkBytes)
        var bench = BlobBench(file)
        bench.open(.wanted, links: 1)
        var asked = bench.state(0, have: bench.all).asked(0)
        _ = bench.page(0)
        var came = 0
        while let chunk = asked.first {
            asked = asked.dropFirst() + bench.chunk(0, chunk).asked(0)
            came += 1
        }
        #expect((OpenBlob.storingMax..<OpenBlob.storingMax + BlobLink.asksMax).contains(came), "\(came)")
        let stored = (0..<90).first { bench.machine.blobs[file.blob]?.storing.contains($0) == true } ?? 0
        var outputs = [BlobMachine.Output]()
        for chunk in stored..<90 where outputs.asked(0).isEmpty {
            outputs = bench.take(.stored(file.blob, chunk: chunk))
        }
        #expect(!outputs.asked(0).isEmpty)
    }

    /// While a file is on the air only its pages are asked for; what is heard there is taken.
    @Test func whatIsOnTheAirIsNotAskedFor() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted, links: 1)
        _ = bench.take(.casting(Self.file.blob, until: bench.now + .seconds(3), beside: []))
        let asks = bench.state(0, have: bench.all).asks(0)
        #expect(asks.map(\.pages) == [[0]] && asks.allSatisfy(\.chunks.isEmpty))
        let early = bench.take(.heard(Self.file.blob, chunk: 2, Self.file.chunk(2)))
        #expect(early.stores.isEmpty && early.misheard.isEmpty, "without its page nothing can be said of it")
        _ = bench.page(0)
        let sound = bench.take(.heard(Self.file.blob, chunk: 2, Self.file.chunk(2)))
        #expect(sound.stores == [2] && sound.misheard.isEmpty)
        let wrong = bench.take(.heard(Self.file.blob, chunk: 3, Self.file.chunk(2)))
        #expect(wrong.stores.isEmpty && wrong.misheard == [3])
        #expect(bench.pass(.milliseconds(2_999)).asked(0).isEmpty)
        #expect(bench.pass(.milliseconds(1)).asked(0).count == BlobLink.asksMax)
    }

    /// What a cast does not bring is asked for at once, and nothing else.
    @Test func whatACastLeavesIsAskedFor() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted, links: 1)
        _ = bench.take(.casting(Self.file.blob, until: bench.now + .seconds(3), beside: []))
        _ = bench.state(0, have: bench.all)
        _ = bench.page(0)
        #expect(bench.take(.castLeft(Self.file.blob, [4, 6])).asked(0).sorted() == [4, 6])
        _ = bench.chunk(0, 4)
        #expect(bench.chunk(0, 6).asked(0).isEmpty)
        // The next cast is to bring all.
        _ = bench.take(.casting(Self.file.blob, until: bench.now, beside: []))
        var again = BlobBench(Self.file)
        again.open(.wanted, links: 1)
        _ = again.take(.casting(Self.file.blob, until: again.now + .seconds(1), beside: []))
        _ = again.take(.castLeft(Self.file.blob, [4]))
        _ = again.pass(.seconds(2))
        _ = again.take(.casting(Self.file.blob, until: again.now + .seconds(1), beside: []))
        #expect(again.state(0, have: again.all).asked(0).isEmpty)
    }
}
