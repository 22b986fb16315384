import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: a rekey gives every active member the new key and nobody else, late joiners and those who missed it get it
/// from others, and a split key is found. Method: a creator, members and one who left, each with a group of its own.
struct RekeyTests {
    private static func key(_ byte: UInt8) -> SecretBytes { SecretBytes([UInt8](repeating: byte, count: 32)) }

    /// A tour of the creator and members 2 to `last`.
    private func tour(of last: Int, fullHistory: Bool = true) -> (Party, [Event]) {
        var party = Party(fullHistory: fullHistory)
        let invite = Party.invite(1)
        let events = [party.open(invite)] + (2...last).map { party.admit($0, invite, at: Int64($0)) }
        return (party, events)
    }

    private func rekey(
        _ party: inout Party, _ group: TourGroup, _ byte: UInt8, at milliseconds: Int64
    ) throws -> Event {
        let body = try group.rekeyBody(key: Self.key(byte), by: Party.id(1))
        return party.write(body, at: milliseconds)
    }

    @Test func everyMemberOpensItsWrap() throws {
        var (party, events) = tour(of: 4)
        let leave = party.write(.leave, by: 4, at: 500)
        var group = party.group(of: events + [leave])
        let event = try rekey(&party, group, 9, at: 1_000)
        let epoch = EpochID(raw: event.id.raw)
        _ = group.add(controls: [event.bytes])
        #expect(group.keyring.graph.heads == [epoch] && group.keyring.graph.faults.isEmpty)
        // Until the key is there, the one before it goes on.
        #expect(group.currentEpoch == party.epoch)
        for number in 1...3 {
            var member = group
            let outcome = member.unwrap(for: Party.id(number), by: [Party.keys(number).wrapping])
            #expect(outcome.learnt == [epoch])
            #expect(outcome.used == [Party.keys(number).wrapping.publicKey])
            #expect(member.currentEpoch == EpochKey(id: epoch, key: Self.key(9)))
        }
        // Who left is excluded by name, and finds no wrap.
        let outcome = group.unwrap(for: Party.id(4), by: [Party.keys(4).wrapping])
        #expect(outcome.learnt.isEmpty && group.keyring.wrapFaults.isEmpty)
        #expect(group.keyring.graph.epochs[epoch]?.excludes(Party.id(4)) == true)
        #expect(group.epochKeys(for: Party.id(4)).isEmpty)
    }

    @Test func theNewestWrappingKeyIsUsed() throws {
        var (party, events) = tour(of: 2)
        let newer = Party.keys(50).wrapping
        let published = party.write(.wrappingKey(newer.publicKey), by: 2, at: 100)
        events.append(published)
        // By somebody who is no member: without effect.
        events.append(party.write(.wrappingKey(newer.publicKey), by: 77, at: 100))
        var group = party.group(of: events)
        _ = group.add(controls: [try rekey(&party, group, 9, at: 1_000).bytes])
        var old = group
        let byOld = old.unwrap(for: Party.id(2), by: [Party.keys(2).wrapping])
        #expect(byOld.learnt.isEmpty)
        #expect(Array(old.keyring.wrapFaults.values) == [.missingWrap])
        let byBoth = group.unwrap(for: Party.id(2), by: [Party.keys(2).wrapping, newer])
        #expect(byBoth.used == [newer.publicKey])
    }

    @Test func wrappingKeysThatNobodyNeedsAreNotSentOn() throws {
        var (party, events) = tour(of: 2)
        let published = (0..<3).map {
            party.write(.wrappingKey(Party.keys(50 + $0).wrapping.publicKey), by: 2, at: Int64($0))
        }
        events += published
        func sent(_ group: TourGroup) -> [Event] {
            let sent = Set(group.controls(missingFrom: []))
            return published.filter { sent.contains($0.bytes) }
        }
        var group = party.group(of: [events[0], events[1], published[0]])
        #expect(sent(group) == [published[0]])
        _ = group.add(controls: [try rekey(&party, group, 9, at: 1_000).bytes])
        _ = group.add(controls: published.map(\.bytes))
        // The head names the first, and the last is the newest.
        #expect(sent(group) == [published[0], published[2]])
        #expect(group.controlIndex.count == group.controlCount - 1)
        _ = group.add(controls: [try rekey(&party, group, 10, at: 2_000).bytes])
        #expect(sent(group) == [published[2]])
        // A newcomer who gets no more than that finds the same head.
        var joiner = party.fresh
        _ = joiner.add(controls: group.controls(missingFrom: []))
        #expect(joiner.keyring.graph.heads == group.keyring.graph.heads)
        #expect(joiner.keyring.graph.faults.isEmpty)
    }

    @Test func aWelcomeHoldsWhatTheHeadsRestOn() throws {
        var (party, events) = tour(of: 3)
        events.append(party.write(.wrappingKey(Party.keys(50).wrapping.publicKey), by: 2, at: 50))
        var group = party.group(of: events)
        let first = try rekey(&party, group, 9, at: 1_000)
        _ = group.add(controls: [first.bytes])
        // The head names a key of somebody who published another one since, and left.
        let later = [
            party.write(.wrappingKey(Party.keys(51).wrapping.publicKey), by: 2, at: 2_000),
            party.write(.leave, by: 2, at: 3_000),
        ]
        // Who led once may write as many rekeys as it likes.
        guard case .rekey(let body)? = try? ControlBody(decoding: first.body) else { return }
        let ranks = ledOnce(3, &party, seeing: events)
        let idle = party.write(.rekey(body), by: 3, at: 4_000)
        _ = group.add(controls: (later + ranks + [idle]).map(\.bytes))
        #expect(group.keyring.graph.faults == [EpochID(raw: idle.id.raw): .notAllowed])
        #expect(!group.welcome.contains(idle.bytes) && !group.welcome.contains(later[0].bytes))
        var joiner = party.fresh
        _ = joiner.add(controls: group.welcome)
        #expect(joiner.keyring.graph.heads == [EpochID(raw: first.id.raw)])
        #expect(joiner.roster == group.roster)
    }

    /// Two let somebody in by a code for one, apart; the one whom an epoch was made for is void in the end.
    @Test func whoTurnsOutVoidEndsNoEpoch() throws {
        var (party, events) = tour(of: 2)
        let invites = (UInt8(2)...60).map { Party.invite($0) }
        let unlucky = invites.first { invite in
            let lots = [1, 2].map { Hash.of(.roster, invite.invitePair.publicKey.bytes, Party.id($0).bytes) }
            return lots[0] > lots[1]
        }
        let scarce = try #require(unlucky)
        events += [party.open(scarce, uses: 1), party.admit(3, scarce, at: 100)]
        var group = party.group(of: events)
        let event = try rekey(&party, group, 9, at: 1_000)
        _ = group.add(controls: [event.bytes, party.admit(4, scarce, by: 2, at: 100).bytes])
        #expect(group.roster.members[Party.id(3)] == nil && group.roster.members[Party.id(4)] != nil)
        #expect(group.keyring.graph.heads == [EpochID(raw: event.id.raw)])
        #expect(group.epochKeys(for: Party.id(3)).isEmpty)
        var joiner = party.fresh
        _ = joiner.add(controls: group.welcome)
        #expect(joiner.keyring.graph.heads == group.keyring.graph.heads)
        _ = group.add(controls: [try rekey(&party, group, 10, at: 2_000).bytes])
        let head = try #require(group.keyring.graph.heads.first)
        #expect(group.keyring.graph.epochs[head]?.excludes(Party.id(3)) == true)
        #expect(group.keyring.graph.epochs[head]?.names(Party.id(3)) == false)
    }

    @Test func splitKeysAreFoundAndAskedFor() throws {
        var (party, events) = tour(of: 3)
        var group = party.group(of: events)
        guard case .rekey(var body) = try group.rekeyBody(key: Self.key(9), by: Party.id(1)) else { return }
        // The second of the three gets another key, the third rubbish.
        let victims = body.recipients.filter { $0.member != Party.id(1).prefix }
        for (victim, byte) in zip(victims, [8, nil] as [UInt8?]) {
            let index = try #require(body.recipients.firstIndex(of: victim)) * Limits.wrappedKeyBytes
            let member = try #require([2, 3].first { Party.id($0).prefix == victim.member })
            let publicKey = Party.keys(member).wrapping.publicKey
            let wrap = byte.flatMap { publicKey.wrap(Self.key($0)) } ?? [UInt8](repeating: 7, count: 80)
            body.wraps.replaceSubrange(index..<index + Limits.wrappedKeyBytes, with: wrap)
        }
        let event = party.write(.rekey(body), at: 1_000)
        let epoch = EpochID(raw: event.id.raw)
        _ = group.add(controls: [event.bytes])
        var faults = Set<EpochFault>()
        for number in 2...3 {
            var member = group
            let outcome = member.unwrap(for: Party.id(number), by: [Party.keys(number).wrapping])
            #expect(outcome.learnt.isEmpty)
            faults.formUnion(member.keyring.wrapFaults.values)
            #expect(member.missingEpochs(for: Party.id(number)) == [epoch])
            #expect(member.currentEpoch == party.epoch)
            // What another holder hands over is checked by the commitment.
            let isFalseTaken = member.learn(epoch: epoch, key: Self.key(8))
            let isTrueTaken = member.learn(epoch: epoch, key: Self.key(9))
            #expect(!isFalseTaken && isTrueTaken)
            #expect(member.keyring.wrapFaults.isEmpty && member.missingEpochs(for: Party.id(number)).isEmpty)
        }
        #expect(faults == [.splitKey, .missingWrap])
    }

    @Test(arguments: [true, false]) func lateJoinersGetWhatTheTourSays(fullHistory: Bool) throws {
        var (party, events) = tour(of: 2, fullHistory: fullHistory)
        var group = party.group(of: events)
        for (byte, time) in [(UInt8(9), Int64(1_000)), (10, 2_000)] {
            let event = try rekey(&party, group, byte, at: time)
            events.append(event)
            _ = group.add(controls: [event.bytes])
            _ = group.unwrap(for: Party.id(1), by: [party.creatorKeys.wrapping])
        }
        _ = group.add(controls: [party.admit(3, Party.invite(1), at: 3_000).bytes])
        let newest = try #require(group.currentEpoch)
        #expect(group.epochKeys.count == 3)
        let handed = group.epochKeys(for: Party.id(3))
        #expect(handed.map(\.id) == (fullHistory ? group.epochKeys.map(\.id) : [newest.id]))
        var joiner = try TourGroup(genesis: party.genesis)
        _ = joiner.add(controls: group.welcome)
        for key in handed { joiner.learn(epoch: key.id, key: key.key) }
        #expect(joiner.currentEpoch == newest)
        #expect(joiner.missingEpochs(for: Party.id(3)).isEmpty)
        // Member 2 was there when both rekeys were made.
        #expect(group.epochKeys(for: Party.id(2)).count == (fullHistory ? 3 : 2))
        #expect(group.epochKeys(for: Party.id(99)).isEmpty)
    }

    @Test func membersDoNotRekey() throws {
        let (party, events) = tour(of: 2)
        let group = party.group(of: events)
        #expect(throws: EpochFault.notAllowed) { try group.rekeyBody(key: Self.key(1), by: Party.id(2)) }
        #expect(throws: EpochFault.notAllowed) { try group.rekeyBody(key: Self.key(1), by: Party.id(9)) }
    }

    @Test func whatIsSealedBeforeItsKeyComesOpensAfter() throws {
        var (party, events) = tour(of: 2)
        var group = party.group(of: events)
        let event = try rekey(&party, group, 9, at: 1_000)
        _ = group.add(controls: [event.bytes])
        let epoch = try #require(EpochKey(id: EpochID(raw: event.id.raw), key: Self.key(9)))
        let said = party.creator.write(
            Content.text("New", replyTo: nil), under: epoch, wallMilliseconds: Party.wall + 2_000)
        #expect(throws: GroupFault.unknownEpoch) { try group.open(said) }
        _ = group.unwrap(for: Party.id(2), by: [Party.keys(2).wrapping])
        #expect(try group.open(said) == .text("New", replyTo: nil))
    }

    @Test func aPointOfLowOrderStopsNobody() throws {
        var (party, events) = tour(of: 3)
        events.append(party.write(.wrappingKey(WrappingKey(raw: .zero)), by: 2, at: 50))
        var group = party.group(of: events)
        _ = group.add(controls: [try rekey(&party, group, 9, at: 1_000).bytes])
        #expect(group.keyring.graph.faults.isEmpty)
        let outcome = group.unwrap(for: Party.id(3), by: [Party.keys(3).wrapping])
        #expect(outcome.learnt.count == 1)
    }

    /// Somebody is made a guide, and a member again.
    private func ledOnce(_ member: Int, _ party: inout Party, seeing events: [Event]) -> [Event] {
        let given = party.role(member, .guide, seeing: events)
        return [given, party.role(member, .member, seeing: events + [given])]
    }

    /// A rekey by member 3, who has no rank, wrapped soundly for everybody.
    private func idle(_ party: inout Party, _ group: TourGroup, _ byte: UInt8) throws -> (Event, EpochID) {
        guard case .rekey(var body) = try group.rekeyBody(key: Self.key(byte), by: Party.id(1)) else {
            throw GroupFault.badControl
        }
        body.commitment = EpochKey.commitment(
            of: Self.key(byte), parents: body.parents, roster: body.roster,
            author: Party.keys(3).identity.publicKey)
        let event = party.write(.rekey(body), by: 3, at: 9_000)
        return (event, EpochID(raw: event.id.raw))
    }

    @Test func keysOfMembersWithoutRankAreNotTaken() throws {
        let (founded, events) = tour(of: 3)
        var party = founded
        var group = party.group(of: events + ledOnce(3, &party, seeing: events))
        let (event, epoch) = try idle(&party, group, 9)
        _ = group.add(controls: [event.bytes])
        let outcome = group.unwrap(for: Party.id(2), by: [Party.keys(2).wrapping])
        let isLearnt = group.learn(epoch: epoch, key: Self.key(9))
        #expect(outcome.learnt.isEmpty && !isLearnt && group.keyring.wrapFaults.isEmpty)
        #expect(group.missingEpochs(for: Party.id(2)).isEmpty)
        // Unless events that are stored need it; and not unasked.
        #expect(group.missingEpochs(for: Party.id(2), named: [epoch]) == [epoch])
        let secret = EpochSecret(epoch: epoch, key: try #require(Bytes32([UInt8](repeating: 9, count: 32))))
        let unasked = group.learn([secret], askedFor: [])
        let asked = group.learn([secret], askedFor: [epoch])
        #expect(unasked.isEmpty && asked == [epoch])
        // However late it is dated, the head's comes first.
        #expect(group.epochKeys.map(\.id) == [party.epoch.id, epoch])
    }

    @Test func keptKeysAreNeverLost() throws {
        let (founded, events) = tour(of: 3)
        var party = founded
        var group = party.group(of: events + ledOnce(3, &party, seeing: events))
        let (event, epoch) = try idle(&party, group, 9)
        group.restore(epoch, Self.key(9))
        #expect(!group.keyring.isHeld(epoch) && group.keptKeys.map(\.id).contains(epoch))
        _ = group.add(controls: [event.bytes])
        #expect(group.keyring.isHeld(epoch))
        // Nobody reads what its author said, who is no member here; the key stays.
        var other = party.group(of: [events[0], event])
        other.restore(epoch, Self.key(9))
        #expect(other.keptKeys.map(\.id).contains(epoch))
    }

    @Test func aLargeTourIsRekeyedToo() throws {
        let last = Limits.rekeyRecipientsMax + 2
        var (party, events) = tour(of: last)
        events.append(party.remove(3, seeing: events))
        var group = party.group(of: events)
        #expect(group.keyring.holders.active.count > Limits.rekeyRecipientsMax)
        #expect(group.rekeyReason(for: Party.id(1), wallMilliseconds: Party.wall, usedAt: Party.wall) == .removal)
        let event = try rekey(&party, group, 9, at: 1_000)
        _ = group.add(controls: [event.bytes])
        #expect(group.keyring.graph.heads == [EpochID(raw: event.id.raw)])
        let learnt = group.unwrap(for: Party.id(1), by: [party.creatorKeys.wrapping]).learnt
        #expect(learnt.count == 1 && group.currentEpoch?.id == EpochID(raw: event.id.raw))
        // Who came last is not named, and gets the key by asking.
        #expect(group.epochKeys(for: Party.id(last)).first?.id == group.currentEpoch?.id)
        let unnamed = group.unwrap(for: Party.id(last), by: [Party.keys(last).wrapping])
        #expect(unnamed.learnt.isEmpty)
    }

    @Test func wrappingKeysOfOneMemberAreBounded() throws {
        let (founded, events) = tour(of: 3)
        var party = founded
        let published = (0..<40).map {
            party.write(.wrappingKey(Party.keys(50 + $0).wrapping.publicKey), by: 2, at: Int64($0))
        }
        var group = party.group(of: events)
        let before = group.controlCount
        let early = party.group(of: events + [published[0]])
        let rekeyed = try rekey(&party, early, 9, at: 1_000)
        _ = group.add(controls: published.map(\.bytes))
        #expect(group.controlCount == before + 16)
        // What was dropped is no news when it comes again, until an epoch names it.
        let again = group.add(controls: [published[1].bytes])
        #expect(again.isEmpty)
        _ = group.add(controls: [rekeyed.bytes])
        #expect(group.keyring.graph.faults.count == 1)
        let added = group.add(controls: [published[0].bytes])
        #expect(added == [published[0]] && group.keyring.graph.heads == [EpochID(raw: rekeyed.id.raw)])
    }

    @Test func aRemovalOwesACode() throws {
        var (party, events) = tour(of: 3)
        #expect(!party.group(of: events).owesInvite(Party.id(1)))
        events.append(party.remove(3, seeing: events))
        #expect(party.group(of: events).owesInvite(Party.id(1)))
        events.append(party.open(Party.invite(2)))
        #expect(!party.group(of: events).owesInvite(Party.id(1)))
    }
}
