import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: an author can still read what does not count, nobody else by mistake; and a joiner is owed no more than the
/// tour's history. Method: a message behind a cut; rosters with and without full history.
struct OwnViewTests {
    private let invite = Party.invite(1)

    @Test func whatIsBehindTheEndOpensOnlyWhenAskedFor() throws {
        var party = Party()
        let known = [party.open(invite), party.admit(2, invite)]
        let removal = party.remove(2, seeing: known)
        var author = party.author(2)
        let message = author.write(.text("late", replyTo: nil), under: party.epoch, wallMilliseconds: Party.wall)
        let group = party.group(of: known + [removal])
        #expect(throws: GroupFault.beyondCut) { _ = try group.open(message) }
        #expect(try group.open(message, beyondCut: true) == .text("late", replyTo: nil))
    }

    @Test func theHistoryOfAJoinerBeginsWithItsAdmission() {
        for fullHistory in [true, false] {
            var party = Party(fullHistory: fullHistory)
            let known = [party.open(invite), party.admit(2, invite, at: 5_000)]
            let roster = party.group(of: known).roster
            let expected = fullHistory ? LogicalClock.zero : known[1].header.clock
            #expect(roster.historyEnd(for: Party.id(2)) == expected)
            #expect(roster.historyEnd(for: roster.creator) == .zero)
        }
    }
}
