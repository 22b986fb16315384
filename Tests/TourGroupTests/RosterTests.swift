import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: who is in a tour follows from the set of its control events alone. Method: one busy tour, fed to groups in
/// random orders, in parts, twice over and by both ways in; then one rule at a time.
struct RosterTests {
    private func ids(_ group: TourGroup) -> Set<MemberID> { Set(group.roster.members.keys) }

    private func ids(_ numbers: [Int]) -> Set<MemberID> { Set(numbers.map(Party.id)) }

    /// Three invites, admissions by members of members, too many uses, a revocation, departures, doubles and forks.
    private func busyTour() -> (Party, [Event]) {
        var party = Party()
        let open = Party.invite(1)
        let scarce = Party.invite(2)
        let revoked = Party.invite(3)
        var events = [party.open(open), party.open(scarce, uses: 3), party.open(revoked)]
        events += [party.admit(2, open), party.admit(3, open), party.admit(4, open, by: 2, at: 10)]
        events += [party.admit(5, open, by: 4, at: 20), party.admit(6, open, by: 5, at: 5)]
        // Six use an invite for three, let in by different members.
        for (newcomer, member) in [(20, 2), (21, 3), (22, 4), (23, 5), (24, 6), (25, 3)] {
            events.append(party.admit(newcomer, scarce, by: member, at: Int64(newcomer)))
        }
        // Whom those let in depends on who stays.
        for member in 20...25 { events.append(party.admit(member + 10, open, by: member, at: 50)) }
        events += [party.admit(40, revoked), party.admit(41, revoked, by: 2, at: 30)]
        events.append(party.write(party.group(of: events).revokeBody(revoked.invitePair.publicKey), at: 40))
        events.append(party.admit(42, revoked, by: 3, at: 35))
        // The same newcomer twice, and one link key for two identities.
        events += [party.admit(50, open, by: 2, at: 60), party.admit(50, open, by: 3, at: 60)]
        var double = Party.keys(51)
        double.link = Party.keys(50).link
        events.append(party.write(.admit(party.request(double, open)), by: 4, at: 60))
        // A member who writes one sequence twice, with one clock: a fork, so neither counts.
        let before = party
        for newcomer in [60, 61] {
            var keys = Party.keys(newcomer)
            keys.link = Party.keys(60).link
            var fork = before
            events.append(fork.write(.admit(fork.request(keys, open)), by: 6, at: 99))
        }
        events += [party.write(.leave, by: 3, at: 70), party.write(.leave, by: 99, at: 70)]
        events.append(party.write(.invite(Party.foreign(party)), by: 2, at: 71))
        events.append(party.write(.close, by: 2, at: 72))
        return (party, events)
    }

    @Test func anyOrderGivesOneRoster() throws {
        let (party, events) = busyTour()
        let expected = party.group(of: events)
        #expect(expected.roster.members.count >= 15)
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            var group = party.fresh
            var order = events + events.filter { _ in Bool.random(using: &generator) }
            order.shuffle(using: &generator)
            while !order.isEmpty {
                let part = order.prefix(Int.random(in: 1...30, using: &generator))
                order.removeFirst(part.count)
                _ = group.add(controls: part.map(\.bytes))
            }
            #expect(group.roster == expected.roster)
        }
    }

    @Test func partsMeetInOneRoster() {
        let (party, events) = busyTour()
        let expected = party.group(of: events)
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<50 {
            // Two halves of a tour that hear of different things, and then compare.
            let sides = events.map { _ in Bool.random(using: &generator) }
            var left = party.group(of: zip(events, sides).filter(\.1).map(\.0))
            var right = party.group(of: zip(events, sides).filter { !$0.1 }.map(\.0))
            // Who explains whom may alternate between the halves: they compare until nothing is new.
            var grew = true
            while grew {
                let toRight = left.controls(missingFrom: right.controlIndex)
                let toLeft = right.controls(missingFrom: left.controlIndex)
                let news = [right.add(controls: toRight), left.add(controls: toLeft)]
                grew = news.contains { !$0.isEmpty }
            }
            #expect(left.roster == expected.roster)
            #expect(right.roster == expected.roster)
        }
    }

    @Test func verifiedRunsAndSingleEventsGiveOneRoster() throws {
        let (party, events) = busyTour()
        let expected = party.group(of: events)
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<50 {
            var group = party.fresh
            for event in events.shuffled(using: &generator) {
                if Bool.random(using: &generator) {
                    _ = group.add(controls: [event.bytes])
                } else if let raw = try? RawEvent(decoding: event.bytes),
                    let author = group.roster.members[raw.header.author],
                    let run = try? VerifiedRun(header: raw.header, bytes: event.bytes, identity: author.identity)
                {
                    _ = group.add(verified: run.events)
                } else {
                    _ = group.add(controls: [event.bytes])
                }
            }
            #expect(group.roster == expected.roster)
        }
    }

    @Test func membersLetMembersIn() {
        var party = Party()
        let invite = Party.invite(1)
        var events = [party.open(invite), party.admit(2, invite)]
        for member in 2..<40 { events.append(party.admit(member + 1, invite, by: member, at: Int64(100 - member))) }
        // The chain is longer than it is old: each one's clock is before that of who let it in.
        let group = party.group(of: events.reversed())
        #expect(ids(group) == ids(Array(1...40)))
        #expect(group.roster.invites[invite.invitePair.publicKey]?.used == 39)
        #expect(group.roster.members.values.allSatisfy { $0.rank == ($0.id == Party.id(1) ? .creator : .member) })
    }

    @Test func strangersLetNobodyIn() {
        var party = Party()
        let invite = Party.invite(1)
        let group = party.group(of: [party.open(invite), party.admit(3, invite, by: 2)])
        #expect(ids(group) == ids([1]))
    }

    @Test func inviteOfAMemberOpensNothing() {
        var party = Party()
        let first = Party.invite(1)
        let second = Party.invite(2)
        let body = party.founding.group.inviteBody(second, uses: 0, expiresAt: nil, under: party.epoch)
        let group = party.group(of: [
            party.open(first), party.admit(2, first), party.write(body, by: 2), party.admit(3, second, by: 2),
        ])
        #expect(ids(group) == ids([1, 2]))
        #expect(group.roster.invites.count == 1)
    }

    @Test func revocationKeepsWhomItNames() {
        var party = Party()
        let invite = Party.invite(1)
        let key = invite.invitePair.publicKey
        let known = [party.open(invite), party.admit(2, invite), party.admit(3, invite, by: 2, at: 5)]
        let revoke = party.write(party.group(of: known).revokeBody(key), at: 10)
        // Written without knowing of the revocation, and dated before it: void all the same.
        let late = [party.admit(4, invite, by: 2, at: 1), party.admit(5, invite, by: 4, at: 2)]
        let group = party.group(of: known + [revoke] + late)
        #expect(ids(group) == ids([1, 2, 3]))
        #expect(group.roster.invites[key]?.isRevoked == true)
        #expect(group.roster.invites[key]?.used == 2)
        #expect(ids(party.group(of: known + late)) == ids([1, 2, 3, 4, 5]))
        // A revocation by a member is none.
        let foreign = party.write(.revoke(invite: key, accepted: []), by: 2, at: 3)
        #expect(ids(party.group(of: known + [foreign])) == ids([1, 2, 3]))
    }

    /// Who repeats its own request without end must not push the others out of a list that has a bound.
    @Test func aRevocationListsOnlyWhatCounts() throws {
        var party = Party()
        let invite = Party.invite(1)
        var known = [party.open(invite), party.admit(2, invite), party.admit(3, invite)]
        known += (0..<40).map { _ in party.admit(2, invite, by: 2) }
        let group = party.group(of: known)
        let counted = Set(known[1...2].map { EventName($0.id) })
        guard case .revoke(_, let accepted) = group.revokeBody(invite.invitePair.publicKey),
            case .remove(let removal) = group.removeBody(
                Party.id(2), log: party.log(2, through: party.tail(2)))
        else {
            Issue.record("other bodies than a revocation and a removal")
            return
        }
        #expect(Set(accepted) == counted && accepted.count == 2)
        #expect(Set(removal.accepted) == counted && removal.accepted.count == 2)
    }

    @Test func revocationsAddUp() {
        var party = Party()
        let invite = Party.invite(1)
        let known = [party.open(invite), party.admit(2, invite), party.admit(3, invite)]
        let revokes = [1, 2].map { index in
            party.write(
                .revoke(
                    invite: invite.invitePair.publicKey, accepted: [EventName(known[index].id)]))
        }
        #expect(ids(party.group(of: known + revokes)) == ids([1, 2, 3]))
        #expect(ids(party.group(of: known + revokes.prefix(1))) == ids([1, 2]))
    }

    @Test func usesBeyondTheNumberAreVoidByLot() throws {
        var party = Party()
        let open = Party.invite(1)
        let scarce = Party.invite(2)
        var events = [party.open(open), party.open(scarce, uses: 2)]
        for member in 2...6 { events.append(party.admit(member, open)) }
        var admissions = [(lot: Bytes32, newcomer: Int)]()
        for member in 2...6 {
            events.append(party.admit(member + 10, scarce, by: member, at: Int64(10 - member)))
            let lot = Hash.of(.roster, scarce.invitePair.publicKey.bytes, Party.id(member).bytes)
            admissions.append((lot, member + 10))
        }
        let winners = admissions.sorted { $0.lot < $1.lot }.prefix(2).map(\.newcomer)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<20 {
            let group = party.group(of: events.shuffled(using: &generator))
            #expect(ids(group) == ids(Array(1...6) + winners))
            let state = try #require(group.roster.invites[scarce.invitePair.publicKey])
            #expect(state.used == 2 && state.isUsedUp)
            #expect(!state.isOpen(wallMilliseconds: Party.wall))
        }
    }

    @Test func aDoubleAdmissionIsOneUse() {
        var party = Party()
        let scarce = Party.invite(2)
        let events = [
            party.open(scarce, uses: 2), party.admit(2, scarce), party.admit(2, scarce), party.admit(3, scarce),
        ]
        let group = party.group(of: events)
        #expect(ids(group) == ids([1, 2, 3]))
        #expect(group.roster.invites[scarce.invitePair.publicKey]?.used == 2)
    }

    @Test func requestForAnotherTourIsNone() {
        var party = Party()
        let invite = Party.invite(1)
        let opening = party.open(invite)
        let foreign = party.request(Party.keys(2), invite, tour: TourID(genesis: [1]))
        var group = party.group(of: [opening, party.write(.admit(foreign))])
        #expect(ids(group) == ids([1]))
        #expect(group.controlCount == 2)
        var changed = party.request(Party.keys(2), invite)
        changed.wrappingKey = Party.keys(3).wrapping.publicKey
        let taken = group.add(controls: [party.write(.admit(changed)).bytes])
        #expect(taken.isEmpty)
    }

    /// Whoever has seen a link key can name it for a device of its own, dated back: that takes nobody's place.
    @Test func oneLinkKeyMayBeNamedByTwo() throws {
        var party = Party()
        let invite = Party.invite(1)
        var thief = Party.keys(3)
        thief.link = Party.keys(2).link
        var second = Party.keys(4)
        second.link = party.creatorKeys.link
        let opening = party.open(invite)
        let earlier = party.write(.admit(party.request(thief, invite)))
        let group = party.group(of: [
            opening, earlier, party.admit(2, invite), party.write(.admit(party.request(second, invite))),
        ])
        #expect(ids(group) == ids([1, 2, 3, 4]))
        #expect(group.roster.byLinkKey[Party.keys(2).link.publicKey] == ids([2, 3]))
        #expect(group.roster.byLinkKey[party.creatorKeys.link.publicKey] == ids([1, 4]))
    }

    /// One member, and the devices that it makes up, never fill the tour, and what leaders let in comes first.
    @Test func whoHasNoRankLetsInABoundedNumber() {
        var party = Party()
        let invite = Party.invite(1)
        var events = [party.open(invite), party.admit(2, invite), party.admit(3, invite, at: 1)]
        let made = 100..<(101 + Limits.sponsoredMax)
        for number in made {
            events.append(party.admit(number, invite, by: number < 300 ? 2 : 100, at: -1_000_000 + Int64(number)))
        }
        let full = party.group(of: events)
        #expect(full.roster.members.count == 3 + Limits.sponsoredMax)
        #expect(!full.roster.hasRoom(for: Party.id(2)) && !full.roster.hasRoom(for: Party.id(100)))
        #expect(full.roster.hasRoom(for: Party.id(3)) && full.roster.hasRoom(for: Party.id(1)))
        events += [party.admit(4, invite, by: 3, at: 5), party.admit(5, invite, at: 6)]
        let group = party.group(of: events)
        #expect(group.roster.members.count == 5 + Limits.sponsoredMax)
        #expect(ids([4, 5]).isSubset(of: group.roster.members.keys))
    }

    @Test func whoLeadsAdmitsFirst() {
        var party = Party()
        let invite = Party.invite(1)
        var other = Party.keys(3)
        other.link = Party.keys(9).link
        let known = [party.open(invite), party.admit(2, invite)]
        let dated = party.write(.admit(party.request(other, invite)), by: 2, at: -1_000)
        #expect(party.group(of: known + [dated]).roster.members[Party.id(3)]?.linkKey == other.link.publicKey)
        let group = party.group(of: known + [dated, party.admit(3, invite, at: 1_000)])
        #expect(group.roster.members[Party.id(3)]?.linkKey == Party.keys(3).link.publicKey)
    }

    @Test func linksFollowTheRoster() {
        var party = Party()
        let invite = Party.invite(1)
        let key = Party.keys(2).link.publicKey
        let opening = party.open(invite)
        let known = [opening, party.admit(2, invite)]
        func standing(_ events: [Event], isRestricted: Bool = false, on key: LinkKey = key) -> LinkStanding {
            party.group(of: events).roster.standing(of: Party.id(2), on: key, isRestricted: isRestricted)
        }
        #expect(standing(known) == .stays && standing(known, isRestricted: true) == .begins)
        // Its admission is void: it is in the roster no more.
        #expect(standing([opening]) == .goes(.closing) && standing([opening], isRestricted: true) == .stays)
        #expect(standing(known, on: Party.keys(3).link.publicKey) == .goes(.closing))
        let removal = party.remove(2, seeing: known)
        #expect(standing(known + [removal]) == .goes(.removed))
        #expect(standing(known + [removal], isRestricted: true) == .goes(.removed))
        #expect(standing(known + [party.write(.leave, by: 2)]) == .goes(.left))
    }

    /// What a member makes up has no part in who ranks how, and costs nobody a look through all names.
    @Test func onlyRanksThatStandAreLookedAt() {
        var party = Party()
        let invite = Party.invite(1)
        let known = [party.open(invite), party.admit(2, invite), party.admit(3, invite)]
        let void = party.write(.role(.init(member: Party.id(3), rank: .guide, sequence: 0, replaces: [])), by: 2)
        let role = party.role(3, .guide, seeing: known)
        let group = party.group(of: known + [void, role])
        #expect(group.ranks(in: known + [void]).isEmpty)
        #expect(group.ranks(in: [void, role]).map(\.member) == [Party.id(3)])
    }

    /// The code that is shown when nobody asks for another one.
    @Test func theNewestInviteForManyThatLasts() {
        var party = Party()
        let day: Int64 = 86_400_000
        func standing(_ group: TourGroup, of member: Int = 1, day number: Int64 = 0) -> SigningKey? {
            group.roster.standingInvite(
                of: Party.id(member), lifetime: 30 * day, wallMilliseconds: Party.wall + number * day)?.key
        }
        let invites = (1...5).map { Party.invite($0) }
        #expect(standing(party.fresh) == nil)
        let first = [party.open(invites[0]), party.open(invites[1]), party.open(invites[2], uses: 3)]
        let short = party.write(
            party.founding.group.inviteBody(invites[3], uses: 0, expiresAt: Party.wall + 2 * day, under: party.epoch))
        let open = party.group(of: first + [short])
        #expect(standing(open) == invites[1].invitePair.publicKey)
        #expect(standing(open, of: 2) == nil)
        let revocation = party.write(open.revokeBody(invites[1].invitePair.publicKey))
        let fewer = party.group(of: first + [short, revocation])
        #expect(standing(fewer) == invites[0].invitePair.publicKey)
        let usual = party.write(
            party.founding.group.inviteBody(
                invites[4], uses: UInt32(Limits.inviteUsesStandard), expiresAt: Party.wall + 30 * day,
                under: party.epoch))
        let more = party.group(of: first + [usual])
        #expect(standing(more) == invites[4].invitePair.publicKey)
        // On its last day another one is better.
        #expect(standing(more, day: 29) == invites[1].invitePair.publicKey)
    }

    @Test func leavingAndClosing() {
        var party = Party()
        let invite = Party.invite(1)
        let base = [party.open(invite), party.admit(2, invite), party.admit(3, invite)]
        let left = party.group(of: base + [party.write(.leave, by: 2)])
        #expect(left.roster.members[Party.id(2)]?.hasLeft == true)
        #expect(Set(left.roster.active.map(\.id)) == ids([1, 3]))
        #expect(!left.roster.isClosed)
        // Coming back takes new keys.
        let back = party.group(of: base + [party.write(.leave, by: 3), party.admit(3, invite)])
        #expect(back.roster.members[Party.id(3)]?.hasLeft == true)
        #expect(!party.group(of: base + [party.write(.close, by: 2)]).roster.isClosed)
        #expect(party.group(of: base + [party.write(.close)]).roster.isClosed)
    }

    /// Their logs carry them: who joins is not sent them, however many and long they are.
    @Test func laterKindsFillNothing() throws {
        var party = Party()
        let opening = party.open(Party.invite(1))
        // Field 30, of 60,000 bytes: more of them than a join link may carry.
        let body: [UInt8] = [0xF2, 0x01, 0xE0, 0xD4, 0x03] + [UInt8](repeating: 7, count: 60_000)
        #expect(try ControlBody(decoding: body) == .unknown)
        let events = (0..<18).map { _ in later(body, &party) }
        let bytes = events.reduce(0) { $0 + $1.bytes.count }
        #expect(bytes > Limits.restrictedLinkBytesMax)
        var group = party.group(of: events + [opening])
        let taken = group.add(verified: events)
        #expect(taken.isEmpty && group.controlCount == 2)
        #expect(group.controls(missingFrom: []) == [opening.bytes])
        #expect(group.controlIndex.count == 2)
        #expect(group.roster == party.group(of: [opening]).roster)
    }

    /// An event of the creator with this body.
    private func later(_ body: [UInt8], _ party: inout Party) -> Event {
        var header = party.write(.leave).header
        header.bodyHash = EventCrypto.bodyHash(body)
        return Event(
            header, signature: EventCrypto.sign(header.exactBytes, by: party.creatorKeys.identity), body: body)
    }
}

extension Party {
    /// What a member without rank might write.
    static func foreign(_ party: Party) -> ControlBody.Invite {
        ControlBody.Invite(
            key: invite(9).invitePair.publicKey, uses: 0, expiresAt: 0, sealedSecret: [], epoch: party.epoch.id)
    }
}
