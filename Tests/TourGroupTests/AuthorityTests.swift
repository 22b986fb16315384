import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: who may do what follows from the set of control events, and nobody reaches those of its own rank or above.
/// Method: one rule at a time, with acts that overstep it, are dated back, or were written apart.
struct AuthorityTests {
    /// The one who is removed must not choose where its log is cut, nor one whose rank changes from where.
    @Test func theTailFollowsTheChainAlone() {
        var party = Party()
        let invite = Party.invite(1)
        let known = [party.open(invite), party.admit(2, invite)]
        let chained = [party.admit(3, invite, by: 2), party.admit(4, invite, by: 2)]
        var far = Author(
            identity: Party.keys(2).identity, tour: party.tour, tail: .init(sequence: 1 << 40, id: chained[1].id),
            clock: .zero)
        let behindAGap = far.write(.admit(party.request(Party.keys(5), invite)), wallMilliseconds: Party.wall)
        let group = party.group(of: known + [behindAGap] + chained)
        let nothing = Author.Tail(sequence: 0, id: .none)
        let all = group.knownLog(of: Party.id(2), stored: nothing) { _ in nil }
        #expect(all.tail == party.tail(2) && all.controls == Set(chained.map(\.id)))
        let first = Author.Tail(sequence: 1, id: chained[0].id)
        let behind = group.knownLog(of: Party.id(2), stored: first) { _ in chained[0].id }
        #expect(behind.tail == party.tail(2) && behind.controls == Set(chained.map(\.id)))
        // Something else is stored where the first claims to be.
        let other = group.knownLog(of: Party.id(2), stored: first) { _ in known[0].id }
        #expect(other.controls == [chained[1].id])
        // Without the first nothing joins the second to what is stored.
        let gap = party.group(of: known + [behindAGap, chained[1]])
        let short = gap.knownLog(of: Party.id(2), stored: nothing) { _ in nil }
        #expect(short.tail == nothing && short.controls.isEmpty)
    }

    /// The creator 1, admins 2 and 3, guide 4, members 5 and 6.
    struct Ranked {
        var party = Party()
        let invite = Party.invite(1)
        var events = [Event]()

        init() {
            events = [party.open(invite)]
            for member in 2...6 { events.append(party.admit(member, invite)) }
            for (member, rank) in [(2, Rank.admin), (3, .admin), (4, .guide)] {
                events.append(party.role(member, rank, seeing: events))
            }
        }

        func member(_ number: Int, after more: [Event] = []) -> Member? {
            party.group(of: events + more).roster.members[Party.id(number)]
        }
    }

    @Test func ranksComeFromRoleEvents() {
        let tour = Ranked()
        let ranks = (1...6).map { tour.member($0)?.rank }
        #expect(ranks == [.creator, .admin, .admin, .guide, .member, .member])
        #expect(tour.member(2)?.rank(at: 1) == .admin)
    }

    @Test func oneGivesOnlyBelowOnesOwnRankAndOnlyToThoseBelow() {
        // Who gives which rank to whom, and what that one ranks then.
        let cases: [(by: Int?, Rank, to: Int, Rank)] = [
            (2, .guide, 5, .guide), (2, .member, 4, .member), (2, .admin, 5, .member), (2, .creator, 5, .member),
            (2, .guide, 3, .admin), (2, .member, 2, .admin), (4, .guide, 5, .member), (5, .guide, 6, .member),
            (5, .admin, 5, .member), (nil, .admin, 5, .admin), (nil, .member, 2, .member), (nil, .creator, 5, .creator),
            (2, .member, 1, .creator), (99, .guide, 5, .member),
        ]
        for (giver, rank, target, expected) in cases {
            var tour = Ranked()
            let event = tour.party.role(target, rank, by: giver, seeing: tour.events)
            let roster = tour.party.group(of: tour.events).roster
            #expect(tour.member(target, after: [event])?.rank == expected, "\(giver ?? 1) gives \(target) \(rank)")
            let present = roster.members[Party.id(target)]?.rank
            let isAllowed = roster.lets(Party.id(giver ?? 1), give: rank, to: Party.id(target))
            #expect(isAllowed == (expected == rank && present != rank), "\(giver ?? 1) gives \(target) \(rank)")
        }
    }

    @Test func oneRemovesOnlyThoseBelow() {
        let cases: [(by: Int?, target: Int, goes: Bool)] = [
            (nil, 2, true), (nil, 5, true), (2, 3, false), (2, 4, true), (2, 5, true), (4, 5, true), (4, 2, false),
            (4, 4, false), (5, 6, false), (5, 4, false), (2, 1, false), (99, 5, false),
        ]
        for (remover, target, goes) in cases {
            var tour = Ranked()
            let roster = tour.party.group(of: tour.events).roster
            let event = tour.party.remove(target, by: remover, seeing: tour.events)
            #expect(tour.member(target, after: [event])?.isRemoved == goes, "\(remover ?? 1) removes \(target)")
            #expect(roster.lets(Party.id(remover ?? 1), remove: Party.id(target)) == goes)
        }
    }

    @Test func aGuideInvitesAndIsHeard() throws {
        var tour = Ranked()
        let second = Party.invite(2)
        let body = tour.party.founding.group.inviteBody(second, uses: 0, expiresAt: nil, under: tour.party.epoch)
        let opening = tour.party.write(body, by: 4)
        let admission = tour.party.admit(7, second, by: 5)
        #expect(tour.member(7, after: [opening, admission]) != nil)
        let demotion = tour.party.role(4, .member, by: 2, seeing: tour.events, after: 0)
        #expect(tour.member(7, after: [opening, admission, demotion]) == nil)
        // The same by one who has seen the invite: what was done with the rank stays.
        let later = tour.party.role(4, .member, by: 3, seeing: tour.events)
        #expect(tour.member(7, after: [opening, admission, later]) != nil)
    }

    @Test func announcementsAreJudgedByTheRankOfTheirPlace() throws {
        var tour = Ranked()
        var guide = tour.party.author(4)
        let text = Content.announcement(.init(text: "Bus", urgent: true, expiresAt: nil, replyTo: nil))
        let epoch = tour.party.epoch
        let events = (0..<Int64(3)).map { guide.write(text, under: epoch, wallMilliseconds: Party.wall + $0) }
        let demotion = tour.party.role(4, .member, by: 2, seeing: tour.events, after: 2)
        let group = tour.party.group(of: tour.events + [demotion])
        #expect(try group.open(events[0]) == text)
        #expect(try group.open(events[1]) == text)
        #expect(throws: GroupFault.notAllowed) { try group.open(events[2]) }
        // Named a guide after the first: what was said before was said by a member.
        var member = tour.party.author(5)
        let said = (0..<Int64(2)).map { member.write(text, under: epoch, wallMilliseconds: Party.wall + $0) }
        let promotion = tour.party.role(5, .guide, by: 2, seeing: tour.events, after: 1)
        let promoted = tour.party.group(of: tour.events + [promotion])
        #expect(throws: GroupFault.notAllowed) { try promoted.open(said[0]) }
        #expect(try promoted.open(said[1]) == text)
    }

    @Test func whatIsBehindTheEndOfALogIsNotOpened() throws {
        var tour = Ranked()
        let epoch = tour.party.epoch
        let text = Content.text("Here", replyTo: nil)
        func log() -> [Event] {
            var member = tour.party.author(5)
            return (0..<Int64(3)).map { member.write(text, under: epoch, wallMilliseconds: Party.wall + $0) }
        }
        let events = log()
        let tail = Author.Tail(sequence: 2, id: events[1].id)
        let removal = tour.party.remove(5, by: 2, seeing: tour.events, tail: tail)
        let group = tour.party.group(of: tour.events + [removal])
        #expect(try group.open(events[0]) == text)
        #expect(try group.open(events[1]) == text)
        #expect(throws: GroupFault.beyondCut) { try group.open(events[2]) }
        // Another event in the place of the cut.
        let other = log()
        #expect(throws: GroupFault.beyondCut) { try group.open(other[1]) }
    }

    @Test func ofTwoRolesGivenApartTheLowerHolds() {
        var tour = Ranked()
        let up = tour.party.role(5, .guide, by: 2, seeing: tour.events)
        let down = tour.party.role(5, .member, by: 3, seeing: tour.events)
        #expect(tour.member(5, after: [up])?.rank == .guide)
        #expect(tour.member(5, after: [up, down])?.rank == .member)
        // Who has seen both decides anew.
        let again = tour.party.role(5, .guide, by: 3, seeing: tour.events + [up, down])
        #expect(tour.member(5, after: [up, down, again])?.rank == .guide)
        #expect(tour.member(5, after: [up, down, again])?.roles == [again.id])
    }

    @Test func whatALowerRankReplacedCountsAsReplaced() {
        var tour = Ranked()
        let first = tour.party.role(5, .guide, seeing: tour.events)
        let second = tour.party.role(5, .member, by: 2, seeing: tour.events + [first])
        let third = tour.party.role(5, .admin, seeing: tour.events + [first, second])
        #expect(tour.member(5, after: [first, second, third])?.rank == .admin)
        // An admin's acts are then an admin's.
        let act = tour.party.role(6, .guide, by: 5, seeing: tour.events + [first, second, third])
        #expect(tour.member(6, after: [first, second, third, act])?.rank == .guide)
    }

    @Test func removalCutsALog() {
        var tour = Ranked()
        let below = tour.party.admit(7, tour.invite, by: 5)
        let tail = tour.party.tail(5)
        let known = tour.events + [below]
        let removal = tour.party.remove(5, by: 2, seeing: known, tail: tail)
        // Written afterwards and dated back.
        let above = tour.party.admit(8, tour.invite, by: 5, at: -1_000_000)
        let group = tour.party.group(of: known + [removal, above])
        #expect(group.roster.members[Party.id(7)] != nil)
        #expect(group.roster.members[Party.id(8)] == nil)
        let member = group.roster.members[Party.id(5)]
        #expect(member?.isRemoved == true && member?.isActive == false)
        #expect(member?.end?.sequence == 1 && member?.end?.named == [below.id])
        #expect(!group.roster.active.contains { $0.id == Party.id(5) })
        // Final for this key: neither an invite nor a rank of the remover's own brings it back.
        let again = tour.party.admit(5, tour.invite)
        let rank = tour.party.role(5, .guide, by: 3, seeing: known)
        let after = tour.party.group(of: known + [removal, again, rank]).roster
        #expect(after.members[Party.id(5)]?.isRemoved == true)
    }

    @Test func anotherEventInThePlaceOfTheCutDoesNotCount() {
        var tour = Ranked()
        var other = tour.party
        let seen = tour.party.admit(7, tour.invite, by: 5)
        let unseen = other.admit(8, tour.invite, by: 5)
        let removal = tour.party.remove(5, by: 2, seeing: tour.events + [seen])
        let roster = tour.party.group(of: tour.events + [unseen, removal]).roster
        #expect(roster.members[Party.id(8)] == nil)
    }

    @Test func ofTwoRemovalsTheSmallerCutHolds() {
        var tour = Ranked()
        let first = tour.party.admit(7, tour.invite, by: 5)
        let early = tour.party.tail(5)
        let second = tour.party.admit(8, tour.invite, by: 5)
        let late = tour.party.remove(5, by: 2, seeing: tour.events + [first, second])
        let soon = tour.party.remove(5, by: 3, seeing: tour.events + [first, second], tail: early)
        let roster = tour.party.group(of: tour.events + [first, second, late, soon]).roster
        #expect(roster.members[Party.id(5)]?.end?.sequence == 1)
        #expect(roster.members[Party.id(7)] != nil && roster.members[Party.id(8)] == nil)
    }

    @Test func aGuideCannotCutBelowARankThatIsOutOfItsReach() {
        var tour = Ranked()
        // 5 was an admin for a while, and made 6 a guide.
        let up = tour.party.role(5, .admin, seeing: tour.events)
        let act = tour.party.role(6, .guide, by: 5, seeing: tour.events + [up])
        let down = tour.party.role(5, .member, seeing: tour.events + [up, act])
        let known = tour.events + [up, act, down]
        let removal = tour.party.remove(5, by: 4, seeing: known, tail: .init(sequence: 0, id: .none))
        let roster = tour.party.group(of: known + [removal]).roster
        #expect(roster.members[Party.id(5)]?.isRemoved == true)
        #expect(roster.members[Party.id(5)]?.end?.sequence == 1)
        #expect(roster.members[Party.id(6)]?.rank == .guide)
    }

    @Test func whatHungOnAVoidActFallsWithIt() {
        var tour = Ranked()
        // Admin 2 makes 5 a guide; 5 invites; 6 lets 7 in by that invite, and 7 lets 8 in.
        let known = tour.events
        let rank = tour.party.role(5, .guide, by: 2, seeing: known)
        let second = Party.invite(2)
        let body = tour.party.founding.group.inviteBody(second, uses: 0, expiresAt: nil, under: tour.party.epoch)
        let chain = [
            rank, tour.party.write(body, by: 5), tour.party.admit(7, second, by: 6), tour.party.admit(8, second, by: 7),
        ]
        #expect(tour.member(8, after: chain) != nil)
        let removal = tour.party.remove(2, seeing: known, tail: .init(sequence: 0, id: .none))
        let roster = tour.party.group(of: known + chain + [removal]).roster
        #expect(roster.members[Party.id(5)]?.rank == .member)
        #expect(roster.invites[second.invitePair.publicKey] == nil)
        #expect(roster.members[Party.id(7)] == nil && roster.members[Party.id(8)] == nil)
        // They may hold keys: the next epoch shuts them out by name.
        let holders = tour.party.group(of: known + chain + [removal]).keyring.holders
        #expect(holders.void == [Party.id(7), Party.id(8)])
    }

    @Test func whoHasARankDoesNotHangOnAnInvite() {
        var tour = Ranked()
        // 4 invites 7, the creator makes 7 an admin, and 7 removes 4 from before the invite: 7 stays.
        let second = Party.invite(2)
        let body = tour.party.founding.group.inviteBody(second, uses: 2, expiresAt: nil, under: tour.party.epoch)
        var known = tour.events + [tour.party.write(body, by: 4), tour.party.admit(7, second, by: 6)]
        known.append(tour.party.role(7, .admin, seeing: known))
        let state = tour.party.group(of: known).roster.invites[second.invitePair.publicKey]
        #expect(state?.used == 1)
        let removal = tour.party.remove(4, by: 7, seeing: known, tail: .init(sequence: 0, id: .none))
        let roster = tour.party.group(of: known + [removal]).roster
        #expect(roster.members[Party.id(4)]?.isRemoved == true)
        #expect(roster.invites[second.invitePair.publicKey] == nil)
        #expect(roster.members[Party.id(7)]?.rank == .admin)
    }

    @Test func whatIsKnownOfALogAheadOfItCountsAsSeen() {
        var tour = Ranked()
        let stored = tour.party.tail(5)
        let admission = tour.party.admit(7, tour.invite, by: 5)
        let group = tour.party.group(of: tour.events + [admission])
        func tail(of member: Int, stored: Author.Tail) -> Author.Tail {
            group.knownLog(of: Party.id(member), stored: stored) { _ in nil }.tail
        }
        #expect(tail(of: 5, stored: stored) == Author.Tail(sequence: 1, id: admission.id))
        #expect(tail(of: 5, stored: .init(sequence: 4, id: .none)).sequence == 4)
        #expect(tail(of: 6, stored: stored) == stored)
    }

    @Test func removalEndsEveryInvite() {
        var tour = Ranked()
        let removal = tour.party.remove(5, by: 4, seeing: tour.events)
        let late = tour.party.admit(7, tour.invite, by: 6)
        let roster = tour.party.group(of: tour.events + [removal, late]).roster
        #expect(roster.invites[tour.invite.invitePair.publicKey]?.isRevoked == true)
        #expect(roster.members[Party.id(6)] != nil && roster.members[Party.id(7)] == nil)
    }

    @Test func theSuccessorIsTheCreatorsToName() {
        var tour = Ranked()
        let named = tour.party.role(4, .creator, seeing: tour.events)
        let known = tour.events + [named]
        #expect(tour.member(4, after: [named])?.rank == .creator)
        // It closes the tour and stands above the admins, but not above the creator.
        let closing = tour.party.write(.close, by: 4)
        let admin = tour.party.remove(2, by: 4, seeing: known)
        let creator = tour.party.write(
            tour.party.group(of: known).removeBody(Party.id(1), log: tour.party.log(0, through: tour.party.tail(nil))),
            by: 4)
        let second = tour.party.role(5, .creator, by: 4, seeing: known)
        let roster = tour.party.group(of: known + [closing, admin, creator, second]).roster
        #expect(roster.isClosed && roster.members[Party.id(2)]?.isRemoved == true)
        #expect(roster.members[Party.id(1)]?.isRemoved == false && roster.members[Party.id(5)]?.rank == .member)
        let taken = tour.party.role(4, .guide, seeing: known, after: 0)
        let back = tour.party.group(of: known + [closing, admin, taken]).roster
        #expect(back.members[Party.id(4)]?.rank == .guide)
        #expect(!back.isClosed && back.members[Party.id(2)]?.isRemoved == false)
    }

    @Test func tooManyUsesAreTold() {
        var tour = Ranked()
        let scarce = Party.invite(2)
        let opening = tour.party.open(scarce, uses: 1)
        let uses = [tour.party.admit(7, scarce, by: 5), tour.party.admit(8, scarce, by: 6)]
        let known = tour.events + [opening] + uses
        let state = tour.party.group(of: known).roster.invites[scarce.invitePair.publicKey]
        #expect(state?.isOverused == true && state?.used == 1)
        let one = tour.party.group(of: known.dropLast()).roster.invites[scarce.invitePair.publicKey]
        #expect(one?.isOverused == false)
    }
}
