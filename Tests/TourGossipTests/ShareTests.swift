import Testing
import TourCrypto
import TourGossip
import TourModel
import TourWire

// Goal: a log ends where its author's share does, whatever the author writes, and nobody asks for more of it for ever.
// Method: a machine with a share of a thousand bytes; events of 444 bytes, so that three are within it.
@Suite struct ShareTests {
    private var bench = Bench()
    private var writer: Writer { bench.writers[0] }

    init() {
        let known = bench.writers.map(\.id)
        bench.machine = GossipMachine(
            own: bench.own, members: [bench.own] + known, leaders: Set(known), heads: [:],
            share: LogShare(sealed: 1_000, control: 1_000))
        bench.open(0)
        bench.open(1)
    }

    private mutating func pushEach(_ events: [Event]) -> [GossipMachine.Output] {
        events.flatMap { event -> [GossipMachine.Output] in
            let outputs = bench.push([event], on: 0)
            return bench.verify(outputs)
        }
    }

    @Test mutating func aLogEndsWhereItsShareDoes() {
        let outputs = pushEach(writer.log(5))
        #expect(outputs.stored.map(\.last) == [1, 2, 3])
        #expect(outputs.faults == [.beyondShare])
        #expect(bench.machine.isFull(writer.id) && bench.machine.logSize(of: writer.id) == LogSize(sealed: 1_332))
        #expect(!bench.machine.isFull(bench.writers[1].id))
    }

    @Test mutating func nobodyAsksForMore() {
        _ = pushEach(writer.log(4))
        var outputs = bench.take(.stored([writer.id: 3]))
        outputs += bench.have(writer, 4_000, on: 0) + bench.have(writer, 5, on: 1)
        outputs += bench.pass(.seconds(120))
        #expect(outputs.wants.isEmpty)
        let heads = outputs.haves.flatMap(\.heads).filter { $0.prefix == writer.id.prefix }
        #expect(heads.allSatisfy { $0.sequence == 3 })
        #expect(!bench.machine.lacks(writer.id))
    }

    /// The end of what is within the share is proven by itself: the author may have put anything in its place.
    @Test mutating func whatIsWithinItIsAskedForAgain() {
        let log = writer.log(5)
        _ = bench.have(writer, 5, on: 0)
        var outputs = bench.pass(.seconds(1))
        #expect(outputs.wants.map(\.want.ranges) == [[Want.Range(author: writer.id, first: 1, last: 5)]])
        let asked = bench.serve(log, on: 0)
        outputs = bench.verify(asked)
        #expect(outputs.stored.isEmpty && outputs.faults == [.beyondShare])
        outputs = bench.take(.message(bench.link(0), .served(id: 1, truncated: false))) + bench.pass(.seconds(40))
        #expect(outputs.wants.first?.want.ranges == [Want.Range(author: writer.id, first: 1, last: 3)])
        let answered = bench.serve(log, on: 0)
        outputs = bench.verify(answered)
        #expect(outputs.stored.map(\.last) == [3])
        let after = bench.take(.message(bench.link(0), .served(id: 2, truncated: false))) + bench.pass(.seconds(120))
        #expect(after.wants.isEmpty)
    }

    @Test mutating func controlEventsHaveAShareOfTheirOwn() {
        let log = writer.log(8, classes: [4: .control, 5: .control, 6: .control, 7: .control])
        let outputs = pushEach(log)
        #expect(outputs.stored.map(\.last) == [1, 2, 3, 4, 5, 6])
        #expect(outputs.faults == [.beyondShare])
    }

    @Test mutating func nothingWaitsAheadOfAFullLog() {
        let log = writer.log(6, classes: [6: .announcement])
        #expect(pushEach([log[5]]).ahead.count == 1)
        _ = pushEach(Array(log[..<4]))
        #expect(pushEach([log[5]]).ahead.isEmpty)
        // Who comes now is not given it either.
        _ = bench.take(.linkUp(bench.link(2), bench.writers[2].id))
        let greeted = bench.take(.message(bench.link(2), .have(Have())))
        #expect(greeted.urgentLoads.isEmpty)
    }

    /// What came ahead counts when the log comes to it, and fills the share as if it had come in order.
    @Test mutating func whatCameAheadCounts() {
        let log = writer.log(4, classes: [3: .announcement, 4: .announcement])
        _ = pushEach([log[2], log[3]])
        _ = pushEach([log[0], log[1]])
        #expect(bench.machine.logSize(of: writer.id) == LogSize(sealed: 1_332))
        #expect(bench.machine.isFull(writer.id))
    }

    @Test mutating func aRestartKnowsTheSizes() {
        let log = writer.log(4)
        bench.machine.restart(
            heads: [writer.id: (sequence: 3, id: log[2].id)], sizes: [writer.id: LogSize(sealed: 1_332)])
        bench.open(0)
        #expect(pushEach([log[3]]).faults == [.beyondShare])
    }
}
