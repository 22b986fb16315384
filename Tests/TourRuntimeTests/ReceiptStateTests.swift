import Testing
import TourModel
import TourRuntime
import TourWire

/// Goal: a status says what is known, for our own messages and for others', and never goes down.
/// Method: claims of made-up members, one refresh after each, and the statuses of single messages.
@Suite struct ReceiptStateTests {
    private static let me = member("1")
    private static let anna = member("a")
    private static let ben = member("b")
    private static let all = [me, anna, ben]

    @Test func ourOwnMessages() {
        var board = ReceiptState(own: Self.me, marks: [:])
        #expect(Self.statuses(Self.me, 1...3, board) == [.pending, .pending, .pending])
        Self.note(Self.anna, of: Self.me, through: 2, on: &board)
        let changes = Self.refresh(&board, Self.me, head: 3, Self.all)
        let ranges: [ClosedRange<UInt64>] = changes.map { $0.range }
        #expect(ranges == [1...2])
        #expect(Self.statuses(Self.me, 1...3, board) == [.sent, .sent, .pending])
        Self.note(Self.ben, of: Self.me, through: 1, on: &board)
        _ = Self.refresh(&board, Self.me, head: 3, Self.all)
        #expect(Self.statuses(Self.me, 1...3, board) == [.delivered, .sent, .pending])
        let again = Self.refresh(&board, Self.me, head: 3, Self.all)
        #expect(again.isEmpty)
    }

    /// What a server has is sent, and no more: nobody is known to have it.
    @Test func serverIsSomebodyWhoHasIt() {
        var board = ReceiptState(own: Self.me, marks: [:])
        board.recordServer(through: 2)
        let ranges = Self.refresh(&board, Self.me, head: 3, Self.all).map { $0.range }
        #expect(ranges == [1...2])
        #expect(Self.statuses(Self.me, 1...3, board) == [.sent, .sent, .pending])
    }

    @Test func beforeAnybodyElseCameNothingIsRead() {
        let mark = Watermark(author: Self.me, sentThrough: 3, deliveredThrough: 3, readThrough: 3)
        var board = ReceiptState(own: Self.me, marks: [Self.me: mark])
        // The clocks of these events are their sequences.
        board.recordMembers([Self.me: LogicalClock(value: 1), Self.anna: LogicalClock(value: 3)], people: [])
        #expect(Self.statuses(Self.me, 1...4, board) == [.sent, .sent, .read, .pending])
        // Whoever came after somebody had a reader from the first.
        board.recordMembers([Self.ben: LogicalClock(value: 1), Self.me: LogicalClock(value: 2)], people: [])
        #expect(Self.statuses(Self.me, 2...3, board) == [.read, .read])
    }

    @Test func messagesOfOthersAreSentAtLeast() {
        var board = ReceiptState(own: Self.me, marks: [:])
        #expect(Self.statuses(Self.anna, 1...1, board) == [.sent])
        _ = Self.refresh(&board, Self.anna, head: 2, Self.all)
        #expect(Self.statuses(Self.anna, 1...2, board) == [.sent, .sent])
        Self.note(Self.ben, of: Self.anna, through: 1, on: &board)
        _ = Self.refresh(&board, Self.anna, head: 2, Self.all)
        #expect(Self.statuses(Self.anna, 1...2, board) == [.delivered, .sent])
    }

    @Test func nothingFalls() {
        let mark = Watermark(author: Self.me, sentThrough: 3, deliveredThrough: 2)
        var board = ReceiptState(own: Self.me, marks: [Self.me: mark])
        // Nobody has said anything since the start.
        let changes = Self.refresh(&board, Self.me, head: 4, Self.all)
        #expect(changes.isEmpty)
        #expect(board.marks[Self.me] == mark)
        #expect(Self.statuses(Self.me, 1...4, board) == [.delivered, .delivered, .sent, .pending])
        // An older claim that comes late takes nothing back.
        Self.note(Self.anna, of: Self.me, through: 4, on: &board)
        Self.note(Self.anna, of: Self.me, through: 1, on: &board)
        _ = Self.refresh(&board, Self.me, head: 4, Self.all)
        #expect(Self.statuses(Self.me, 1...4, board) == [.delivered, .delivered, .sent, .sent])
    }

    @Test func memberWhoCameLaterNeedsOnlyWhatCameAfter() {
        var board = ReceiptState(own: Self.me, marks: [:])
        _ = Self.refresh(&board, Self.anna, head: 5, Self.all, benNeeds: nil)
        #expect(Self.statuses(Self.anna, 5...5, board) == [.delivered])
        _ = Self.refresh(&board, Self.anna, head: 7, Self.all, benNeeds: 6)
        #expect(Self.statuses(Self.anna, 5...7, board) == [.delivered, .sent, .sent])
        Self.note(Self.ben, of: Self.anna, through: 6, on: &board)
        _ = Self.refresh(&board, Self.anna, head: 7, Self.all, benNeeds: 6)
        #expect(Self.statuses(Self.anna, 5...7, board) == [.delivered, .delivered, .sent])
    }

    /// Ben was admitted before the messages, and nobody here knew it. What was delivered stays so, but he lacks it.
    @Test func memberWhoBecameKnownLaterLacksWhatWasDelivered() {
        var board = ReceiptState(own: Self.me, marks: [:])
        Self.note(Self.anna, of: Self.me, through: 2, on: &board)
        _ = Self.refresh(&board, Self.me, head: 2, [Self.me, Self.anna])
        _ = Self.refresh(&board, Self.me, head: 3, Self.all)
        #expect(Self.statuses(Self.me, 1...3, board) == [.delivered, .delivered, .pending])
        #expect(board.receipt(of: Self.header(Self.me, 2), for: Self.anna, storedAt: 0).state == .delivered)
        #expect(board.receipt(of: Self.header(Self.me, 2), for: Self.ben, storedAt: 0).state == .missing)
        Self.note(Self.ben, of: Self.me, through: 2, on: &board)
        #expect(board.receipt(of: Self.header(Self.me, 2), for: Self.ben, storedAt: 0).state == .delivered)
    }

    @Test func memberWhoLeftIsNotWaitedFor() {
        var board = ReceiptState(own: Self.me, marks: [:])
        Self.note(Self.anna, of: Self.me, through: 2, on: &board)
        _ = Self.refresh(&board, Self.me, head: 2, Self.all)
        #expect(Self.statuses(Self.me, 2...2, board) == [.sent])
        _ = Self.refresh(&board, Self.me, head: 2, [Self.me, Self.anna])
        #expect(Self.statuses(Self.me, 2...2, board) == [.delivered])
    }

    @Test func readIsWhatAllHaveAndHaveRead() {
        var board = ReceiptState(own: Self.me, marks: [:])
        Self.note(Self.anna, of: Self.me, through: 5, read: 4, on: &board)
        // Ben has read further than what he has: that counts as far as he has it.
        Self.note(Self.ben, of: Self.me, through: 2, read: 9, on: &board)
        let changes = Self.refresh(&board, Self.me, head: 6, Self.all)
        let ranges: [ClosedRange<UInt64>] = changes.map { $0.range }
        #expect(ranges == [1...5])
        #expect(Self.statuses(Self.me, 1...6, board) == [.read, .read, .sent, .sent, .sent, .pending])
        Self.note(Self.ben, of: Self.me, through: 6, read: 9, on: &board)
        _ = Self.refresh(&board, Self.me, head: 6, Self.all)
        #expect(Self.statuses(Self.me, 1...6, board) == [.read, .read, .read, .read, .delivered, .sent])
        // A claim that comes late, or one without a read clock, takes nothing back.
        Self.note(Self.anna, of: Self.me, through: 6, on: &board)
        Self.note(Self.anna, of: Self.me, through: 6, read: 1, on: &board)
        let last = Self.refresh(&board, Self.me, head: 6, Self.all).map { $0.mark }
        let expected = [Watermark(author: Self.me, sentThrough: 6, deliveredThrough: 6, readThrough: 4)]
        #expect(last == expected)
    }

    @Test func othersMessagesAreReadOnceWeHaveReadThemToo() {
        var board = ReceiptState(own: Self.me, marks: [:])
        Self.note(Self.ben, of: Self.anna, through: 3, read: 3, on: &board)
        _ = Self.refresh(&board, Self.anna, head: 3, Self.all)
        #expect(Self.statuses(Self.anna, 1...3, board) == [.delivered, .delivered, .delivered])
        board.recordRead(LogicalClock(value: 2), by: Self.me, at: 1)
        _ = Self.refresh(&board, Self.anna, head: 3, Self.all)
        #expect(Self.statuses(Self.anna, 1...3, board) == [.read, .read, .delivered])
    }

    @Test func whoCameLaterOrLeftNeedNotHaveRead() {
        var board = ReceiptState(own: Self.me, marks: [:])
        Self.note(Self.anna, of: Self.me, through: 6, read: 6, on: &board)
        Self.note(Self.ben, of: Self.me, through: 6, on: &board)
        _ = Self.refresh(&board, Self.me, head: 6, Self.all, benNeeds: 4)
        #expect(Self.statuses(Self.me, 3...4, board) == [.read, .delivered])
        _ = Self.refresh(&board, Self.me, head: 6, [Self.me, Self.anna])
        #expect(Self.statuses(Self.me, 4...6, board) == [.read, .read, .read])
    }

    private static func member(_ digit: Character) -> MemberID {
        MemberID(hex: String(repeating: digit, count: 64)) ?? MemberID(raw: .zero)
    }

    private static func note(
        _ member: MemberID, of author: MemberID, through sequence: UInt64, read: UInt64? = nil,
        on board: inout ReceiptState
    ) {
        board.record([PrefixedHead(prefix: author.prefix, sequence: sequence)], of: member, at: 1)
        if let read { board.recordRead(LogicalClock(value: read), by: member, at: 1) }
    }

    /// - Parameter benNeeds: the first message that Ben must have; nil while there is none.
    private static func refresh(
        _ board: inout ReceiptState, _ author: MemberID, head: UInt64, _ members: [MemberID], benNeeds: UInt64? = 1
    ) -> [(range: ClosedRange<UInt64>, mark: Watermark)] {
        let admitted = members.map { ($0, LogicalClock(value: $0 == ben ? benNeeds ?? .max : 0)) }
        board.recordMembers(Dictionary(uniqueKeysWithValues: admitted), people: Set(members))
        // Each event's clock is its sequence.
        return board.refresh(authors: [author: head]) { _, above, clock in
            let first = max(above + 1, clock.value)
            return first <= head ? first : nil
        }
    }

    private static func statuses(
        _ author: MemberID, _ sequences: ClosedRange<UInt64>, _ board: ReceiptState
    ) -> [MessageStatus] {
        sequences.map { sequence in
            let event = Event(
                header: header(author, sequence), id: .none, bytes: [UInt8](repeating: 0, count: Event.bodyOffset))
            return board.status(of: event)
        }
    }

    private static func header(_ author: MemberID, _ sequence: UInt64) -> EventHeader {
        EventHeader(
            eventClass: .chat, tour: .none, author: author, sequence: sequence, previous: .none,
            clock: LogicalClock(value: sequence), epoch: .none)
    }
}
