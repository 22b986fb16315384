import Testing
import TourCrypto
import TourGossip
import TourModel
import TourWire

// Goal: what goes to a neighbour by datagram comes once, soon, and by the connection if not.
// Method: one machine whose datagrams are read, answered or dropped by hand.
@Suite struct PathTests {
    @Test func withoutAPortTheConnectionCarriesEverything() {
        var bench = Bench()
        bench.open(0)
        bench.open(1)
        let outputs = bench.verify(bench.push(bench.writers[0].log(1), on: 0))
        #expect(outputs.pushes == [bench.link(1)] && outputs.unicasts.isEmpty)
    }

    @Test func aPathIsTriedBeforeItCarries() throws {
        var bench = Self.bench()
        let log = bench.writers[0].log(2)
        let first = bench.verify(bench.push([log[0]], on: 0))
        #expect(first.pushes == [bench.link(1)])
        let probe = try #require(first.unicasts.first { $0.link == bench.link(1) }?.datagram)
        #expect(probe.number == 1 && probe.messages.isEmpty && probe.patience == 0)
        _ = bench.answer(probe, on: 1)
        let second = bench.verify(bench.push([log[1]], on: 0))
        #expect(second.pushes.isEmpty)
        #expect(second.unicasts.filter { $0.link == bench.link(1) }.map(\.datagram.runs) == [[2]])
    }

    @Test func whatIsNotAcknowledgedComesAgainWithItsNumber() throws {
        var bench = try Self.proven()
        let sent = bench.verify(bench.push(bench.writers[0].log(2).suffix(1), on: 0))
        let datagram = try #require(sent.unicasts.last?.datagram)
        let again = bench.pass(.milliseconds(200)).unicasts.filter { $0.datagram.number == datagram.number }
        #expect(again.count > 1 && again.allSatisfy { $0.datagram.runs == datagram.runs })
        _ = bench.answer(datagram, on: 1)
        #expect(bench.pass(.milliseconds(200)).unicasts.allSatisfy { $0.datagram.number != datagram.number })
    }

    @Test func theConnectionTakesOverWhenNothingIsAcknowledged() throws {
        var bench = try Self.proven()
        _ = bench.verify(bench.push(bench.writers[0].log(2).suffix(1), on: 0))
        let outputs = bench.pass(.seconds(20))
        #expect(outputs.pushes == [bench.link(1)])
        #expect(bench.machine.nextDeadline.map { $0 > bench.now } ?? true)
    }

    @Test func aDatagramThatComesTwiceIsReadOnceAndAnsweredTwice() throws {
        var bench = try Self.proven()
        var datagram = PathDatagram(number: 1)
        datagram.messages = [.run(Run(bench.writers[2].log(1), hops: 0, pushed: true))]
        let first = bench.take(.unicast(bench.link(1), datagram))
        let second = bench.take(.unicast(bench.link(1), datagram))
        #expect(first.verifications == 1 && second.verifications == 0 && second.prunes.isEmpty)
        #expect(first.unicasts.map(\.datagram.acknowledged) == [1])
        #expect(second.unicasts.map(\.datagram.acknowledged) == [1])
    }

    @Test func anAcknowledgementMayWait() throws {
        var bench = try Self.proven()
        var datagram = PathDatagram(number: 1)
        datagram.patience = 100
        #expect(bench.take(.unicast(bench.link(1), datagram)).unicasts.isEmpty)
        #expect(bench.pass(.milliseconds(99)).unicasts.isEmpty)
        #expect(bench.pass(.milliseconds(1)).unicasts.map(\.datagram.acknowledged) == [1])
    }

    @Test func anAcknowledgementNamesTheLast65() throws {
        var bench = try Self.proven()
        let outputs = [1, 2, 4, 68, 5, 3].map { bench.take(.unicast(bench.link(1), PathDatagram(number: $0))) }
        let said = outputs.flatMap(\.unicasts).map(\.datagram)
        #expect(said.map(\.acknowledged) == [1, 2, 4, 68, 68, 68])
        // 4 and 5 are 64 and 63 before the last; 3 is too old to tell.
        let (four, five): (UInt64, UInt64) = (1 << 63, 1 << 62)
        #expect(said.map(\.before) == [0, 1, 0b110, four, four | five, four | five])
    }

    @Test func whatOvertookAnotherWaitsForIt() throws {
        var bench = try Self.proven()
        let log = bench.writers[2].log(2)
        let early = bench.take(.unicast(bench.link(1), Self.datagram(1, [log[1]])))
        #expect(early.wants.isEmpty && early.verifications == 0)
        let both = bench.verify(bench.take(.unicast(bench.link(1), Self.datagram(2, [log[0]]))))
        #expect(both.stored.map(\.last) == [1] && both.verifications == 1)
    }

    private static func datagram(_ number: UInt64, _ events: [Event]) -> PathDatagram {
        var datagram = PathDatagram(number: number)
        datagram.messages = [.run(Run(events, hops: 0, pushed: true))]
        return datagram
    }

    /// Two neighbours with a port for datagrams.
    private static func bench() -> Bench {
        var bench = Bench()
        for number in 0..<2 {
            bench.open(number)
            _ = bench.take(.path(bench.link(number), isOffered: true))
        }
        return bench
    }

    /// The second of them has acknowledged one. The first event of writer 0 is there.
    private static func proven() throws -> Bench {
        var bench = bench()
        let outputs = bench.verify(bench.push(bench.writers[0].log(1), on: 0))
        let probe = try #require(outputs.unicasts.first { $0.link == bench.link(1) }?.datagram)
        _ = bench.answer(probe, on: 1)
        return bench
    }
}

extension Bench {
    fileprivate mutating func answer(_ datagram: PathDatagram, on number: Int) -> [Output] {
        var answer = PathDatagram(number: 0)
        answer.acknowledged = datagram.number
        answer.answered = datagram.number
        return take(.unicast(link(number), answer))
    }
}

extension PathDatagram {
    fileprivate var runs: [UInt64] {
        messages.flatMap { message -> [UInt64] in
            if case .run(let run) = message { [run.last] } else { [] }
        }
    }
}

extension [GossipMachine.Output] {
    fileprivate var unicasts: [(link: LinkID, datagram: PathDatagram)] {
        compactMap { output in
            guard case .unicast(let link, let datagram) = output else { return nil }
            return (link, datagram)
        }
    }
}
