import Testing
import TourGroup
import TourModel

/// Goal: whoever is told what a roster rests on can read all of it.
struct IntroductionTests {
    /// Found by the fuzzer: who was given a rank is a member by the first admission that names it, here its own; by
    /// that alone nobody knows its key.
    @Test func aJoinerIsToldByWhomTheAuthorsAreKnown() {
        var party = Party()
        // It counts for nothing but the key: nobody has opened this invite.
        let void = party.admit(7, Party.invite(9))
        let own = party.admit(7, Party.invite(9), by: 7, at: -60_000)
        let events = [void, own, party.role(7, .guide, seeing: [void, own])]
        let group = party.group(of: events)
        #expect(group.roster.members[Party.id(7)]?.rank == .guide)
        #expect(group.roster.basis.contains(own.id) && !group.roster.basis.contains(void.id))
        var joiner = party.fresh
        _ = joiner.add(controls: group.welcome)
        #expect(joiner.roster == group.roster)
    }

    /// Nothing is told beside what the roster rests on where that is enough.
    @Test func admissionsThatDoNotCountAreNotTold() {
        var party = Party()
        let invite = Party.invite(1)
        let events = [party.open(invite), party.admit(2, invite), party.admit(3, invite, by: 2)]
        let void = party.admit(3, Party.invite(9), by: 2)
        #expect(Set(party.group(of: events + [void]).welcome) == Set(events.map(\.bytes)))
    }
}
