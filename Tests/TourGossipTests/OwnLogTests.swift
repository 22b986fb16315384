import Testing
import TourCrypto
import TourGossip
import TourModel
import TourWire

/// Goal: a node whose store may be old writes nothing before two others, and all who are there, have said what they
/// hold of its log, and nothing ever with a key that wrote two. Method: one machine on a bench, its own log given back
/// by a neighbour.
struct OwnLogTests {
    private static let me = Writer(1)
    /// Long enough for whatever waits.
    private static let long: Duration = .seconds(20)

    private static func bench(_ state: OwnLogState, holding count: Int = 0, others: Int = 3) -> Bench {
        var bench = Bench(writers: others)
        let last = me.log(max(count, 1))[max(count, 1) - 1]
        bench.machine = GossipMachine(
            own: me.id, members: [me.id] + bench.writers.map(\.id), leaders: [],
            heads: count == 0 ? [:] : [me.id: (sequence: UInt64(count), id: last.id)], ownLog: state)
        return bench
    }

    private static func verified(_ events: [Event]) throws -> VerifiedRun {
        try VerifiedRun(Run(events, hops: 0, pushed: false), tour: Writer.tour, identity: me.keys.publicKey)
    }

    @Test func aSoundStoreIsReadyAtOnce() {
        var bench = Self.bench(.ready)
        bench.open(0)
        #expect(bench.machine.ownLogState == .ready)
        #expect(bench.pass(Self.long).ownLogStates.isEmpty)
    }

    @Test(arguments: [OwnLogState.restored, .copied])
    func aloneItWaits(state: OwnLogState) {
        var bench = Self.bench(state, holding: 3)
        #expect(bench.pass(.seconds(3_600)).ownLogStates.isEmpty)
        #expect(bench.machine.ownLogState == state)
    }

    @Test func oneNeighbourAloneIsNotBelieved() {
        var bench = Self.bench(.restored, holding: 3)
        bench.open(0)
        // Its owner wrote 4 and 5 since; this neighbour says nothing of them.
        _ = bench.have(Self.me, 3, on: 0)
        #expect(bench.pass(.seconds(3_600)).ownLogStates.isEmpty)
        #expect(bench.machine.ownLogWitnesses.heard == 1 && bench.machine.ownLogWitnesses.needed == 2)
        bench.open(1)
        _ = bench.have(Self.me, 5, on: 1)
        #expect(bench.pass(Self.long).ownLogStates.isEmpty, "the other one knows of more")
        _ = bench.take(.stored([Self.me.id: 5]))
        #expect(bench.pass(Self.long).ownLogStates == [.ready])
    }

    @Test func twoLinksOfOneMemberAreOneWitness() {
        var bench = Self.bench(.restored, holding: 3)
        bench.open(0)
        _ = bench.take(.linkUp(bench.link(1), bench.writers[0].id))
        _ = bench.have(Self.me, 3, on: 1)
        #expect(bench.pass(Self.long).ownLogStates.isEmpty)
        #expect(bench.machine.ownLogWitnesses.heard == 1)
    }

    @Test func aWitnessWhoGoesTooSoonIsNone() {
        var bench = Self.bench(.restored, holding: 3)
        bench.open(0)
        bench.open(1)
        #expect(bench.pass(OwnLog.recoveryQuiet - .milliseconds(1)).ownLogStates.isEmpty)
        _ = bench.take(.linkDown(bench.link(1)))
        #expect(bench.pass(Self.long).ownLogStates.isEmpty)
    }

    @Test func whoIsOutAndArchivesAreNoWitnesses() {
        var bench = Self.bench(.restored, holding: 3)
        let all = [Self.me.id] + bench.writers.map(\.id)
        bench.open(0)
        bench.open(1)
        // The second is removed while it is linked still.
        _ = bench.take(.authors(all, leaders: [], ends: [bench.writers[1].id: 0]))
        #expect(bench.pass(Self.long).ownLogStates.isEmpty)
        #expect(bench.machine.ownLogWitnesses.heard == 1 && bench.machine.ownLogWitnesses.needed == 2)
        // Of those who are left one turns out to be a server's archive: the other is the only one who can answer.
        _ = bench.take(.authors(all, leaders: [], people: [Self.me.id, bench.writers[0].id]))
        #expect(bench.machine.ownLogWitnesses.needed == 1)
        #expect(bench.pass(Self.long).ownLogStates == [.ready])
    }

    @Test func theOnlyOtherMemberIsEnough() {
        var bench = Self.bench(.restored, holding: 3, others: 1)
        _ = bench.take(.linkUp(bench.link(0), bench.writers[0].id))
        #expect(bench.pass(Self.long).ownLogStates.isEmpty, "the peer has not said what it has")
        _ = bench.have(Self.me, 3, on: 0)
        #expect(bench.pass(OwnLog.recoveryQuiet - .milliseconds(1)).ownLogStates.isEmpty, "others may come yet")
        #expect(bench.pass(Self.long).ownLogStates == [.ready])
        #expect(bench.machine.ownLogState == .ready)
    }

    @Test func everyoneWhoIsLinkedIsHeard() {
        var bench = Self.bench(.restored, holding: 3)
        bench.open(0)
        _ = bench.take(.linkUp(bench.link(1), bench.writers[1].id))
        #expect(bench.pass(Self.long).ownLogStates.isEmpty)
        _ = bench.have(Self.me, 5, on: 1)
        #expect(bench.pass(Self.long).ownLogStates.isEmpty, "two events of ours are there that we do not have")
    }

    @Test func whatOthersHoldIsTakenFirst() throws {
        var bench = Self.bench(.copied, holding: 3)
        let log = Self.me.log(5)
        bench.open(0)
        bench.open(1)
        let asked = bench.have(Self.me, 5, on: 0) + bench.pass(.seconds(1))
        let ranges = asked.wants.flatMap(\.want.ranges)
        #expect(ranges.first == Want.Range(author: Self.me.id, first: 4, last: 5))
        let run = try Self.verified(Array(log[3...]))
        #expect(bench.take(.verified(.link(bench.link(0)), run)).stored.map(\.last) == [5])
        #expect(bench.pass(OwnLog.recoveryQuiet * 2).ownLogStates.isEmpty, "it is not on the disk yet")
        _ = bench.take(.stored([Self.me.id: 5]))
        #expect(bench.pass(Self.long).ownLogStates == [.ready])
    }

    @Test func rowsOfAbsentMembersCount() {
        var bench = Self.bench(.restored, holding: 3)
        bench.open(0)
        bench.open(1)
        let row = bench.claim(bench.writers[2], counter: 9, has: [(Self.me.id, 7)])
        _ = bench.take(.claims(.link(bench.link(0)), [row]))
        #expect(bench.pass(Self.long).ownLogStates.isEmpty)
        #expect(bench.machine.ownLogState == .restored)
    }

    @Test func rowsOfOurEarlierLifeCount() {
        var bench = Self.bench(.restored, holding: 3)
        bench.open(0)
        bench.open(1)
        let row = bench.claim(Self.me, counter: 9, has: [(Self.me.id, 4)])
        _ = bench.take(.claims(.link(bench.link(0)), [row]))
        #expect(bench.pass(Self.long).ownLogStates.isEmpty)
        // The event that the row speaks of comes back.
        _ = bench.take(.stored([Self.me.id: 4]))
        #expect(bench.pass(Self.long).ownLogStates == [.ready])
    }

    @Test func controlEventsOfOursCount() {
        var bench = Self.bench(.restored, holding: 3)
        bench.open(0)
        bench.open(1)
        let members = [Self.me.id] + bench.writers.map(\.id)
        _ = bench.take(.authors(members, leaders: [], ownThrough: 6))
        #expect(bench.pass(Self.long).ownLogStates.isEmpty, "a control event of ours stands at 6")
        _ = bench.take(.stored([Self.me.id: 6]))
        #expect(bench.pass(Self.long).ownLogStates == [.ready])
    }

    @Test func announcementsOfOursAheadOfTheLogCount() throws {
        var bench = Self.bench(.restored, holding: 3)
        bench.open(0)
        bench.open(1)
        _ = bench.take(.authors([Self.me.id] + bench.writers.map(\.id), leaders: [Self.me.id]))
        let event = Self.me.log(6, classes: [6: .announcement])[5]
        let asked = bench.push([event], on: 0)
        #expect(asked.contains { if case .verify = $0 { true } else { false } })
        let run = try VerifiedRun(
            Run([event], hops: 0, pushed: true), tour: Writer.tour, identity: Self.me.keys.publicKey)
        let taken = bench.take(.verified(.link(bench.link(0)), run))
        #expect(taken.ahead.isEmpty, "our own log is given back in order")
        #expect(bench.pass(Self.long).ownLogStates.isEmpty)
        #expect(bench.machine.ownLogState == .restored)
    }

    @Test(arguments: [OwnLogState.ready, .restored])
    func aForkEndsTheLog(state: OwnLogState) throws {
        var bench = Self.bench(state, holding: 3)
        bench.open(0)
        // Somebody wrote 3, 4 and 5 with our key, another 3 than ours.
        let run = try Self.verified(Array(Self.me.log(5, branch: 1)[3...]))
        let outputs = bench.take(.verified(.link(bench.link(0)), run))
        #expect(outputs.faults == [.forkedLog] && outputs.stored.isEmpty)
        #expect(outputs.ownLogStates == [.forked])
        #expect(bench.take(.settleOwnLog(.ready)).ownLogStates.isEmpty, "a fork is not talked away")
        #expect(bench.pass(Self.long).ownLogStates.isEmpty)
        #expect(bench.machine.ownLogState == .forked)
    }

    @Test func theUserMayVouchForTheCopyOrGiveTheKeyUp() {
        var vouched = Self.bench(.restored)
        #expect(vouched.take(.settleOwnLog(.ready)).ownLogStates == [.ready])
        #expect(vouched.take(.settleOwnLog(.ready)).ownLogStates.isEmpty)
        var retired = Self.bench(.restored)
        #expect(retired.take(.settleOwnLog(.retired)).ownLogStates == [.retired])
        retired.open(0)
        #expect(retired.take(.settleOwnLog(.ready)).ownLogStates.isEmpty)
        #expect(retired.pass(Self.long).ownLogStates.isEmpty)
    }

    @Test func aRestartOfTheReplicationForgetsNothing() {
        var bench = Self.bench(.restored, holding: 3)
        bench.machine.restart(heads: [:])
        #expect(bench.machine.ownLogState == .restored)
    }
}

extension [GossipMachine.Output] {
    var ownLogStates: [OwnLogState] {
        compactMap { output in
            guard case .ownLog(let state) = output else { return nil }
            return state
        }
    }
}
