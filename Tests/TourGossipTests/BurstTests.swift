import Testing
import TourGossip
import TourModel
import TourWire

/// Goal: where datagrams carry what is said now and then, links are not pruned before somebody writes much at once:
/// then that author's duplicates prune, and nobody else's. What is left out is found out by rows.
/// Method: one machine on a bench.
@Suite struct BurstTests {
    @Test(arguments: [(31, false), (32, true)])
    func manyEventsOfOneAuthorPrune(count: Int, prunes: Bool) {
        var bench = Self.bench()
        let log = bench.writers[0].log(count)
        _ = bench.verify(bench.push(log, on: 0))
        // In other pieces than on the link that was quicker.
        let outputs = bench.push(Array(log.prefix(10)), on: 1)
        #expect(outputs.prunes == (prunes ? [bench.link(1)] : []))
    }

    @Test func aBurstThatIsOverDecidesNothing() {
        var bench = Self.bench()
        let log = bench.writers[0].log(40)
        _ = bench.verify(bench.push(log, on: 0))
        _ = bench.pass(.milliseconds(1_100))
        #expect(bench.push(Array(log.prefix(10)), on: 1).prunes.isEmpty)
    }

    /// By what two authors say, two links of one circle may go.
    @Test func meanwhileTheRootDecidesNothing() {
        var bench = Self.bench()
        let root = Self.root(of: bench)
        let row = bench.claim(root, counter: 1)
        _ = bench.take(.claims(.link(bench.link(0)), [row]))
        _ = bench.verify(bench.push(bench.writers[0].log(32), on: 0))
        #expect(bench.take(.message(bench.link(2), .rows([row.row]))).prunes.isEmpty)
        // Until it writes itself: then the first by id decides, as everywhere.
        let log = root.log(1)
        _ = bench.verify(bench.push(log, on: 0))
        #expect(bench.push(log, on: 1).prunes == [bench.link(1)])
    }

    /// Who writes all of it has the way of nobody's last word: no graft brings back what a neighbour pruned.
    @Test func whoWritesItGraftsNothing() {
        var bench = Self.bench()
        _ = bench.take(.claims(.link(bench.link(0)), [bench.claim(Self.root(of: bench), counter: 1)]))
        _ = bench.take(.wrote(Writer(1).log(32)))
        #expect(bench.take(.message(bench.link(0), .prune)).wants.isEmpty)
    }

    /// A frontier that was never told: the neighbour's own row shows what it has.
    @Test func whatOnlyARowShowsIsPulled() {
        var bench = Self.bench()
        let author = bench.writers[5]
        let row = bench.claim(bench.writers[0], counter: 1, has: [(author.id, 5)])
        #expect(bench.take(.claims(.link(bench.link(0)), [row])).wants.isEmpty)
        #expect(bench.pass(.milliseconds(1_900)).wants.isEmpty, "it may be on its way")
        let wants = bench.pass(.milliseconds(1_200)).wants
        #expect(wants.map(\.link) == [bench.link(0)])
        #expect(wants.flatMap(\.want.ranges) == [Want.Range(author: author.id, first: 1, last: 5)])
    }

    /// The frontier is quicker than the row: it does not wait for that.
    @Test func aFrontierIsNotHeldUpByARow() {
        var bench = Self.bench()
        let author = bench.writers[5]
        let row = bench.claim(bench.writers[0], counter: 1, has: [(author.id, 5)])
        _ = bench.take(.claims(.link(bench.link(0)), [row]))
        _ = bench.have(author, 5, on: 0)
        #expect(bench.pass(.milliseconds(150)).wants.map(\.link) == [bench.link(0)])
    }

    private static func bench() -> Bench {
        var bench = Bench(writers: 12)
        for number in 0..<3 { bench.open(number) }
        return bench
    }

    /// The first by id of all but the neighbours, before the machine itself.
    private static func root(of bench: Bench) -> Writer {
        let root = bench.writers[3...].min { $0.id < $1.id } ?? bench.writers[3]
        #expect(root.id < bench.own && bench.writers[..<3].allSatisfy { root.id < $0.id })
        return root
    }
}
