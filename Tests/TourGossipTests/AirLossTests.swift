import Testing
import TourGossip
import TourModel
import TourWire

/// Goal: what is lost costs as few datagrams as it can: copies by what members report, few answers, proofs that
/// outlive some lost words.
/// Method: one machine on a bench, on one segment; the others' datagrams are made by hand.
@Suite struct AirLossTests {
    /// Whoever hears us reports this loss of a thousand.
    private static func bench(writers: Int, lossPerMille: Int) -> Bench {
        var bench = Bench(writers: writers)
        _ = bench.take(.segments([SegmentID(value: 1)]))
        for number in 0..<writers { _ = bench.hear(number, heard: [bench.own], lossPerMille: lossPerMille) }
        return bench
    }

    /// How often the machine says an event of its own.
    private static func copies(_ bench: inout Bench) -> Int {
        let outputs = bench.take(.wrote(Writer(1).log(1)), after: .milliseconds(10)) + bench.pass(.milliseconds(400))
        return runs(outputs).count
    }

    @Test(arguments: [
        (7, 0, 1), (7, 100, 2), (7, 300, 3), (49, 100, 2), (49, 300, 4), (199, 10, 2), (199, 100, 3), (199, 300, 5),
        (199, 1_000, 6),
    ])
    func copiesAreAsManyAsMembersMiss(writers: Int, lossPerMille: Int, copies: Int) {
        var bench = Self.bench(writers: writers, lossPerMille: lossPerMille)
        #expect(Self.copies(&bench) == copies)
    }

    @Test func aLiarAmongTenAddsNoCopy() {
        var bench = Self.bench(writers: 10, lossPerMille: 0)
        _ = bench.hear(0, heard: [bench.own], lossPerMille: 1_000)
        #expect(Self.copies(&bench) == 1)
        var two = Self.bench(writers: 10, lossPerMille: 0)
        for number in 0..<2 { _ = two.hear(number, heard: [two.own], lossPerMille: 1_000) }
        #expect(Self.copies(&two) == 6, "and more of them cost six at most")
    }

    /// Every third datagram of the others does not come.
    @Test(arguments: [false, true]) func aProofOutlivesLostWords(isLossy: Bool) {
        var bench = Self.bench(writers: 3, lossPerMille: 0)
        for number in 0..<3 { bench.open(number) }
        for _ in 0..<20 {
            for number in 0..<3 {
                if isLossy { bench.counters[number, default: 0] += 1 }
                _ = bench.hear(number, heard: [bench.own])
            }
        }
        _ = bench.pass(.seconds(45))
        let outputs = bench.take(.wrote(Writer(1).log(1)))
        #expect(Self.runs(outputs).isEmpty != isLossy)
        #expect(outputs.pushes.isEmpty == isLossy)
    }

    @Test(arguments: [false, true]) func whatMayComeAgainIsNotAskedForAtOnce(isLossy: Bool) {
        var bench = Self.bench(writers: 49, lossPerMille: isLossy ? 300 : 0)
        let log = bench.writers[0].log(2)
        _ = bench.hear(0, heard: [bench.own], runs: [Run(log[1..<2], hops: 0, pushed: true)])
        #expect(Self.gaps(bench.pass(.milliseconds(80))).isEmpty == isLossy)
        #expect(!Self.gaps(bench.pass(.milliseconds(120))).isEmpty)
    }

    /// Of many who have an event a few answer; of three each may be needed.
    @Test(arguments: [3, 60]) func fewAnswerForOthers(writers: Int) {
        var bench = Self.bench(writers: writers, lossPerMille: 0)
        let asked = writers - 2
        var answers = 0
        for number in 0..<asked {
            let run = Run(bench.writers[number].log(1), hops: 0, pushed: true)
            _ = bench.verify(bench.hear(writers - 1, heard: [bench.own], runs: [run]))
            _ = bench.pass(.milliseconds(30))
            let gap = Datagram.Gap(author: bench.writers[number].id.prefix, first: 1, last: 1)
            let outputs = bench.hear(writers - 2, gaps: [gap]) + bench.pass(.milliseconds(11))
            #expect(Self.runs(outputs).isEmpty, "the author comes first")
            answers += Self.runs(bench.pass(.milliseconds(40))).count
        }
        #expect(writers == 3 ? answers == asked : answers < asked / 6)
    }

    @Test func rowsSayWhatChangedAndSpareTheAuthorsOwnWord() {
        var bench = Self.bench(writers: 3, lossPerMille: 0)
        let log = bench.writers[0].log(1)
        _ = bench.verify(bench.hear(0, heard: [bench.own], runs: [Run(log, hops: 0, pushed: true)]))
        _ = bench.take(.stored([bench.writers[0].id: 1]))
        let row = bench.take(.claim(bench.claim(Writer(1), counter: 1)))
        #expect(Self.heads(row) == [PrefixedHead(prefix: bench.writers[0].id.prefix, sequence: 1)])
        _ = bench.pass(.seconds(20))
        _ = bench.take(.wrote(Writer(1).log(1)))
        let named = PrefixedHead(prefix: bench.own.prefix, sequence: 1)
        var other = bench
        #expect(Self.heads(other.pass(.milliseconds(200))).contains(named))
        _ = bench.hear(1, heard: [bench.own], heads: [named])
        #expect(Self.heads(bench.pass(.milliseconds(200))).isEmpty)
    }

    private static func runs(_ outputs: [Bench.Output]) -> [Run] { datagrams(outputs).flatMap(\.runs) }
    private static func gaps(_ outputs: [Bench.Output]) -> [Datagram.Gap] { datagrams(outputs).flatMap(\.gaps) }
    private static func heads(_ outputs: [Bench.Output]) -> [PrefixedHead] { datagrams(outputs).flatMap(\.heads) }

    private static func datagrams(_ outputs: [Bench.Output]) -> [Datagram] {
        outputs.compactMap { if case .multicast(_, let datagram) = $0 { datagram } else { nil } }
    }
}
