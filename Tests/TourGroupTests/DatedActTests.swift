import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: who was removed, or lost its rank, changes nothing by what it signs afterwards for places of before.
/// Method: a log in which something was said between the acts; an act of each kind, signed for a place where something
/// was said, told in every order and by way of parts.
struct DatedActTests {
    /// The creator 1, the successor 2, admin 3, members 4 and 5. In the log of 2: words, an invite, 6 by it, words.
    struct Scene {
        var party = Party()
        let invite = Party.invite(1)
        let own = Party.invite(2)
        private(set) var known = [Event]()
        /// Places in the log of 2 with no control event.
        static let wordPlaces: [UInt64] = [1, 4]

        init() {
            known = [party.open(invite)]
            for member in 2...5 { known.append(party.admit(member, invite)) }
            known.append(party.role(2, .creator, seeing: known))
            known.append(party.role(3, .admin, seeing: known))
            party.say(by: 2)
            known.append(party.write(inviteBody(own), by: 2))
            known.append(party.admit(6, own, by: 2))
            party.say(by: 2)
        }

        func inviteBody(_ secret: InviteSecret) -> ControlBody {
            party.founding.group.inviteBody(secret, uses: 0, expiresAt: nil, under: party.epoch)
        }

        /// Acts that somebody who ranks as creator can do, and what needs no rank.
        var acts: [ControlBody] {
            let first = invite.invitePair.publicKey
            return [
                inviteBody(Party.invite(3)), .admit(party.request(Party.keys(7), invite)), .leave, .close,
                .revoke(invite: first, accepted: []),
                .role(.init(member: Party.id(4), rank: .guide, sequence: 0, replaces: [])),
                .remove(.init(member: Party.id(3), sequence: 0, last: .none, revoked: [], accepted: [])),
                .remove(.init(member: Party.id(4), sequence: 0, last: .none, revoked: [first], accepted: [])),
            ]
        }

        /// What 2 signs for its words' places.
        var dated: [Event] {
            acts.enumerated().map { number, act in
                party.dateBack(act, by: 2, to: Self.wordPlaces[number % 2], at: -1_000)
            }
        }

        func roster(after more: [Event] = []) -> Roster { party.group(of: known + more).roster }
    }

    /// What takes away what 2 may do.
    enum Ending: CaseIterable { case removal, demotion, both }

    private static func end(_ ending: Ending, in scene: inout Scene) -> [Event] {
        switch ending {
        case .removal: return [scene.party.remove(2, seeing: scene.known)]
        case .demotion: return [scene.party.role(2, .member, seeing: scene.known)]
        case .both:
            let demotion = scene.party.role(2, .guide, seeing: scene.known)
            return [demotion, scene.party.remove(2, by: 3, seeing: scene.known + [demotion])]
        }
    }

    @Test(arguments: Ending.allCases) func anActDatedBackChangesNothing(ending: Ending) {
        var scene = Scene()
        let end = Self.end(ending, in: &scene)
        let expected = scene.roster(after: end)
        #expect(expected.members[Party.id(6)] != nil)
        for (number, event) in scene.dated.enumerated() {
            // With its rank it could do that.
            #expect(scene.roster(after: [event]) != scene.roster(), "act \(number)")
            #expect(scene.roster(after: end + [event]) == expected, "act \(number)")
            #expect(scene.roster(after: [event] + end) == expected, "act \(number)")
        }
    }

    @Test func anyOrderAndAnyPartsGiveTheSame() {
        var scene = Scene()
        let removal = scene.party.remove(2, seeing: scene.known)
        let before = scene.roster(after: [removal])
        let events = scene.known + [removal] + scene.dated
        let expected = scene.party.group(of: events).roster
        // That it signed several for one place shows; what it did stays all the same.
        #expect(expected.members[Party.id(2)]?.isForked == true)
        #expect(expected.members.keys == before.members.keys && expected.invites == before.invites)
        #expect(expected.members.values.filter(\.isRemoved).map(\.id) == [Party.id(2)] && !expected.isClosed)
        var generator = SeededGenerator(seed: 11)
        for round in 0..<60 {
            var parts = [scene.party.fresh, scene.party.fresh]
            for event in events.shuffled(using: &generator) {
                _ = parts[Int.random(in: 0..<2, using: &generator)].add(controls: [event.bytes])
            }
            // Twice: who explains whom may alternate.
            for (left, right) in [(0, 1), (1, 0), (0, 1), (1, 0)] {
                _ = parts[right].add(controls: parts[left].controls(missingFrom: parts[right].controlIndex))
            }
            #expect(parts.allSatisfy { $0.roster.canonicalBytes == expected.canonicalBytes }, "round \(round)")
        }
        // Who joins is told no more than counts, and comes to the same.
        var joiner = scene.party.fresh
        _ = joiner.add(controls: scene.party.group(of: events).welcome)
        #expect(joiner.roster == expected)
    }

    @Test func ofSeveralRemovalsAllMustNameIt() {
        var scene = Scene()
        let demotion = scene.party.role(2, .member, seeing: scene.known, after: 0)
        // As a member it let 7 in, and 8 at a place where it had said something.
        let honest = scene.party.admit(7, scene.invite, by: 2)
        let dated = scene.party.dateBack(.admit(scene.party.request(Party.keys(8), scene.invite)), by: 2, to: 4)
        let seen = scene.known + [demotion, honest]
        let removal = scene.party.remove(2, by: 3, seeing: seen)
        let log = scene.party.log(2, through: scene.party.tail(2))
        let body = scene.party.group(of: seen + [dated])
            .removeBody(Party.id(2), log: KnownLog(tail: log.tail, controls: log.controls.union([dated.id])))
        let accomplice = scene.party.write(body)
        func isIn(_ member: Int, _ more: [Event]) -> Bool {
            scene.party.group(of: seen + [dated] + more).roster.members[Party.id(member)] != nil
        }
        #expect(isIn(7, []) && isIn(8, []))
        #expect(isIn(7, [accomplice]) && isIn(8, [accomplice]))
        for removals in [[removal], [removal, accomplice], [accomplice, removal]] {
            #expect(isIn(7, removals) && !isIn(8, removals))
        }
    }

    @Test func aRankGivenAgainRestoresNoDatedAct() {
        var scene = Scene()
        let demotion = scene.party.role(2, .member, seeing: scene.known)
        let again = scene.party.role(2, .creator, seeing: scene.known + [demotion])
        let expected = scene.roster(after: [demotion, again])
        #expect(expected.members[Party.id(2)]?.rank == .creator && expected.members[Party.id(6)] != nil)
        for event in scene.dated { #expect(scene.roster(after: [demotion, again, event]) == expected) }
    }

    @Test func aForkUndoesNothingThatARemovalNames() {
        var scene = Scene()
        let removal = scene.party.remove(2, seeing: scene.known)
        let second = scene.party.dateBack(scene.inviteBody(Party.invite(3)), by: 2, to: 2)
        let before = scene.roster(after: [second])
        #expect(before.members[Party.id(2)]?.isForked == true && before.members[Party.id(6)] == nil)
        let roster = scene.roster(after: [removal, second])
        #expect(roster.members[Party.id(2)]?.isForked == true && roster.members[Party.id(6)] != nil)
        // What is said is no act: it ends before the fork.
        #expect(roster.members[Party.id(2)]?.end?.sequence == 1)
    }

    /// Who writes without end must not push what others rest on out of a list that has a bound.
    @Test func whatMostHangsOnIsNamedFirst() throws {
        var party = Party()
        let invite = Party.invite(1)
        var known = [party.open(invite), party.admit(2, invite), party.admit(3, invite)]
        known.append(party.role(2, .guide, seeing: known))
        known += (0..<Limits.controlsNamedMax).map { _ in party.admit(2, invite, by: 2) }
        known.append(party.admit(4, invite, by: 2))
        known.append(party.remove(3, by: 2, seeing: known))
        let acts = known.suffix(2)
        let removal = party.remove(2, seeing: known)
        guard case .remove(let body) = try ControlBody(decoding: removal.body) else {
            Issue.record("another body than a removal")
            return
        }
        #expect(body.controls.count == Limits.controlsNamedMax)
        #expect(body.controls.filter { name in acts.contains { EventName($0.id) == name } }.count == acts.count)
        let roster = party.group(of: known + [removal]).roster
        #expect(roster.members[Party.id(4)] != nil && roster.members[Party.id(3)]?.isRemoved == true)
    }

    @Test func noInviteStaysOpenHoweverManyThereAre() {
        var party = Party()
        let count = Limits.invitesRevokedMax + 44
        let invites = (0..<count).map { number in
            InviteSecret(seed: [UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](repeating: 7, count: 14))!
        }
        var known = invites.map { party.open($0) }
        known += [party.admit(2, invites[0]), party.admit(3, invites[count - 1])]
        let beyond = party.group(of: known).roster.invitesBeyondRemoval
        #expect(beyond.count == 44)
        known += beyond.map { party.write(party.group(of: known).revokeBody($0)) }
        known.append(party.remove(2, seeing: known))
        let roster = party.group(of: known).roster
        #expect(roster.invites.count == count && roster.invites.values.allSatisfy(\.isRevoked))
        #expect(roster.members[Party.id(3)]?.isActive == true && roster.members[Party.id(2)]?.isRemoved == true)
    }
}
