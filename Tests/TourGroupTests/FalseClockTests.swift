import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: a member whose clock lies, or is set back, changes nobody's clock and nobody's rights, and its events stand.
/// Method: events dated 1970, 9999 and an hour ahead; a clock set back by a day between two events.
struct FalseClockTests {
    /// Milliseconds since 1970: that year, 9999, and an hour from now.
    private static let lies: [Int64] = [0, 253_370_764_800_000, Party.wall + 3_600_000]

    @Test(arguments: lies) func aFalseDateStandsAndMovesNoClock(date: Int64) throws {
        var party = Party()
        let invite = Party.invite(1)
        var group = party.group(of: [party.open(invite), party.admit(2, invite), party.admit(3, invite)])
        var liar = party.author(2)
        let said = liar.write(Content.text("said", replyTo: nil), under: party.epoch, wallMilliseconds: date)
        #expect(said.header.clock.milliseconds == date)
        #expect(try group.open(said) == .text("said", replyTo: nil))
        var honest = party.author(3)
        honest.witness(said.header.clock, wallMilliseconds: Party.wall + 1_000)
        let answer = honest.write(.leave, wallMilliseconds: Party.wall + 1_000)
        #expect(answer.header.clock.milliseconds == Party.wall + 1_000)
        // A removal ends the log at a place, whatever date is written behind it.
        let log = KnownLog(tail: liar.tail, controls: [])
        let removal = party.write(group.removeBody(Party.id(2), log: log), at: 2_000)
        _ = group.add(controls: [removal.bytes])
        let late = liar.write(Content.text("late", replyTo: nil), under: party.epoch, wallMilliseconds: date)
        #expect(throws: GroupFault.beyondCut) { try group.open(late) }
        #expect(try group.open(said) == .text("said", replyTo: nil))
    }

    @Test func aClockSetBackWritesOnInOrder() throws {
        var party = Party()
        let before = party.write(.wrappingKey(Party.keys(50).wrapping.publicKey), at: 1_000)
        let after = party.write(.wrappingKey(Party.keys(51).wrapping.publicKey), at: -86_400_000)
        #expect(after.header.clock > before.header.clock)
        #expect(after.header.clock.milliseconds == before.header.clock.milliseconds)
        #expect(after.header.previous == before.id)
    }
}
