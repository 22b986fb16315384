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
        let datagram = try bench.sendEvent()
        let again = bench.pass(.milliseconds(200)).unicasts.filter { $0.datagram.number == datagram.number }
        #expect(again.count > 1 && again.allSatisfy { $0.datagram.runs == datagram.runs })
        _ = bench.answer(datagram, on: 1)
        #expect(bench.pass(.milliseconds(200)).unicasts.isEmpty)
    }

    /// It is far shorter than what it asks about, which came as often as not.
    @Test func aQuestionGoesBeforeASecondCopy() throws {
        var bench = try Self.proven()
        let datagram = try bench.sendEvent()
        let question = try #require(bench.nextUnicast()?.datagram)
        #expect(question.asks && question.number == 0 && question.messages.isEmpty)
        var answer = PathDatagram(number: 0)
        answer.acknowledged = datagram.number - 1
        let copies = bench.take(.unicast(bench.link(1), answer), after: .milliseconds(2)).unicasts.map(\.datagram)
        #expect(copies.map(\.number) == [datagram.number] && copies.first?.runs == datagram.runs)
        #expect(copies.first?.patience == 0)
        // Said once more, it tells nothing of the copy.
        #expect(bench.take(.unicast(bench.link(1), answer), after: .milliseconds(2)).unicasts.isEmpty)
    }

    @Test func whatCameIsNotSentAgainAfterAQuestion() throws {
        var bench = try Self.proven()
        let datagram = try bench.sendEvent()
        #expect(bench.nextUnicast()?.datagram.asks == true)
        _ = bench.answer(datagram, on: 1)
        #expect(bench.pass(.seconds(1)).unicasts.isEmpty)
    }

    @Test func aQuestionIsAnsweredAtOnce() throws {
        var bench = try Self.proven()
        var late = PathDatagram(number: 3)
        late.patience = 1_000
        _ = bench.take(.unicast(bench.link(1), PathDatagram(number: 1)))
        _ = bench.pass(.milliseconds(10))
        #expect(bench.take(.unicast(bench.link(1), late)).unicasts.map(\.datagram.missing) == [1])
        var question = PathDatagram(number: 0)
        question.asks = true
        let answers = bench.take(.unicast(bench.link(1), question)).unicasts.map(\.datagram)
        #expect(answers.map(\.acknowledged) == [3] && answers.map(\.missing) == [1])
        #expect(answers.allSatisfy { $0.answered == 0 && !$0.asks && $0.number == 0 })
    }

    @Test func anAcknowledgementRidesOnWhatGoesTheOtherWay() throws {
        var bench = try Self.proven()
        var datagram = PathDatagram(number: 7)
        datagram.patience = 100
        _ = bench.take(.unicast(bench.link(1), datagram))
        #expect(try bench.sendEvent().acknowledged == 7)
        // Neither is it said again for itself.
        #expect(bench.pass(.milliseconds(100)).unicasts.isEmpty)
    }

    /// Whoever says again and again that it lacks something gets it a bounded number of times, taking all else or not.
    @Test func denialsBringFewCopies() throws {
        var bench = try Self.proven()
        let log = bench.writers[0].log(60)
        let denied = try bench.sendEvent().number
        var denial = PathDatagram(number: 0)
        denial.acknowledged = denied - 1
        let atOnce = (0..<100).flatMap { _ in bench.take(.unicast(bench.link(1), denial)).unicasts }
        #expect(atOnce.isEmpty)
        var copies = 0
        for event in log[2...] {
            let sent = bench.verify(bench.push([event], on: 0)).unicasts.map(\.datagram)
            guard let newest = sent.map(\.number).max(), newest > denied else { break }
            denial.acknowledged = newest
            denial.missing = 1 << (newest - denied - 1)
            for _ in 0..<200 {
                let again = bench.take(.unicast(bench.link(1), denial), after: .milliseconds(2)).unicasts
                copies += again.count { $0.datagram.number == denied }
            }
        }
        #expect((2...40).contains(copies))
        #expect(bench.quality(of: 1)?.state == .blocked && bench.machine.size.parcels <= 1)
    }

    /// Found by reading: the number after the last one there is was asked for.
    @Test func theLastNumbersThereAreAreNumbers() throws {
        var bench = try Self.proven()
        for number in [UInt64.max, 1, .max - 1, .max] {
            _ = bench.take(.unicast(bench.link(1), PathDatagram(number: number)))
        }
        var question = PathDatagram(number: 0)
        question.asks = true
        let answers = bench.take(.unicast(bench.link(1), question)).unicasts.map(\.datagram)
        #expect(answers.map(\.acknowledged) == [.max] && answers.map(\.missing) == [~1])
        for (acknowledged, missing) in [(UInt64.max, UInt64.max), (.max, 0), (1 << 63, .max)] {
            var lie = PathDatagram(number: 0)
            (lie.acknowledged, lie.missing, lie.answered) = (acknowledged, missing, .max)
            _ = bench.take(.unicast(bench.link(1), lie))
        }
    }

    @Test func whatWasNotSentIsNotAcknowledged() throws {
        var bench = try Self.proven()
        let datagram = try bench.sendEvent()
        var lie = PathDatagram(number: 0)
        lie.acknowledged = datagram.number + 1
        _ = bench.take(.unicast(bench.link(1), lie))
        #expect(bench.pass(.milliseconds(200)).unicasts.contains { $0.datagram.number == datagram.number })
    }

    @Test func theShellIsToldHowWellDatagramsGo() throws {
        var bench = Self.bench()
        #expect(bench.quality(of: 1)?.state == .untested)
        bench = try Self.proven()
        #expect(bench.quality(of: 1)?.state == .working && bench.quality(of: 1)?.lossPerMille == 0)
        #expect(bench.quality(of: 1)?.roundTrip == .zero)
        let datagram = try bench.sendEvent()
        _ = bench.pass(.milliseconds(200))
        _ = bench.answer(datagram, on: 1)
        #expect((1...1_000).contains(bench.quality(of: 1)?.lossPerMille ?? 0))
        _ = bench.verify(bench.push(bench.writers[2].log(1), on: 0))
        _ = bench.pass(.seconds(20))
        #expect(bench.quality(of: 1)?.state == .blocked)
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
        #expect(said.map(\.missing) == [0, 0, 0b1, four - 1, five - 1, five - 1])
    }

    @Test func whatOvertookAnotherWaitsForIt() throws {
        var bench = try Self.proven()
        let log = bench.writers[2].log(2)
        let early = bench.take(.unicast(bench.link(1), Self.datagram(1, [log[1]])))
        #expect(early.wants.isEmpty && early.verifications == 0)
        let both = bench.verify(bench.take(.unicast(bench.link(1), Self.datagram(2, [log[0]]))))
        #expect(both.stored.map(\.last) == [1] && both.verifications == 1)
    }

    /// A `Prune` that was lost and comes behind a later graft would leave the two ends of different minds.
    @Test func theTreeChangesInTheOrderInWhichItWasSaid() throws {
        var bench = try Self.proven()
        var prune = PathDatagram(number: 1)
        prune.messages = [.prune]
        var graft = PathDatagram(number: 2)
        graft.messages = [.want(Want(id: 1, ranges: [], graft: true))]
        _ = bench.take(.unicast(bench.link(1), graft))
        _ = bench.take(.unicast(bench.link(1), prune))
        #expect(bench.machine.eagerLinks == [bench.link(0), bench.link(1)])
        prune.number = 4
        graft.number = 3
        _ = bench.take(.unicast(bench.link(1), prune))
        _ = bench.take(.unicast(bench.link(1), graft))
        #expect(bench.machine.eagerLinks == [bench.link(0)])
    }

    /// The connection would take too long to find out where much is lost.
    @Test func aSilentPeerIsAskedForASignOfLife() throws {
        var bench = try Self.proven()
        #expect(bench.pass(.milliseconds(8_999)).questions(on: bench.link(1)) == 0)
        #expect(bench.pass(.milliseconds(1)).questions(on: bench.link(1)) == 1)
        #expect(bench.pass(.milliseconds(50)).questions(on: bench.link(1)) == 1)
        _ = bench.take(.unicast(bench.link(1), PathDatagram(number: 0)))
        #expect(bench.pass(.milliseconds(8_999)).questions(on: bench.link(1)) == 0)
        // Nothing comes any more: datagrams do not, for all that is known.
        let asked = bench.pass(.seconds(10)).questions(on: bench.link(1))
        #expect(asked == 14 && bench.quality(of: 1)?.state == .blocked)
        #expect(bench.pass(.seconds(60)).questions(on: bench.link(1)) == 0)
    }

    @Test func whoIsHeardOnASegmentIsAskedNothing() throws {
        var bench = try Self.proven()
        _ = bench.take(.segments([SegmentID(value: 1)]))
        for _ in 0..<3 {
            _ = bench.hear(1)
            #expect(bench.pass(.seconds(10)).questions(on: bench.link(1)) == 0)
        }
    }

    /// A question and its answer are lost as often as not, and a copy costs little more.
    @Test func whereVeryMuchIsLostACopyGoesWithoutAQuestion() throws {
        var bench = try Self.proven()
        let log = bench.writers[0].log(20)
        for event in log[1..<19] {
            let sent = bench.verify(bench.push([event], on: 0)).unicasts.last { $0.link == bench.link(1) }
            _ = bench.pass(.milliseconds(200))
            _ = bench.answer(try #require(sent?.datagram), on: 1)
        }
        #expect(bench.quality(of: 1)?.lossPerMille ?? 0 >= 300)
        let sent = bench.verify(bench.push([log[19]], on: 0)).unicasts.last { $0.link == bench.link(1) }?.datagram
        let next = try #require(bench.nextUnicast()?.datagram)
        #expect(next.number == sent?.number && next.runs == [20] && !next.asks)
    }

    @Test func whereAcknowledgementsAreLostTheyAreSaidTwice() throws {
        var bench = try Self.proven()
        let first = PathDatagram(number: 1)
        for _ in 0..<12 { _ = bench.take(.unicast(bench.link(1), first)) }
        _ = bench.pass(.milliseconds(10))
        #expect(bench.take(.unicast(bench.link(1), PathDatagram(number: 2))).unicasts.count == 1)
        let again = bench.pass(.milliseconds(100)).unicasts.map(\.datagram)
        #expect(again.map(\.acknowledged) == [2] && again.allSatisfy { $0.answered == 0 })
        // What waited for others is said once.
        var patient = PathDatagram(number: 3)
        patient.patience = 100
        _ = bench.take(.unicast(bench.link(1), patient))
        #expect(bench.pass(.milliseconds(200)).unicasts.count == 1)
        // When the copies are over so are these.
        for number in 4..<200 { _ = bench.take(.unicast(bench.link(1), PathDatagram(number: UInt64(number)))) }
        _ = bench.pass(.milliseconds(10))
        _ = bench.take(.unicast(bench.link(1), PathDatagram(number: 200)))
        #expect(bench.pass(.milliseconds(100)).unicasts.isEmpty)
    }

    @Test func whatALostHaveSaidGoesWithTheNext() throws {
        var bench = try Self.proven()
        _ = bench.take(.message(bench.link(1), .prune))
        _ = bench.verify(bench.push(bench.writers[0].log(2).suffix(1), on: 0))
        _ = bench.take(.stored([bench.writers[0].id: 2]))
        let have = try #require(bench.nextUnicast()?.datagram)
        let heads = [PrefixedHead(prefix: bench.writers[0].id.prefix, sequence: 2)]
        #expect(have.messages.map(Self.numbers) == [heads])
        var denial = PathDatagram(number: 0)
        denial.acknowledged = have.number - 1
        #expect(bench.take(.unicast(bench.link(1), denial), after: .milliseconds(100)).unicasts.isEmpty)
        let next = try #require(bench.nextUnicast()?.datagram)
        #expect(next.number == have.number + 1 && next.messages.map(Self.numbers) == [heads])
    }

    private static func numbers(_ message: LinkMessage) -> [PrefixedHead] {
        if case .have(let have) = message { have.numbers } else { [] }
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
    /// The second event of writer 0 goes to link 1.
    fileprivate mutating func sendEvent() throws -> PathDatagram {
        let sent = verify(push(writers[0].log(2).suffix(1), on: 0)).unicasts.filter { $0.link == link(1) }
        return try #require(sent.last?.datagram)
    }

    /// The first that goes to link 1 while time passes.
    fileprivate mutating func nextUnicast() -> (link: LinkID, datagram: PathDatagram)? {
        for _ in 0..<1_000 {
            let sent = pass(.milliseconds(1)).unicasts.filter { $0.link == link(1) }
            if let first = sent.first { return first }
        }
        return nil
    }

    fileprivate func quality(of number: Int) -> PathQuality? { machine.pathQuality(of: link(number)) }

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
    fileprivate func questions(on link: LinkID) -> Int { unicasts.count { $0.link == link && $0.datagram.asks } }

    fileprivate var unicasts: [(link: LinkID, datagram: PathDatagram)] {
        compactMap { output in
            guard case .unicast(let link, let datagram) = output else { return nil }
            return (link, datagram)
        }
    }
}
