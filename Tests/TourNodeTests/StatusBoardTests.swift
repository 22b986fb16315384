import Testing
import TourModel
import TourNode
import TourStore
import TourWire

/// Goal: a status says what is known, for our own messages and for others', and never goes down.
/// Method: claims of made-up members, one refresh after each, and the statuses of single messages.
@Suite struct StatusBoardTests {
    private static let me = member("1")
    private static let anna = member("a")
    private static let ben = member("b")
    private static let all = [me, anna, ben]

    @Test func ourOwnMessages() {
        var board = StatusBoard(marks: [:])
        #expect(Self.statuses(Self.me, 1...3, board) == [.pending, .pending, .pending])
        Self.note(Self.claim(Self.anna, 1, of: Self.me, through: 2), on: &board)
        let changes = Self.refresh(&board, Self.me, head: 3, Self.all)
        let ranges: [ClosedRange<UInt64>] = changes.map { $0.range }
        #expect(ranges == [1...2])
        #expect(Self.statuses(Self.me, 1...3, board) == [.sent, .sent, .pending])
        Self.note(Self.claim(Self.ben, 1, of: Self.me, through: 1), on: &board)
        _ = Self.refresh(&board, Self.me, head: 3, Self.all)
        #expect(Self.statuses(Self.me, 1...3, board) == [.delivered, .sent, .pending])
        let again = Self.refresh(&board, Self.me, head: 3, Self.all)
        #expect(again.isEmpty)
    }

    @Test func messagesOfOthersAreSentAtLeast() {
        var board = StatusBoard(marks: [:])
        #expect(Self.statuses(Self.anna, 1...1, board) == [.sent])
        _ = Self.refresh(&board, Self.anna, head: 2, Self.all)
        #expect(Self.statuses(Self.anna, 1...2, board) == [.sent, .sent])
        Self.note(Self.claim(Self.ben, 1, of: Self.anna, through: 1), on: &board)
        _ = Self.refresh(&board, Self.anna, head: 2, Self.all)
        #expect(Self.statuses(Self.anna, 1...2, board) == [.delivered, .sent])
    }

    @Test func nothingFalls() {
        let mark = Watermark(author: Self.me, sentThrough: 3, deliveredThrough: 2)
        var board = StatusBoard(marks: [Self.me: mark])
        // Nobody has said anything since the start.
        let changes = Self.refresh(&board, Self.me, head: 4, Self.all)
        #expect(changes.isEmpty)
        #expect(board.marks[Self.me] == mark)
        #expect(Self.statuses(Self.me, 1...4, board) == [.delivered, .delivered, .sent, .pending])
        // An older claim that comes late takes nothing back.
        Self.note(Self.claim(Self.anna, 2, of: Self.me, through: 4), on: &board)
        Self.note(Self.claim(Self.anna, 1, of: Self.me, through: 1), on: &board)
        _ = Self.refresh(&board, Self.me, head: 4, Self.all)
        #expect(Self.statuses(Self.me, 1...4, board) == [.delivered, .delivered, .sent, .sent])
    }

    @Test func memberWhoCameLaterNeedsOnlyWhatCameAfter() {
        var board = StatusBoard(marks: [:])
        _ = Self.refresh(&board, Self.anna, head: 5, Self.all, benNeeds: nil)
        #expect(Self.statuses(Self.anna, 5...5, board) == [.delivered])
        _ = Self.refresh(&board, Self.anna, head: 7, Self.all, benNeeds: 6)
        #expect(Self.statuses(Self.anna, 5...7, board) == [.delivered, .sent, .sent])
        Self.note(Self.claim(Self.ben, 1, of: Self.anna, through: 6), on: &board)
        _ = Self.refresh(&board, Self.anna, head: 7, Self.all, benNeeds: 6)
        #expect(Self.statuses(Self.anna, 5...7, board) == [.delivered, .delivered, .sent])
    }

    @Test func memberWhoLeftIsNotWaitedFor() {
        var board = StatusBoard(marks: [:])
        Self.note(Self.claim(Self.anna, 1, of: Self.me, through: 2), on: &board)
        _ = Self.refresh(&board, Self.me, head: 2, Self.all)
        #expect(Self.statuses(Self.me, 2...2, board) == [.sent])
        _ = Self.refresh(&board, Self.me, head: 2, [Self.me, Self.anna])
        #expect(Self.statuses(Self.me, 2...2, board) == [.delivered])
    }

    @Test func claimsAboutStrangersAreNotKept() {
        var board = StatusBoard(marks: [:])
        board.note(Self.claim(Self.anna, 1, of: Self.me, through: 1)) { _ in false }
        let changes = Self.refresh(&board, Self.me, head: 1, Self.all)
        #expect(changes.isEmpty)
        #expect(Self.statuses(Self.me, 1...1, board) == [.pending])
    }

    private static func member(_ digit: Character) -> MemberID {
        MemberID(hex: String(repeating: digit, count: 64)) ?? MemberID(raw: .zero)
    }

    private static func claim(
        _ member: MemberID, _ counter: UInt64, of author: MemberID, through sequence: UInt64
    ) -> FrontierClaim {
        FrontierClaim(
            member: member, counter: counter, heads: [PrefixedHead(prefix: author.prefix, sequence: sequence)])
    }

    private static func note(_ claim: FrontierClaim, on board: inout StatusBoard) {
        board.note(claim) { prefix in all.contains { $0.prefix == prefix } }
    }

    /// - Parameter benNeeds: the first message that Ben must have; nil while there is none.
    private static func refresh(
        _ board: inout StatusBoard, _ author: MemberID, head: UInt64, _ members: [MemberID], benNeeds: UInt64? = 1
    ) -> [(range: ClosedRange<UInt64>, mark: Watermark)] {
        board.refresh(authors: [author: head], members: members, own: me) { _, member, above in
            guard member == ben else { return 1 }
            guard let benNeeds, benNeeds > above else { return nil }
            return benNeeds
        }
    }

    private static func statuses(
        _ author: MemberID, _ sequences: ClosedRange<UInt64>, _ board: StatusBoard
    ) -> [MessageStatus] {
        sequences.map { sequence in
            let header = EventHeader(
                eventClass: .chat, tour: .none, author: author, sequence: sequence, previous: .none, clock: .zero,
                epoch: .none)
            let event = Event(header: header, id: .none, bytes: [UInt8](repeating: 0, count: Event.bodyOffset))
            return board.status(of: event, own: me)
        }
    }
}
