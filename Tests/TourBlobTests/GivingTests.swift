import Testing
import TourBlob
import TourModel
import TourWire

/// Goal: who asks gets what is there, a little at a time; an origin gives each chunk to one peer first; peers hear in
/// few messages what is new. Method: one machine, and what two to four peers say.
@Suite struct GivingTests {
    private static let file = SwarmFile(7, size: 20 * Limits.blobChunkBytes - 5)
    private static let blob = file.blob

    @Test func aLinkGetsTwoAtOnceAndTheNextWhenTheyAreGone() {
        var bench = BlobBench(Self.file)
        bench.open(.held)
        _ = bench.state(0, wants: 1, have: Self.file.nothing)
        #expect(bench.hear(0, .ask(.init(blob: Self.blob, chunks: [1, 2, 3, 4]))).sent(0) == [1, 2])
        #expect(bench.take(.timer, after: .seconds(1)).sent(0).isEmpty)
        #expect(bench.take(.sent(BlobBench.links[0])).sent(0) == [3, 4])
        #expect(bench.take(.sent(BlobBench.links[0])).sent(0).isEmpty)
    }

    /// What is no longer wanted, or came elsewhere, is not sent.
    @Test func whatIsDroppedOrCameIsNotSent() {
        var bench = BlobBench(Self.file)
        bench.open(.held)
        _ = bench.state(0, wants: 1, have: Self.file.nothing)
        _ = bench.hear(0, .ask(.init(blob: Self.blob, pages: [0], chunks: [1, 2, 3, 4, 5])))
        _ = bench.hear(0, .drop(Self.blob, [2], refused: false))
        _ = bench.hear(0, .got(Self.blob, [4]))
        #expect(bench.take(.sent(BlobBench.links[0])).sent(0) == [3, 5])
    }

    /// Who is to hear a cast gets the pages at once and chunks when it is over; others get them as ever.
    @Test func whatIsCastGoesNowhereElseMeanwhile() {
        var bench = BlobBench(Self.file)
        bench.open(.origin, links: 3)
        let none = Self.file.nothing
        let hearers: Set = [BlobBench.links[0], BlobBench.links[1]]
        _ = bench.take(.castOut(Self.blob, to: hearers, until: bench.now + .seconds(2)))
        var outputs = bench.state(0, wants: 1, have: Self.file.nothing)
        outputs += bench.state(1, wants: 1, have: Self.file.nothing)
        outputs += bench.state(2, wants: 1, have: Self.file.nothing)
        let page = BlobMessage.page(Self.blob, page: 0, hashes: Self.file.pages[0])
        #expect(outputs.said(0).contains(page) && outputs.said(1).contains(page) && !outputs.said(2).contains(page))
        #expect(bench.machine.wanting(Self.blob) == Array(BlobBench.links.prefix(3)))
        outputs += bench.hear(0, .ask(.init(blob: Self.blob, chunks: [3, 4])))
        outputs += bench.take(.timer, after: .seconds(1))
        #expect(
            outputs.offered(0, of: none).isEmpty && outputs.offered(1, of: none).isEmpty
                && outputs.offered(2, of: none).count == 2)
        #expect(outputs.sent(0).isEmpty, "what was asked for all the same waits")
        // One of them came by the cast.
        outputs = bench.hear(0, .got(Self.blob, [3]))
        outputs += bench.take(.castOut(Self.blob, to: [], until: bench.now))
        outputs += bench.take(.sent(BlobBench.links[0]))
        #expect(outputs.sent(0) == [4])
        #expect(!outputs.offered(1, of: none).isEmpty)
    }

    /// Nobody ends it: then its time does.
    @Test func aCastThatIsForgottenHoldsNobodyUp() {
        var bench = BlobBench(Self.file)
        bench.open(.held, links: 1)
        _ = bench.take(.castOut(Self.blob, to: [BlobBench.links[0]], until: bench.now + .seconds(2)))
        _ = bench.state(0, wants: 1, have: Self.file.nothing)
        _ = bench.take(.sent(BlobBench.links[0]))
        #expect(bench.hear(0, .ask(.init(blob: Self.blob, chunks: [1]))).sent(0).isEmpty)
        #expect(bench.pass(.milliseconds(1_999)).sent(0).isEmpty)
        #expect(bench.pass(.milliseconds(1)).sent(0) == [1])
    }

    @Test func pagesGoBeforeTheirChunks() {
        var bench = BlobBench(Self.file)
        bench.open(.held)
        let outputs = bench.hear(0, .ask(.init(blob: Self.blob, pages: [0], chunks: [1, 2])))
        #expect(outputs.said(0) == [.page(Self.blob, page: 0, hashes: Self.file.pages[0])])
        #expect(outputs.sent(0) == [1])
    }

    @Test func whatIsNotThereIsRefused() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted, have: bench.chunks(3))
        #expect(
            bench.hear(0, .ask(.init(blob: Self.blob, chunks: [3, 4]))).said(0) == [
                .drop(Self.blob, [4], refused: true)
            ])
        let other = SwarmFile(9, size: 100)
        #expect(
            bench.hear(0, .ask(.init(blob: other.blob, chunks: [0]))).said(0) == [
                .drop(other.blob, [0], refused: true)
            ])
    }

    @Test func whoAsksForTooMuchIsRefusedTheRest() {
        let file = SwarmFile(8, size: 80 * Limits.blobChunkBytes)
        var bench = BlobBench(file)
        bench.open(.held)
        var refused = 0
        for start in stride(from: 0, to: 64, by: 16) {
            for message in bench.hear(0, .ask(.init(blob: file.blob, chunks: Array(start..<start + 16)))).said(0) {
                if case .drop(_, let chunks, refused: true) = message { refused += chunks.count }
            }
        }
        #expect(refused == 64 - Limits.blobOwedMax - BlobLink.sendingMax)
        #expect(bench.machine.links[BlobBench.links[0]]?.owed.count == Limits.blobOwedMax)
    }

    @Test func whatCannotBeReadIsTakenBack() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted, have: bench.all)
        _ = bench.state(0, wants: 1, have: Self.file.nothing)
        _ = bench.state(1, have: bench.all)
        #expect(bench.hear(0, .ask(.init(blob: Self.blob, chunks: [6, 7, 8]))).sent(0) == [6, 7])
        let outputs = bench.take(.unreadable(BlobBench.links[0], Self.blob, chunk: 7))
        #expect(outputs.said(0).first == .drop(Self.blob, [7], refused: true))
        // Its place is free for the next, and who wants the file fetches the chunk again.
        #expect(outputs.sent(0) == [8] && outputs.asked(1) == [7])
    }

    @Test func onlyQuestionsAndWantsAreLookedUp() {
        var bench = BlobBench(Self.file)
        _ = bench.take(.linkUp(BlobBench.links[0], isSlow: false))
        #expect(bench.state(0, wants: 1, have: Self.file.nothing).lookUps == 1)
        #expect(bench.state(0, have: bench.all, asks: true).lookUps == 1)
        #expect(bench.state(0, have: bench.all).lookUps == 0)
        #expect(bench.hear(0, .got(Self.blob, [1])).isEmpty && bench.chunk(0, 1).isEmpty)
        #expect(bench.state(2, wants: 1, have: Self.file.nothing).isEmpty, "no link")
    }

    @Test func statesAreAnsweredOnce() {
        var bench = BlobBench(Self.file)
        bench.open(.held)
        let mine = BlobMessage.state(.init(blob: Self.blob, wants: 0, have: bench.all.bytes, asks: false))
        #expect(bench.state(0, wants: 1, have: Self.file.nothing, asks: true).said(0) == [mine])
        #expect(bench.state(0, wants: 1, have: Self.file.nothing).said(0).isEmpty)
        // Whoever comes later hears it first.
        #expect(bench.take(.linkUp(BlobBench.links[3], isSlow: false)).said(3) == [mine])
    }

    /// What was stored between the state that was sent and the one that came.
    @Test func nothingIsLostBetweenTwoStates() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted, have: bench.chunks(0))
        _ = bench.state(1, have: bench.all)
        _ = bench.chunk(1, 5)
        _ = bench.take(.stored(Self.blob, chunk: 5))
        let said = bench.state(0, wants: 1, have: Self.file.nothing).said(0)
        #expect(said.contains(.state(.init(blob: Self.blob, wants: 1, have: bench.chunks(0, 5).bytes, asks: false))))
    }

    // MARK: News

    @Test func newsGoWithWhatGoesAnyway() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted, have: bench.chunks(0))
        _ = bench.state(0, wants: 1, have: Self.file.nothing)
        _ = bench.state(1, have: bench.all)
        _ = bench.chunk(1, 5)
        #expect(bench.take(.stored(Self.blob, chunk: 5)).said(0).isEmpty)
        let outputs = bench.hear(0, .ask(.init(blob: Self.blob, chunks: [0])))
        let got = outputs.compactMap { if case .sendChunk(_, _, 0, let got) = $0 { got } else { nil } }
        #expect(got == [[5]])
        #expect(bench.pass(.seconds(1)).said(0).isEmpty)
    }

    @Test func newsGatherBeforeTheyAreAMessage() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted)
        _ = bench.state(0, wants: 1, have: bench.chunks(9))
        _ = bench.state(1, have: bench.all)
        _ = bench.page(1)
        for chunk in [5, 9, 7] {
            _ = bench.chunk(1, chunk)
            _ = bench.take(.stored(Self.blob, chunk: chunk))
        }
        let delay = Limits.blobNewsDelay(chunks: 20)
        #expect(bench.pass(delay - .milliseconds(1)).said(0).isEmpty)
        // It has one of them.
        #expect(bench.pass(.milliseconds(1)).said(0) == [.got(Self.blob, [5, 7])])
    }

    // MARK: The origin

    /// Two want it: each is offered another part, and one that asks for the other's does not get it.
    @Test func anOriginOffersEachChunkToOne() throws {
        var bench = BlobBench(Self.file)
        bench.open(.origin)
        // To one alone it gives everything.
        #expect(
            bench.state(0, wants: 1, have: Self.file.nothing).said(0) == [
                .state(.init(blob: Self.blob, wants: 0, have: bench.all.bytes, asks: false))
            ])
        let outputs = bench.state(1, wants: 1, have: Self.file.nothing)
        let offers = (0...1).map { link in
            outputs.said(link).flatMap { if case .got(_, let chunks) = $0 { chunks } else { [Int]() } }
        }
        #expect(offers.map(\.count) == [Grant.peerMax, Grant.peerMax])
        #expect(Set(offers[0]).isDisjoint(with: offers[1]))
        #expect(outputs.said(0).contains(.state(.init(blob: Self.blob, wants: 0, have: [], asks: false))))
        #expect(
            bench.hear(1, .ask(.init(blob: Self.blob, chunks: [offers[0][0]]))).said(1) == [
                .drop(Self.blob, [offers[0][0]], refused: true)
            ])
        // With what was asked for goes the next offer.
        let sent = bench.hear(1, .ask(.init(blob: Self.blob, chunks: offers[1])))
        let next = sent.flatMap { if case .sendChunk(_, _, _, let got) = $0 { got } else { [Int]() } }
        #expect(sent.sent(1) == offers[1] && next.count == 2)
        #expect(Set(next).isDisjoint(with: offers[0] + offers[1]))
    }

    /// What the first has and the second does not get from it, the origin gives after a while.
    @Test func aChunkThatDoesNotSpreadIsGivenAgain() {
        let file = SwarmFile(9, size: 2 * Limits.blobChunkBytes)
        var bench = BlobBench(file)
        bench.open(.origin)
        _ = bench.state(1, wants: 1, have: bench.chunks(1))
        let offers = bench.state(0, wants: 1, have: bench.chunks(1)).said(0)
        #expect(offers.contains(.got(file.blob, [0])))
        _ = bench.hear(0, .ask(.init(blob: file.blob, chunks: [0])))
        #expect(bench.pass(.seconds(1)).said(1).isEmpty)
        _ = bench.hear(0, .got(file.blob, [0]))
        #expect(bench.pass(Grant.patienceWhenUnfed - .milliseconds(1)).said(1).isEmpty)
        #expect(bench.pass(Grant.checkInterval).said(1).contains(.got(file.blob, [0])))
    }

    /// Whom it gave a chunk is gone before it had it.
    @Test func whatWasOfferedToOneWhoLeftIsOfferedToOthers() {
        let file = SwarmFile(9, size: Limits.blobChunkBytes)
        var bench = BlobBench(file)
        bench.open(.origin, links: 3)
        _ = bench.state(0, wants: 1, have: file.nothing)
        _ = bench.state(1, wants: 1, have: file.nothing)
        let start = bench.state(2, wants: 1, have: file.nothing) + bench.pass(.milliseconds(10))
        let owner = (0..<3).first { link in
            bench.machine.blobs[file.blob]?.peers[BlobBench.links[link]]?.grants.isEmpty == false
        }
        #expect(start.stores.isEmpty && owner != nil)
        let outputs = bench.take(.linkDown(BlobBench.links[owner ?? 0])) + bench.pass(Grant.checkInterval)
        let offered = (0..<3).filter { outputs.said($0).contains(.got(file.blob, [0])) }
        #expect(offered.count == 1 && offered != [owner])
    }

    /// A peer that reads nothing: what is queued to it does not keep a chunk from the others.
    @Test func whoTakesNothingKeepsNoChunk() {
        let file = SwarmFile(9, size: 4 * Limits.blobChunkBytes)
        var bench = BlobBench(file)
        bench.open(.origin)
        _ = bench.state(0, wants: 1, have: bench.chunks(0))
        _ = bench.state(1, wants: 1, have: bench.chunks(0))
        for _ in 0..<3 {
            let mine = bench.machine.blobs[file.blob]?.peers[BlobBench.links[0]]?.grants.map(\.chunk) ?? []
            _ = bench.hear(0, .ask(.init(blob: file.blob, chunks: mine)))
        }
        let before = bench.machine.blobs[file.blob]?.peers[BlobBench.links[0]]?.grants.count ?? 0
        #expect(before > 0)
        _ = bench.pass(BlobLink.stallTimeWhenSlow)
        #expect(bench.machine.blobs[file.blob]?.peers[BlobBench.links[0]]?.grants.isEmpty == true)
    }

    // MARK: Files

    @Test func closingTakesEverythingBack() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted)
        let asked = bench.state(0, have: bench.all).asked(0)
        #expect(
            bench.take(.close(Self.blob)).said(0) == [
                .drop(Self.blob, asked, refused: false),
                .state(.init(blob: Self.blob, wants: 0, have: [], asks: false)),
            ])
        #expect(bench.machine.openCount == 0 && bench.machine.nextDeadline == nil)
        #expect(bench.chunk(0, asked[0]).isEmpty)
    }

    @Test func whatNobodyWantsIsIdle() {
        var bench = BlobBench(Self.file)
        bench.open(.held)
        _ = bench.state(0, wants: 1, have: Self.file.nothing)
        func idles(_ outputs: [BlobMachine.Output]) -> Int {
            outputs.count { if case .idle = $0 { true } else { false } }
        }
        #expect(idles(bench.pass(.seconds(50))) == 0)
        _ = bench.state(0, have: bench.all)
        #expect(idles(bench.pass(OpenBlob.idleTime - .seconds(1))) == 0)
        #expect(idles(bench.pass(.seconds(2))) == 1)
    }

    @Test func aHeldFileThatIsWantedIsFetched() {
        var bench = BlobBench(Self.file)
        bench.open(.held, have: bench.chunks(1))
        #expect(bench.state(0, have: bench.all).asks(0).isEmpty)
        let outputs = bench.take(.open(Self.file.opening(.wanted, have: Self.file.nothing)))
        #expect(outputs.asked(0).count == BlobLink.asksMax && !outputs.asked(0).contains(1))
        #expect(outputs.said(0).contains(.state(.init(blob: Self.blob, wants: 1, have: [0x40], asks: false))))
    }

    @Test func howFarItIsIsSaidSeldom() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted, links: 1)
        var asked = bench.state(0, have: bench.all).asked(0)
        var said = 0
        var outputs = bench.page(0)
        while let chunk = asked.first {
            outputs = bench.chunk(0, chunk) + bench.take(.stored(Self.blob, chunk: chunk), after: .milliseconds(100))
            asked = asked.dropFirst() + outputs.asked(0)
            said += outputs.count { if case .progress = $0 { true } else { false } }
        }
        // Two seconds.
        #expect((3...5).contains(said), "\(said)")
        #expect(outputs.completes == 1)
    }
}
