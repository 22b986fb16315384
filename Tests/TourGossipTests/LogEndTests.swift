import Testing
import TourCrypto
import TourGossip
import TourModel
import TourWire

// Goal: nothing behind the end of a log is taken, asked for, served or passed on, and a log that forks is shown to the
// shell with both its branches. Method: one machine, logs that end at the third event, and two branches of one log.
@Suite struct LogEndTests {
    /// A bench with two links, where the first writer's log ends at its third event.
    private func bench() -> Bench {
        var bench = Bench()
        for number in 0..<2 { bench.open(number) }
        _ = bench.take(.authors([bench.own] + bench.writers.map(\.id), leaders: [], ends: [bench.writers[0].id: 3]))
        return bench
    }

    private func verified(_ outputs: [Bench.Output]) -> [ClosedRange<UInt64>] {
        outputs.compactMap { output in
            guard case .verify(_, let run) = output else { return nil }
            return run.first...run.last
        }
    }

    @Test func aRunIsCutAtTheEnd() {
        var bench = bench()
        let log = bench.writers[0].log(5)
        let outputs = bench.push(log, on: 1)
        #expect(verified(outputs) == [1...3])
        let stored = bench.verify(outputs)
        #expect(stored.stored.map(\.last) == [3] && stored.faults.isEmpty)
        #expect(bench.push(Array(log[3...]), on: 1).verifications == 0)
        #expect(bench.pass(.seconds(30)).wants.flatMap(\.want.ranges).isEmpty)
    }

    @Test func nothingBehindTheEndIsAskedFor() {
        var bench = bench()
        let outputs = bench.have(bench.writers[0], 9, on: 1) + bench.pass(.seconds(1))
        #expect(outputs.wants.flatMap(\.want.ranges).map(\.last) == [3])
        _ = bench.verify(bench.serve(bench.writers[0].log(3), on: 1))
        _ = bench.take(.message(bench.link(1), .served(id: outputs.wants.first?.want.id ?? 0, truncated: false)))
        #expect(bench.have(bench.writers[0], 20, on: 1).wants.isEmpty)
        #expect(bench.pass(.seconds(60)).wants.flatMap(\.want.ranges).isEmpty)
    }

    @Test func announcementsBehindTheEndAreNotTaken() {
        var bench = bench()
        let log = bench.writers[0].log(6, classes: [6: .announcement])
        #expect(bench.push([log[5]], on: 1).verifications == 0)
        _ = bench.take(.authors([bench.own] + bench.writers.map(\.id), leaders: Set(bench.writers.map(\.id))))
        #expect(bench.verify(bench.push([log[5]], on: 1)).ahead.count == 1)
    }

    @Test func whatIsStoredBehindTheEndIsNotServed() {
        var bench = Bench()
        for number in 0..<2 { bench.open(number) }
        let author = bench.writers[0].id
        _ = bench.verify(bench.push(bench.writers[0].log(5), on: 0))
        _ = bench.take(.stored([author: 5]))
        _ = bench.take(.authors([bench.own] + bench.writers.map(\.id), leaders: [], ends: [author: 3]))
        let want = Want(id: 7, ranges: [Want.Range(author: author, first: 1, last: 5)], graft: false)
        let served = bench.take(.message(bench.link(1), .want(want)))
        #expect(served.loads.map(\.range.last) == [3])
    }

    @Test func whatIsBeingVerifiedWhenTheEndComesIsDropped() {
        var bench = Bench()
        for number in 0..<2 { bench.open(number) }
        let outputs = bench.push(bench.writers[0].log(5), on: 1)
        _ = bench.take(.authors([bench.own] + bench.writers.map(\.id), leaders: [], ends: [bench.writers[0].id: 3]))
        let judged = bench.verify(outputs)
        #expect(judged.stored.isEmpty)
        let wants = judged.wants + bench.pass(.seconds(1)).wants
        #expect(wants.flatMap(\.want.ranges).map(\.last) == [3])
    }

    @Test func aLogThatGoesOnAfterAllIsAskedForAgain() {
        var bench = bench()
        _ = bench.verify(bench.push(bench.writers[0].log(3), on: 1))
        _ = bench.take(.stored([bench.writers[0].id: 3]))
        _ = bench.have(bench.writers[0], 5, on: 1)
        let outputs = bench.take(.authors([bench.own] + bench.writers.map(\.id), leaders: [])) + bench.pass(.seconds(1))
        #expect(outputs.wants.flatMap(\.want.ranges).map { [$0.first, $0.last] } == [[4, 5]])
    }

    @Test func aForkIsLookedInto() {
        var bench = Bench()
        for number in 0..<2 { bench.open(number) }
        let ours = bench.writers[0].log(4)
        let other = bench.writers[0].log(6, branch: 1)
        _ = bench.verify(bench.push(ours, on: 0))
        let outputs = bench.verify(bench.push([other[4]], on: 1))
        #expect(outputs.faults == [.forkedLog])
        let ranges = outputs.wants.flatMap(\.want.ranges)
        #expect(ranges == [Want.Range(author: bench.writers[0].id, first: 1, last: 4)])
        let answered = bench.verify(bench.serve(Array(other[..<4]), on: 1))
        #expect(answered.compared.map { $0.first...$0.last } == [1...4])
        #expect(answered.compared.flatMap(\.events) == Array(other[..<4]))
        #expect(answered.stored.isEmpty)
        // Once is enough for a while.
        #expect(bench.push([other[5]], on: 1).wants.isEmpty)
        // When the end is known there is nothing more to look into.
        _ = bench.take(.authors([bench.own] + bench.writers.map(\.id), leaders: [], ends: [bench.writers[0].id: 0]))
        #expect(bench.serve(Array(other[..<4]), on: 1).verifications == 0)
    }
}
