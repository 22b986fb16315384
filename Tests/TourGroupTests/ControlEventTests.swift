import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: control events are taken from anybody, in any order and any quantity, and none is believed before its author
/// is known and its signature checked. Method: events before their authors, forgeries, floods of rubbish.
struct ControlEventTests {
    @Test func eventsWaitForTheirAuthors() {
        var party = Party()
        let invite = Party.invite(1)
        let opening = party.open(invite)
        let first = party.admit(2, invite)
        let second = party.admit(3, invite, by: 2)
        let third = party.admit(4, invite, by: 3)
        var group = party.fresh
        let orphan = group.add(controls: [third.bytes])
        #expect(orphan.isEmpty)
        let doubles = group.add(controls: [second.bytes, second.bytes])
        #expect(doubles.isEmpty)
        let opened = group.add(controls: [opening.bytes])
        #expect(opened == [opening])
        #expect(group.controlCount == 2)
        let explained = group.add(controls: [first.bytes])
        #expect(Set(explained) == [first, second, third])
        #expect(group.controlCount == 5)
        #expect(group.roster.members[Party.id(4)] != nil)
        let repeated = group.add(controls: [first.bytes, third.bytes])
        #expect(repeated.isEmpty)
    }

    @Test func aRunBringsWaitingEventsToo() throws {
        var party = Party()
        let invite = Party.invite(1)
        let opening = party.open(invite)
        let first = party.admit(2, invite)
        let second = party.admit(3, invite, by: 2)
        var group = party.fresh
        let early = group.add(controls: [second.bytes])
        #expect(early.isEmpty)
        let run = Run([opening, first], hops: 0, pushed: true)
        let verified = try VerifiedRun(run, tour: party.tour, identity: party.creatorKeys.identity.publicKey)
        let added = group.add(verified: verified.events)
        #expect(added == [opening, first, second])
        let repeated = group.add(verified: verified.events)
        #expect(repeated.isEmpty)
    }

    @Test func anotherBodyDoesNotTakeThePlaceOfAnEventThatWaits() {
        var party = Party()
        let invite = Party.invite(1)
        let opening = party.open(invite)
        let first = party.admit(2, invite)
        let second = party.admit(3, invite, by: 2)
        let forged = Array(second.bytes.prefix(Event.bodyOffset)) + ControlBody.leave.encode()
        var group = party.fresh
        _ = group.add(controls: [second.bytes])
        _ = group.add(controls: [forged])
        let explained = group.add(controls: [opening.bytes, first.bytes])
        #expect(Set(explained) == [opening, first, second])
        let together = group.add(controls: [second.bytes, forged])
        #expect(together.isEmpty)
        #expect(party.group(of: [opening, first, second]).roster == group.roster)
    }

    @Test func forgedEventsAreNotTaken() {
        var party = Party()
        let invite = Party.invite(1)
        let opening = party.open(invite)
        var group = party.fresh
        for index in stride(from: 0, to: opening.bytes.count, by: 7) {
            var forged = opening.bytes
            forged[index] ^= 1
            let taken = group.add(controls: [forged])
            #expect(taken.isEmpty)
        }
        #expect(group.controlCount == 1 && group.roster == party.fresh.roster)
        let genuine = group.add(controls: [opening.bytes])
        #expect(genuine == [opening])
    }

    @Test func eventsOfAnotherTourAreNotTaken() {
        let party = Party(salt: 1)
        var other = Party(salt: 2)
        var group = party.fresh
        let foreign = group.add(controls: [other.open(Party.invite(1)).bytes, other.genesis])
        #expect(foreign.isEmpty)
        #expect(group.controlCount == 1)
    }

    @Test func rubbishShutsNobodyOut() {
        var party = Party()
        var group = party.fresh
        let invite = Party.invite(1)
        let opening = party.open(invite)
        let admission = party.admit(2, invite)
        // Well-formed events of authors who will never be known, far more than are kept.
        var rubbish = opening.bytes
        for number in 0..<TourGroup.waitingMax * 2 {
            rubbish[34] = UInt8(truncatingIfNeeded: number)
            rubbish[35] = UInt8(truncatingIfNeeded: number >> 8)
            rubbish[36] = 0x77
            rubbish[180] = UInt8(truncatingIfNeeded: number)
            let taken = group.add(controls: [rubbish])
            #expect(taken.isEmpty)
        }
        let genuine = group.add(controls: [opening.bytes, admission.bytes])
        #expect(genuine == [opening, admission])
        // Also one that must wait.
        let third = party.admit(3, invite, by: 2)
        var late = party.fresh
        for number in 0..<TourGroup.waitingMax + 1 {
            rubbish[34] = UInt8(truncatingIfNeeded: number)
            rubbish[35] = UInt8(truncatingIfNeeded: number >> 8)
            _ = late.add(controls: [rubbish])
        }
        _ = late.add(controls: [third.bytes])
        _ = late.add(controls: [opening.bytes, admission.bytes])
        #expect(late.roster.members[Party.id(3)] != nil)
    }

    @Test func whatNobodyExplainsMakesRoom() {
        var party = Party()
        let invite = Party.invite(1)
        let (opening, admission) = (party.open(invite), party.admit(2, invite))
        let third = party.admit(3, invite, by: 2)
        var group = party.fresh
        _ = group.add(controls: [third.bytes])
        // It waits, until more than is kept waits with it.
        var rubbish = opening.bytes
        rubbish[36] = 0x77
        for number in 0...TourGroup.waitingMax {
            rubbish[34] = UInt8(truncatingIfNeeded: number)
            rubbish[35] = UInt8(truncatingIfNeeded: number >> 8)
            _ = group.add(controls: [rubbish])
        }
        let taken = group.add(controls: [opening.bytes, admission.bytes])
        #expect(taken == [opening, admission])
        // It comes again, as everything does.
        let again = group.add(controls: [third.bytes])
        #expect(again == [third])
    }

    /// So do a few long ones.
    @Test func whatNobodyExplainsIsBoundedInBytes() {
        var party = Party()
        let invite = Party.invite(1)
        let (opening, admission) = (party.open(invite), party.admit(2, invite))
        let third = party.admit(3, invite, by: 2)
        let names = [EventName](repeating: EventName(.none), count: Limits.controlsNamedMax)
        var rubbish = party.write(.revoke(invite: invite.invitePair.publicKey, accepted: names)).bytes
        rubbish[36] = 0x77
        var group = party.fresh
        func fill(to bytes: Int) {
            for number in 0..<bytes / (rubbish.count - Event.bodyOffset) {
                rubbish[34] = UInt8(truncatingIfNeeded: number)
                rubbish[35] = UInt8(truncatingIfNeeded: number >> 8)
                _ = group.add(controls: [rubbish])
            }
        }
        _ = group.add(controls: [third.bytes])
        fill(to: TourGroup.waitingBytesMax / 2)
        let explained = group.add(controls: [opening.bytes, admission.bytes])
        #expect(Set(explained.map(\.id)) == [opening.id, admission.id, third.id])
        group = party.fresh
        _ = group.add(controls: [third.bytes])
        fill(to: TourGroup.waitingBytesMax * 2)
        let taken = group.add(controls: [opening.bytes, admission.bytes])
        #expect(taken == [opening, admission])
    }

    @Test func indexNamesWhatIsHeld() {
        var party = Party()
        let invite = Party.invite(1)
        let events = [party.open(invite), party.admit(2, invite), party.admit(3, invite, by: 2)]
        let group = party.group(of: events)
        #expect(Set(group.controlIndex).count == 4)
        #expect(group.controls(missingFrom: group.controlIndex).isEmpty)
        #expect(Set(group.controls(missingFrom: [])) == Set(events.map(\.bytes)))
        #expect(
            group.controls(missingFrom: party.fresh.controlIndex + [EventName(events[0].id)]).count == 2)
        #expect(party.fresh.controlIndex == [EventName(party.fresh.genesisEvent.id)])
    }

    /// Sound events that change nothing: a member may write any number of them, and stops no join with it.
    @Test func whatChangesNothingComesLastAndNotToJoiners() {
        var party = Party()
        let invite = Party.invite(1)
        let base = [
            party.open(invite), party.admit(2, invite, at: 1), party.admit(3, invite, at: 2),
            party.write(.leave, by: 3, at: 3),
        ]
        var idle = (0..<20).map { _ in party.admit(3, invite, by: 2) }
        idle += (0..<20).map { _ in party.write(.leave, by: 3, at: 4) }
        let group = party.group(of: base + idle)
        #expect(group.controlCount == base.count + idle.count + 1)
        #expect(group.welcome == base.map(\.bytes))
        #expect(Array(group.controls(missingFrom: []).prefix(base.count)) == base.map(\.bytes))
        var joiner = party.fresh
        _ = joiner.add(controls: group.welcome)
        #expect(joiner.roster == group.roster)
    }

    /// The index names first what counts, however much is newer.
    @Test func anIndexThatIsFullNamesWhatCounts() {
        var party = Party()
        let invite = Party.invite(1)
        let base = [party.open(invite), party.admit(2, invite, at: 1)]
        let nothing = ControlBody.revoke(invite: Party.invite(9).invitePair.publicKey, accepted: [])
        let idle = (0..<Limits.controlIndexMax).map { _ in party.write(nothing, at: 9) }
        let group = party.group(of: base + idle)
        let index = Set(group.controlIndex)
        #expect(index.count == Limits.controlIndexMax)
        #expect(base.allSatisfy { index.contains(EventName($0.id)) })
    }

    @Test func sentInOrderNothingWaits() {
        var party = Party()
        let invite = Party.invite(1)
        var events = [party.open(invite), party.admit(2, invite, at: 1)]
        for member in 2..<10 { events.append(party.admit(member + 1, invite, by: member, at: Int64(member))) }
        let group = party.group(of: events)
        var joiner = party.fresh
        for event in group.controls(missingFrom: []) {
            let result = joiner.add(controls: [event])
            #expect(result.count == 1)
        }
        #expect(joiner.roster == group.roster)
    }
}
