import Testing
import TourBlob
import TourModel
import TourWire

/// A file that is likely to be cast: what is said of it on links to others than its author.
@Suite struct QuietOpeningTests {
    private static let file = SwarmFile(9, size: 8 * 65_536)

    /// Link 0 is the author's.
    private static func opened(_ bench: inout BlobBench, have: ChunkSet? = nil) -> [BlobMachine.Output] {
        for link in BlobBench.links.prefix(3) { _ = bench.take(.linkUp(link, isSlow: false)) }
        var opening = file.opening(.wanted, have: have ?? file.nothing)
        opening.toldFirst = [BlobBench.links[0]]
        return bench.take(.open(opening))
    }

    private static func casting(_ bench: inout BlobBench, _ time: Duration) -> [BlobMachine.Output] {
        bench.take(.casting(file.blob, until: bench.now + time, beside: Set(BlobBench.links)))
    }

    @Test func theAuthorHearsAtOnceAndOthersAfterAWhile() {
        var bench = BlobBench(Self.file)
        let first = Self.opened(&bench)
        #expect(first.states(0).map(\.asks) == [true])
        #expect(first.said(1).isEmpty && first.said(2).isEmpty)
        #expect(bench.pass(OpenBlob.quietTime - .milliseconds(1)).said(1).isEmpty)
        let later = bench.pass(.milliseconds(1))
        #expect(later.said(0).isEmpty)
        #expect(later.states(1).map(\.asks) == [true] && later.states(2).map(\.asks) == [true])
        #expect(bench.pass(.seconds(5)).said(1).isEmpty, "once")
    }

    @Test func othersHearWithTheFirstChunk() {
        var bench = BlobBench(Self.file)
        _ = Self.opened(&bench)
        _ = bench.state(0, have: bench.all)
        _ = bench.page(0)
        #expect(bench.chunk(0, 3).said(1).isEmpty)
        let stored = bench.take(.stored(Self.file.blob, chunk: 3))
        #expect(stored.offered(1, of: Self.file.nothing) == [3] && stored.offered(2, of: Self.file.nothing) == [3])
    }

    @Test func whoSpeaksIsAnsweredOnce() {
        var bench = BlobBench(Self.file)
        _ = Self.opened(&bench)
        #expect(bench.state(1, wants: 1, have: Self.file.nothing, asks: true).states(1).count == 1)
        #expect(bench.state(2, wants: 1, have: Self.file.nothing).states(2).count == 1)
        #expect(bench.pass(.seconds(2)).said(1).isEmpty)
    }

    /// A cast that brings everything: nobody but the author hears a word.
    @Test func whatACastBringsIsNotSpokenOf() {
        var bench = BlobBench(Self.file)
        _ = Self.opened(&bench)
        _ = bench.page(0)
        var said = Self.casting(&bench, .seconds(1))
        for chunk in 0..<8 {
            said += bench.take(.heard(Self.file.blob, chunk: chunk, Self.file.chunk(chunk)), after: .milliseconds(50))
            said += bench.take(.stored(Self.file.blob, chunk: chunk))
        }
        #expect(said.completes == 1)
        said += bench.take(.casting(Self.file.blob, until: bench.now, beside: []))
        said += bench.pass(.seconds(30))
        #expect(said.said(1).isEmpty && said.said(2).isEmpty)
        let answer = bench.state(1, wants: 1, have: Self.file.nothing, asks: true)
        #expect(answer.offered(1, of: Self.file.nothing) == Array(0..<8), "who asks hears of it")
    }

    @Test func whatACastLeavesIsSpokenOfAtOnce() {
        var bench = BlobBench(Self.file)
        _ = Self.opened(&bench)
        _ = bench.page(0)
        _ = Self.casting(&bench, .seconds(1))
        #expect(bench.pass(.milliseconds(900)).said(1).isEmpty)
        let left = bench.take(.castLeft(Self.file.blob, [2]))
        #expect(left.states(1).map(\.asks) == [true] && left.states(2).map(\.asks) == [true])
    }

    @Test func aCastThatEndsEarlyLeavesItToTheLinks() {
        var bench = BlobBench(Self.file)
        _ = Self.opened(&bench)
        _ = bench.page(0)
        _ = Self.casting(&bench, .seconds(1))
        #expect(bench.pass(.milliseconds(999)).said(1).isEmpty)
        #expect(bench.pass(.milliseconds(1)).states(1).map(\.asks) == [true])
    }

    /// Whose datagrams are not heard may not hear the cast either.
    @Test func whoMayNotHearTheCastHearsWithTheFirstChunk() {
        var bench = BlobBench(Self.file)
        _ = Self.opened(&bench)
        _ = bench.page(0)
        _ = bench.take(.casting(Self.file.blob, until: bench.now + .seconds(5), beside: [BlobBench.links[1]]))
        _ = bench.take(.heard(Self.file.blob, chunk: 1, Self.file.chunk(1)))
        let stored = bench.take(.stored(Self.file.blob, chunk: 1))
        #expect(stored.said(1).isEmpty)
        #expect(stored.states(2).map(\.asks) == [true])
    }

    /// The page may not come from who casts: whoever has it is found.
    @Test func whoLacksAPageAsksAllAlthoughItIsCast() {
        var bench = BlobBench(Self.file)
        _ = Self.opened(&bench)
        var said = [BlobMachine.Output]()
        for _ in 0..<6 { said += Self.casting(&bench, .seconds(1)) + bench.pass(.milliseconds(100)) }
        #expect(said.said(1).isEmpty)
        said = Self.casting(&bench, .seconds(1)) + bench.pass(.milliseconds(100))
        #expect(said.states(1).map(\.asks) == [true] && said.states(2).map(\.asks) == [true])
        let answer = bench.state(2, wants: 1, have: bench.chunks(4))
        #expect(answer.asks(2).flatMap(\.pages) == [0])
    }

    /// Everything came; then some of it is not there after all.
    @Test func whatTheDiskLosesIsAskedForOfAll() {
        var bench = BlobBench(Self.file)
        _ = Self.opened(&bench)
        _ = bench.state(0, have: bench.all)
        _ = bench.page(0)
        _ = Self.casting(&bench, .seconds(20))
        for chunk in 0..<8 { _ = bench.take(.heard(Self.file.blob, chunk: chunk, Self.file.chunk(chunk))) }
        for chunk in 0..<7 { _ = bench.take(.stored(Self.file.blob, chunk: chunk)) }
        _ = bench.take(.casting(Self.file.blob, until: bench.now, beside: []))
        #expect(bench.pass(.seconds(1)).said(1).isEmpty, "it is being written")
        let failed = bench.take(.storeFailed(Self.file.blob, chunk: 7))
        #expect(failed.states(1).map(\.asks) == [true])

        var full = BlobBench(Self.file)
        _ = Self.opened(&full)
        _ = full.state(0, have: full.all)
        _ = full.page(0)
        _ = Self.casting(&full, .seconds(1))
        for chunk in 0..<8 {
            _ = full.take(.heard(Self.file.blob, chunk: chunk, Self.file.chunk(chunk)))
            _ = full.take(.stored(Self.file.blob, chunk: chunk))
        }
        #expect(full.pass(.seconds(5)).said(1).isEmpty)
        let lost = full.take(.unreadable(BlobBench.links[0], Self.file.blob, chunk: 3))
        #expect(lost.states(1).map(\.asks) == [true] && lost.states(2).map(\.asks) == [true])
    }

    @Test func aLinkThatComesMeanwhileIsToldAsEver() {
        var bench = BlobBench(Self.file)
        _ = Self.opened(&bench)
        let come = bench.take(.linkUp(BlobBench.links[3], isSlow: false))
        #expect(come.states(3).map(\.asks) == [false])
        #expect(come.said(1).isEmpty)
        #expect(bench.take(.linkDown(BlobBench.links[1])).isEmpty)
        #expect(bench.pass(.seconds(1)).states(2).count == 1)
    }

    /// News for those who hear the same cast wait; when it ends they do not.
    @Test func newsBesideACastWait() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted)
        _ = bench.state(1, wants: 1, have: bench.chunks(7))
        _ = bench.page(0)
        _ = Self.casting(&bench, .seconds(10))
        _ = bench.take(.heard(Self.file.blob, chunk: 1, Self.file.chunk(1)))
        _ = bench.take(.stored(Self.file.blob, chunk: 1))
        #expect(bench.pass(Limits.blobNewsDelayBesideCast - .milliseconds(1)).said(1).isEmpty)
        #expect(bench.pass(.milliseconds(1)).offered(1, of: Self.file.nothing) == [1])
        _ = bench.take(.heard(Self.file.blob, chunk: 2, Self.file.chunk(2)))
        _ = bench.take(.stored(Self.file.blob, chunk: 2))
        _ = bench.take(.casting(Self.file.blob, until: bench.now, beside: []))
        let soon = Limits.blobNewsDelay(chunks: 8)
        #expect(bench.pass(soon).offered(1, of: Self.file.nothing) == [2])
    }

    /// A chunk counts by its page alone: who has shown nothing of that may lack it.
    @Test func newsOfAPageDoNotWait() {
        var bench = BlobBench(Self.file)
        bench.open(.wanted)
        _ = bench.state(1, wants: 1, have: Self.file.nothing)
        _ = bench.page(0)
        _ = Self.casting(&bench, .seconds(10))
        _ = bench.take(.heard(Self.file.blob, chunk: 1, Self.file.chunk(1)))
        _ = bench.take(.stored(Self.file.blob, chunk: 1))
        #expect(bench.pass(Limits.blobNewsDelay(chunks: 8)).offered(1, of: Self.file.nothing) == [1])
    }
}

extension [BlobMachine.Output] {
    fileprivate func states(_ link: Int) -> [BlobMessage.State] {
        said(link).compactMap { if case .state(let state) = $0 { state } else { nil } }
    }
}
