import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: whatever two admins do at one time apart, all nodes end with one roster, and it is the one that the rules
/// foretell. Method: every pair of acts by two admins on one target, told in both orders.
struct ConcurrentActTests {
    enum Act: CaseIterable { case roleUp, roleDown, remove, revoke, invite, admit }

    /// What the rules foretell of a pair of acts.
    private struct Outcome {
        var rank: Rank
        var isRemoved = false
        var isRevoked = false

        init(_ acts: [Act], base: Rank) {
            rank = base
            if acts.contains(.roleUp) { rank = .guide }
            // The lower of two ranks given apart.
            if acts.contains(.roleDown) { rank = .member }
            isRemoved = acts.contains(.remove)
            isRevoked = acts.contains(.remove) || acts.contains(.revoke)
        }
    }

    private static func event(
        _ act: Act, by admin: Int, on target: Int, _ tour: inout AuthorityTests.Ranked, _ known: [Event]
    ) -> Event {
        switch act {
        case .roleUp: return tour.party.role(target, .guide, by: admin, seeing: known)
        case .roleDown: return tour.party.role(target, .member, by: admin, seeing: known)
        case .remove: return tour.party.remove(target, by: admin, seeing: known)
        case .revoke:
            return tour.party.write(
                tour.party.group(of: known).revokeBody(tour.invite.invitePair.publicKey), by: admin)
        case .invite:
            let body = tour.party.founding.group.inviteBody(
                Party.invite(UInt8(20 + admin)), uses: 0, expiresAt: nil, under: tour.party.epoch)
            return tour.party.write(body, by: admin)
        case .admit: return tour.party.admit(30 + admin, tour.invite, by: admin)
        }
    }

    @Test(arguments: Act.allCases, Act.allCases) func everyPairHasOneOutcome(first: Act, second: Act) {
        for (target, base) in [(4, Rank.guide), (5, .member)] {
            var tour = AuthorityTests.Ranked()
            let known = tour.events
            let left = Self.event(first, by: 2, on: target, &tour, known)
            let right = Self.event(second, by: 3, on: target, &tour, known)
            let roster = tour.party.group(of: known + [left, right]).roster
            var other = tour.party.group(of: known + [right])
            _ = other.add(controls: [left.bytes])
            #expect(other.roster.canonicalBytes == roster.canonicalBytes)

            let expected = Outcome([first, second], base: base)
            let member = roster.members[Party.id(target)]
            #expect(member?.rank == expected.rank)
            #expect(member?.isRemoved == expected.isRemoved)
            #expect(roster.invites[tour.invite.invitePair.publicKey]?.isRevoked == expected.isRevoked)
            for (act, admin) in [(first, 2), (second, 3)] {
                // A revocation beats an admission that it had not seen; an invite made apart stays open.
                let isIn = roster.members[Party.id(30 + admin)] != nil
                #expect(isIn == (act == .admit && !expected.isRevoked))
                let made = roster.invites[Party.invite(UInt8(20 + admin)).invitePair.publicKey]
                #expect((made?.isRevoked == false) == (act == .invite))
            }
            #expect([2, 3].allSatisfy { roster.members[Party.id($0)]?.rank == .admin })
        }
    }
}
