import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: what somebody who is out is told is enough to see it, and no more than that. Method: members removed or forked
/// without their knowledge, whose own groups know nothing later, and the events that they are given.
struct EndingTests {
    private let invite = Party.invite(1)

    @Test func aRemovalComesWithTheRankOfWhoSaidIt() throws {
        var party = Party()
        let known = [party.open(invite), party.admit(2, invite)]
        // 2 knows nothing of these: 3 came, leads, and removes it; 4 has nothing to do with that.
        let later = [party.admit(3, invite), party.admit(4, invite)]
        let role = party.role(3, .guide, seeing: known + later)
        let removal = party.remove(2, by: 3, seeing: known + later + [role])
        let group = party.group(of: known + later + [role, removal])
        #expect(group.remover(of: Party.id(2)) == Party.id(3))
        let told = group.ending(of: Party.id(2))
        #expect(Set(told) == Set([known[0], later[0], role, removal].map(\.bytes)))
        var own = party.group(of: known)
        _ = own.add(controls: told)
        #expect(own.roster.members[Party.id(2)]?.isRemoved == true)
        #expect(own.remover(of: Party.id(2)) == Party.id(3))
        #expect(own.roster.members[Party.id(4)] == nil)
    }

    @Test func whoIsInIsToldNothing() {
        var party = Party()
        let known = [party.open(invite), party.admit(2, invite), party.admit(3, invite)]
        let removal = party.remove(2, seeing: known)
        let group = party.group(of: known + [removal])
        #expect(group.ending(of: Party.id(3)).isEmpty && group.remover(of: Party.id(3)) == nil)
        #expect(group.ending(of: Party.id(9)).isEmpty)
    }

    @Test func aForkComesWithItsProofAndWhoProvedIt() throws {
        var party = Party()
        let known = [party.open(invite), party.admit(2, invite)]
        var copy = party
        let branches = [party.admit(5, invite, by: 2), copy.admit(6, invite, by: 2)]
        let admission = party.admit(3, invite)
        let proof = try #require(ForkProof(identity: Party.keys(2).identity.publicKey, branches[0], branches[1]))
        let fork = party.write(.fork(proof), by: 3)
        let group = party.group(of: known + [admission, fork])
        let told = group.ending(of: Party.id(2))
        #expect(Set(told) == Set([known[0], admission, fork].map(\.bytes)))
        // The original has its own branch and learns of the other by the proof alone.
        var own = party.group(of: known + [branches[0]])
        _ = own.add(controls: told)
        #expect(own.roster.members[Party.id(2)]?.isForked == true)
    }

    @Test func actsThatARoleAboveUndoesAreVoid() throws {
        var party = Party()
        let known = [party.open(invite), party.admit(2, invite), party.admit(3, invite)]
        let role = party.role(2, .guide, seeing: known)
        let place = party.tail(2).sequence
        let removal = party.remove(3, by: 2, seeing: known + [role])
        #expect(party.group(of: known + [role, removal]).voidActs(of: Party.id(2)).isEmpty)
        // The founder took the rank back and had not seen the removal.
        let demotion = party.role(2, .member, seeing: known + [role], after: place)
        let group = party.group(of: known + [role, removal, demotion])
        #expect(group.roster.members[Party.id(3)]?.isActive == true)
        #expect(group.voidActs(of: Party.id(2)).map(\.event.id) == [removal.id])
    }
}
