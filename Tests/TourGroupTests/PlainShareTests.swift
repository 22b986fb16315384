import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: many members who write what nobody needs make everybody hold a bounded part of it, and take nothing from those
/// who write little.
/// Method: ten members who prove the same fork again and again, and one whose admissions do not count yet.
struct PlainShareTests {
    private static let invite = Party.invite(1)
    private static let later = Party.invite(2)
    private static let gluttons = 10..<20

    private struct Tour {
        var party = Party()
        var events = [Event]()
        var early = [Event]()

        init() {
            events =
                [party.open(invite), party.admit(2, invite), party.admit(3, invite)]
                + gluttons.map { party.admit($0, invite) }
            // Proofs of one fork, the same again and again: one of them is enough.
            var copy = party
            let branches = [copy.admit(4, invite, by: 2), party.admit(5, invite, by: 2)]
            events += branches
            guard let proof = ForkProof(identity: Party.keys(2).identity.publicKey, branches[0], branches[1]) else {
                preconditionFailure("these two are a fork")
            }
            for glutton in gluttons {
                var size = 0
                while size < Limits.plainControlBytesMax * 15 / 16 {
                    events.append(party.write(.fork(proof), by: glutton))
                    size += events[events.count - 1].bytes.count
                }
            }
            early = (30..<40).map { party.admit($0, later, by: 3) }
        }
    }

    @Test func anyOrderLeavesTheSameAndTheFrugalKeepTheirs() {
        let tour = Tour()
        var generator = SeededGenerator(seed: 2)
        var held = Set<Set<[UInt8]>>()
        for round in 0..<3 {
            var events = tour.events + tour.early
            if round == 1 { events.reverse() }
            if round == 2 { events.shuffle(using: &generator) }
            var group = tour.party.fresh
            for _ in 0..<2 {
                for start in stride(from: 0, to: events.count, by: 1_500) {
                    _ = group.add(controls: events[start..<min(start + 1_500, events.count)].map(\.bytes))
                }
            }
            held.insert(Set(group.controls(missingFrom: [])))
            #expect(tour.early.allSatisfy { group.control($0.id) != nil })
        }
        #expect(held.count == 1)
        let bytes = held.first?.reduce(0) { $0 + $1.count } ?? 0
        let needed = 30 * 1_024
        #expect(bytes >= Limits.plainControlBytesOfTourMax && bytes < Limits.plainControlBytesOfTourMax + needed)
    }

    /// What did not count and now does is here.
    @Test func whatCountsLaterIsHere() {
        var tour = Tour()
        var group = tour.party.group(of: tour.events + tour.early)
        #expect(group.roster.members[Party.id(30)] == nil)
        _ = group.add(controls: [tour.party.open(Self.later).bytes])
        #expect((30..<40).allSatisfy { group.roster.members[Party.id($0)]?.isActive == true })
    }

    @Test func whoHasGoneTakesNoPlace() {
        var party = Party()
        var events = [party.open(Self.invite), party.open(Self.later)]
        let last = Limits.membersMax + 20
        for newcomer in 2...last { events.append(party.admit(newcomer, Self.invite)) }
        let full = party.group(of: events)
        #expect(full.roster.members.count == Limits.membersMax && !full.roster.hasPlace)
        let leavers = (2..<12).map { party.write(.leave, by: $0) }
        let freed = party.group(of: events + leavers)
        #expect(freed.roster.active.count { _ in true } == Limits.membersMax)
        #expect(freed.roster.members.count == Limits.membersMax + 10 && !freed.roster.hasPlace)
        #expect(freed.roster.members[Party.id(Limits.membersMax + 10)] != nil)
        #expect(freed.roster.members[Party.id(Limits.membersMax + 11)] == nil)
    }

    /// Whoever came by a code since a moment is out with it, and frees its place.
    @Test func aCodeIsEndedWithThoseWhoCameByItLately() {
        var party = Party()
        var events = [party.open(Self.invite), party.admit(2, Self.invite)]
        events += (10..<20).map { party.admit($0, Self.invite, at: 60_000) }
        events.append(party.admit(3, Self.invite, by: 10, at: 90_000))
        let group = party.group(of: events)
        let key = Self.invite.invitePair.publicKey
        #expect(group.admitted(under: key, since: Party.wall + 30_000).count == 11)
        let revocation = party.write(group.revokeBody(key, since: Party.wall + 30_000), at: 100_000)
        let after = party.group(of: events + [revocation])
        #expect(Set(after.roster.members.keys) == [Party.id(1), Party.id(2)])
        #expect(after.admitted(under: key, since: 0) == [Party.id(2)])
        // They hold keys: a new epoch is due, and at once for who ended the code.
        let wall = Party.wall + 100_000
        #expect(after.rekeyReason(for: Party.id(1), wallMilliseconds: wall, usedAt: wall) == nil)
        #expect(
            after.rekeyReason(for: Party.id(1), wallMilliseconds: wall, usedAt: wall, isPrompt: true) == .leaving)
    }

    /// Whose log forks keeps nobody from sealing, and costs an epoch now and then.
    @Test func aForkStopsNobody() throws {
        var party = Party()
        var copy = party
        var events = [party.open(Self.invite), party.admit(2, Self.invite)]
        copy = party
        events += [party.admit(3, Self.invite, by: 2), copy.admit(4, Self.invite, by: 2)]
        var group = party.group(of: events)
        _ = group.learn(epoch: party.epoch.id, key: party.epochKey)
        #expect(group.roster.members[Party.id(2)]?.isForked == true)
        #expect(group.currentEpoch != nil)
        let wall = Party.wall
        #expect(group.rekeyReason(for: Party.id(1), wallMilliseconds: wall + 1_000, usedAt: wall) == nil)
        #expect(group.rekeyReason(for: Party.id(1), wallMilliseconds: wall + 700_000, usedAt: wall) == .leaving)
    }

    /// Devices that nobody heard of say nothing: no part of an epoch is for them.
    @Test func nothingIsWrappedForThoseWhoNeverSpoke() throws {
        var party = Party()
        let events = [party.open(Self.invite)] + (2...9).map { party.admit($0, Self.invite) }
        let group = party.group(of: events)
        let body = try group.rekeyBody(key: EpochKey.randomKey(), by: Party.id(1)) { $0 == Party.id(5) }
        guard case .rekey(let rekey) = body else { return }
        #expect(Set(rekey.recipients.map(\.member)) == [Party.id(1).prefix, Party.id(5).prefix])
        // Whom an epoch named the next names as well: nobody is left out unsaid.
        let named = try group.rekeyBody(key: EpochKey.randomKey(), by: Party.id(1))
        let after = party.group(of: events + [party.write(named)])
        let again = try after.rekeyBody(key: EpochKey.randomKey(), by: Party.id(1)) { _ in false }
        guard case .rekey(let next) = again else { return }
        #expect(next.recipients.count == 9)
    }
}
