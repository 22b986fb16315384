import Testing
import TourModel
import TourRuntime
import TourWire

// Goal: nothing counts as read that its member did not have when it said that it had read so far; what was read stays
// read. Method: the claims of one member, one after the other, and what they say of single messages.
@Suite struct ReadingTests {
    private static let me = MemberID(hex: String(repeating: "1", count: 64)) ?? MemberID(raw: .zero)
    private static let anna = MemberID(hex: String(repeating: "2", count: 64)) ?? MemberID(raw: .zero)
    private static let ben = MemberID(hex: String(repeating: "3", count: 64)) ?? MemberID(raw: .zero)

    /// - Parameters:
    ///   - heads: how much Anna has of me, and of Ben.
    ///   - read: up to which clock she has read.
    private static func note(
        _ board: inout ReceiptState, heads: (me: UInt64, ben: UInt64), read: UInt64, at time: Int64,
        isNewest: Bool = true
    ) {
        let has = [
            PrefixedHead(prefix: me.prefix, sequence: heads.me), PrefixedHead(prefix: ben.prefix, sequence: heads.ben),
        ]
        board.record(has.filter { $0.sequence > 0 }, of: anna, at: time)
        if isNewest { board.recordRead(LogicalClock(value: read), by: anna, at: time) }
    }

    private static func state(
        _ author: MemberID, _ sequence: UInt64, clock: UInt64, _ board: ReceiptState
    ) -> Receipt {
        let header = EventHeader(
            eventClass: .chat, tour: .none, author: author, sequence: sequence, previous: .none,
            clock: LogicalClock(value: clock), epoch: .none)
        return board.receipt(of: header, for: anna, storedAt: 0)
    }

    @Test func whatComesLateIsReadWhenItWasDisplayed() {
        var board = ReceiptState(own: Self.me, marks: [:])
        Self.note(&board, heads: (me: 1, ben: 0), read: 100, at: 10)
        #expect(Self.state(Self.me, 1, clock: 90, board) == Receipt(state: .read, deliveredAtMost: 10, readAtMost: 10))
        // Ben's comes with a clock of 50: she has it, and has not seen it.
        Self.note(&board, heads: (me: 1, ben: 1), read: 49, at: 20)
        #expect(Self.state(Self.ben, 1, clock: 50, board) == Receipt(state: .delivered, deliveredAtMost: 20))
        #expect(Self.state(Self.me, 1, clock: 90, board).state == .read, "that stays")
        // Mine that follows is there as well, and not seen.
        Self.note(&board, heads: (me: 2, ben: 1), read: 49, at: 30)
        #expect(Self.state(Self.me, 2, clock: 110, board).state == .delivered)
        Self.note(&board, heads: (me: 2, ben: 1), read: 110, at: 40)
        #expect(Self.state(Self.ben, 1, clock: 50, board) == Receipt(state: .read, deliveredAtMost: 20, readAtMost: 40))
        #expect(Self.state(Self.me, 2, clock: 110, board).readAtMost == 40)
        #expect(Self.state(Self.me, 1, clock: 90, board).readAtMost == 10)
    }

    @Test func anOlderRowSaysNothingOfReading() {
        var board = ReceiptState(own: Self.me, marks: [:])
        Self.note(&board, heads: (me: 1, ben: 1), read: 49, at: 20)
        Self.note(&board, heads: (me: 1, ben: 0), read: 100, at: 10, isNewest: false)
        #expect(Self.state(Self.ben, 1, clock: 50, board).state == .delivered)
    }

    @Test func itFallsTwice() {
        var reading = ReadPlace()
        for (clock, time) in [(100, 1), (49, 2), (29, 3), (60, 4), (120, 5)] {
            reading.record(UInt64(clock), at: Int64(time), stepsMax: 4)
        }
        // What she had before the first fall was read then; what came since, when she came so far again.
        #expect(reading.time(of: 80, deliveredAt: 1) == 1)
        #expect(reading.time(of: 50, deliveredAt: 2) == 4)
        #expect(reading.time(of: 30, deliveredAt: 3) == 4)
        #expect(reading.time(of: 80, deliveredAt: 2) == 5)
        #expect(reading.time(of: 121, deliveredAt: 1) == nil)
        #expect(reading.clock == 120)
    }

    @Test func allHaveReadOnlyWhatAllSaw() {
        var board = ReceiptState(own: Self.me, marks: [:])
        let members = [Self.me: LogicalClock(value: 1), Self.anna: LogicalClock(value: 2)]
        board.recordMembers(members, people: Set(members.keys))
        Self.note(&board, heads: (me: 2, ben: 0), read: 49, at: 1)
        let clocks: [UInt64] = [40, 50]
        func first(_: MemberID, _ above: UInt64, _ clock: LogicalClock) -> UInt64? {
            (above + 1...max(above + 1, 2)).first { $0 <= 2 && clocks[Int($0) - 1] >= clock.value }
        }
        _ = board.refresh(authors: [Self.me: 2], first: first)
        #expect(board.marks[Self.me]?.readThrough == 1)
        // Earlier she had read further; what is read stays, and nothing more is.
        Self.note(&board, heads: (me: 2, ben: 0), read: 29, at: 2)
        _ = board.refresh(authors: [Self.me: 2], first: first)
        #expect(board.marks[Self.me]?.readThrough == 1)
        Self.note(&board, heads: (me: 2, ben: 0), read: 50, at: 3)
        _ = board.refresh(authors: [Self.me: 2], first: first)
        #expect(board.marks[Self.me]?.readThrough == 2)
    }
}
