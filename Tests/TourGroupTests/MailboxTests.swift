import Testing
import TourCrypto
import TourGroup
import TourModel

/// Goal: a server gets the control events that it lacks, and whoever introduces itself names its sponsors.
/// Method: a party of four, with heads as a server says them.
struct MailboxTests {
    @Test func serverGetsWhatStandsBehindItsHeads() {
        var party = Party()
        let invite = Party.invite(1)
        let opened = party.open(invite)
        let admitted = party.admit(2, invite)
        let sponsored = party.admit(3, invite, by: 2, at: 1_000)
        let group = party.group(of: [opened, admitted, sponsored])
        let founder = party.creator.id
        #expect(group.controls(behind: [:]).map(\.id) == [opened.id, admitted.id, sponsored.id])
        #expect(group.controls(behind: [founder: 1]).map(\.id) == [opened.id, admitted.id, sponsored.id])
        #expect(group.controls(behind: [founder: 3]).map(\.id) == [sponsored.id])
        #expect(group.controls(behind: [founder: 3, Party.id(2): 1]).isEmpty)
    }

    @Test func introductionIsEnoughToKnowAMember() {
        var party = Party()
        let invite = Party.invite(1)
        let events = [party.open(invite), party.admit(2, invite), party.admit(3, invite, by: 2, at: 1_000)]
        var stranger = party.fresh
        _ = stranger.add(controls: party.group(of: events).introduction)
        #expect(stranger.roster.members[Party.id(3)]?.isActive == true)
    }
}
