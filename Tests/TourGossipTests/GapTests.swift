import Testing
import TourCrypto
import TourGossip
import TourModel
import TourWire

/// Goal: a neighbour that keeps something back cannot hide that it is there. Method: one machine on a bench, whose
/// neighbour drops a log that others claim to have.
struct GapTests {
    @Test func whatOthersClaimAndNobodyBringsIsMissing() {
        var bench = Bench()
        let (relay, author, other) = (bench.writers[0], bench.writers[1], bench.writers[2])
        bench.open(0)
        #expect(bench.machine.missing.isEmpty)
        // The relay passes on what members say of themselves, and nothing of the author's log.
        _ = bench.take(.claim(bench.claim(other, counter: 1, has: [(author.id, 4), (relay.id, 1)])))
        #expect(bench.machine.missing == [author.id: 4, relay.id: 1])
        _ = bench.take(.claim(bench.claim(author, counter: 1, has: [(author.id, 6)])))
        _ = bench.pass(.seconds(60))
        #expect(bench.machine.missing == [author.id: 6, relay.id: 1])
    }

    @Test func whatIsStoredIsNotMissing() {
        var bench = Bench()
        let author = bench.writers[1]
        bench.open(0)
        bench.open(1)
        _ = bench.take(.claim(bench.claim(author, counter: 1, has: [(author.id, 3)])))
        let events = author.log(3)
        let outputs = bench.verify(bench.push(Array(events[..<2]), on: 1))
        #expect(outputs.stored.count == 1)
        _ = bench.take(.stored([author.id: 2]))
        #expect(bench.machine.missing == [author.id: 1])
        // A neighbour's frontier says so too.
        _ = bench.have(author, 5, on: 0)
        #expect(bench.machine.missing == [author.id: 3])
    }

    /// Nobody waits for what does not count.
    @Test func whatIsBehindAnEndIsNotMissing() {
        var bench = Bench()
        let author = bench.writers[1]
        bench.open(0)
        _ = bench.have(author, 9, on: 0)
        _ = bench.take(.authors([bench.own] + bench.writers.map(\.id), leaders: [], ends: [author.id: 2]))
        #expect(bench.machine.missing == [author.id: 2])
    }
}
