import Testing
import TourModel
import TourRuntime
import TourWire

/// Goal: a restart moves no time of a receipt; clocks that are a year off and bytes that are none do no harm.
/// Method: boards that take back what others gave to be kept.
@Suite struct ReceiptKeepingTests {
    private static let me = member(1)
    private static let anna = member(2)
    private static let start: Int64 = 1_777_629_600_000_000

    private static func member(_ number: UInt64) -> MemberID {
        var bytes = [UInt8]()
        for _ in 0..<4 { bytes.append(bigEndian: number) }
        return MemberID(bytes) ?? MemberID(raw: .zero)
    }

    private static func receipt(_ board: ReceiptState, _ author: MemberID, _ sequence: UInt64) -> Receipt {
        let header = EventHeader(
            eventClass: .chat, tour: .none, author: author, sequence: sequence, previous: .none,
            clock: LogicalClock(value: sequence), epoch: .none)
        return board.receipt(of: header, for: anna, storedAt: 0)
    }

    private static func note(
        _ board: inout ReceiptState, _ author: MemberID = me, through sequence: UInt64, read: UInt64? = nil,
        at time: Int64
    ) {
        board.record([PrefixedHead(prefix: author.prefix, sequence: sequence)], of: anna, at: time)
        if let read { board.recordRead(LogicalClock(value: read), by: anna, at: time) }
    }

    private static func restarted(_ board: inout ReceiptState) -> ReceiptState {
        var next = ReceiptState(own: me, marks: [:])
        next.restore(board.drainUnkept())
        return next
    }

    /// The times lie open in the database.
    @Test(arguments: [Int64.min, -1, .max]) func timesThatNobodyWroteDoNoHarm(_ time: Int64) {
        var bytes: [UInt8] = [1]
        bytes.append(bigEndian: UInt64(7))
        // How far it read; then that it never fell back; then what it has of one author.
        for head in [nil, Self.me.prefix] as [UInt64?] {
            if let head { bytes.append(bigEndian: head) }
            bytes.append(2)
            for (value, at) in [(UInt64(3), time), (4, max(time, 9))] {
                bytes.append(bigEndian: value)
                bytes.append(bigEndian: at)
            }
            if head == nil { bytes.append(0) }
        }
        var board = ReceiptState(own: Self.me, marks: [:])
        board.restore([Self.anna: bytes])
        for sequence in 5...80 as ClosedRange<UInt64> {
            Self.note(&board, through: sequence, read: sequence, at: Self.start + Int64(sequence))
        }
        #expect(Self.receipt(board, Self.me, 80).state == .read)
    }

    @Test(arguments: [Int64.min, .max]) func claimsThatCameNeverDoNoHarm(_ time: Int64) {
        var growth = Growth()
        for value in 1...40 as ClosedRange<UInt64> {
            growth.raise(to: value, at: value.isMultiple(of: 2) ? time : Self.start + Int64(value), stepsMax: 4)
        }
        #expect(growth.value == 40)
    }

    @Test func timesDoNotMove() {
        var board = ReceiptState(own: Self.me, marks: [:])
        Self.note(&board, through: 2, at: 10)
        Self.note(&board, through: 4, read: 3, at: 20)
        Self.note(&board, through: 5, read: 9, at: 30)
        // Something came late: it has read less far again.
        Self.note(&board, through: 6, read: 2, at: 40)
        Self.note(&board, through: 6, read: 5, at: 50)
        Self.note(&board, through: 7, read: 5, at: 60)
        let before = (1...8).map { Self.receipt(board, Self.me, $0) }
        var after = Self.restarted(&board)
        #expect((1...8).map { Self.receipt(after, Self.me, $0) } == before)
        #expect(before[1] == Receipt(state: .read, deliveredAtMost: 10, readAtMost: 20))
        // The member says it all again, as whoever meets anew does.
        Self.note(&after, through: 7, read: 5, at: 1_000)
        #expect((1...8).map { Self.receipt(after, Self.me, $0) } == before)
        let unkept = board.drainUnkept()
        #expect(unkept.isEmpty)
    }

    @Test func whatIsNoNewsIsNotKeptAgain() {
        var board = ReceiptState(own: Self.me, marks: [:])
        Self.note(&board, through: 2, read: 1, at: 10)
        var after = Self.restarted(&board)
        Self.note(&after, through: 2, read: 1, at: 99)
        let unkept = after.drainUnkept()
        #expect(unkept.isEmpty)
    }

    @Test func isBounded() throws {
        var board = ReceiptState(own: Self.me, marks: [:])
        for time in 1...40 as ClosedRange<UInt64> {
            Self.note(&board, through: time, read: time, at: Self.start + Int64(time))
            for author in 100...300 as ClosedRange<UInt64> {
                Self.note(&board, Self.member(author), through: time, at: Self.start + Int64(author + time * 1_000))
            }
        }
        let newest = Self.receipt(board, Self.member(300), 40)
        let own = Self.receipt(board, Self.me, 40)
        let kept = board.drainUnkept()
        let bytes = try #require(kept[Self.anna])
        #expect(bytes.count <= 5 * 1_024, "\(bytes.count) bytes")
        var after = ReceiptState(own: Self.me, marks: [:])
        after.restore(kept)
        #expect(Self.receipt(after, Self.me, 40) == own)
        #expect(Self.receipt(after, Self.member(300), 40) == newest)
        #expect(Self.receipt(after, Self.member(100), 40).state == .missing)
    }

    /// A year ahead: what it said is not later than what comes next, by the right clock.
    @Test func aClockThatWasAhead() {
        let year: Int64 = 365 * 86_400_000_000
        var board = ReceiptState(own: Self.me, marks: [:])
        Self.note(&board, through: 1, read: 1, at: Self.start)
        Self.note(&board, through: 2, read: 2, at: Self.start + year)
        var after = Self.restarted(&board)
        Self.note(&after, through: 3, read: 3, at: Self.start + 5)
        let expected = [Self.start, Self.start + 5, Self.start + 5]
        #expect((1...3).map { Self.receipt(after, Self.me, $0).deliveredAtMost } == expected)
        #expect((1...3).map { Self.receipt(after, Self.me, $0).readAtMost } == expected)
    }

    /// A clock that begins in 1970 takes no time away.
    @Test func aClockThatCannotBeRight() {
        var board = ReceiptState(own: Self.me, marks: [:])
        Self.note(&board, through: 1, at: Self.start)
        var after = Self.restarted(&board)
        Self.note(&after, through: 2, at: 60_000_000)
        let times = (1...2).map { Self.receipt(after, Self.me, $0).deliveredAtMost }
        #expect(times == [Self.start, Self.start])
    }

    @Test func aTimeThatHasNotComeIsNotShown() {
        let receipt = Receipt(state: .read, deliveredAtMost: 10, readAtMost: 20)
        #expect(receipt.known(by: 20) == receipt)
        #expect(receipt.known(by: 15) == Receipt(state: .read, deliveredAtMost: 10))
        #expect(receipt.known(by: 5) == Receipt(state: .read))
    }

    @Test func damagedBytesAreNothing() throws {
        var board = ReceiptState(own: Self.me, marks: [:])
        Self.note(&board, through: 2, read: 1, at: 10)
        Self.note(&board, through: 4, read: 3, at: 20)
        let bytes = try #require(board.drainUnkept()[Self.anna])
        func state(_ bytes: [UInt8]) -> Receipt.State {
            var board = ReceiptState(own: Self.me, marks: [:])
            board.restore([Self.anna: bytes])
            return Self.receipt(board, Self.me, 2).state
        }
        #expect(state(bytes) == .read)
        #expect(state([]) == .missing)
        #expect(state([2] + bytes.dropFirst()) == .missing)
        #expect(state(bytes + [0]) == .missing)
        // Cut behind the reading there is one that knows of no author.
        for count in 0..<bytes.count { #expect(state(Array(bytes.prefix(count))) == .missing, "\(count)") }
        // Steps that fall.
        var falling = bytes
        falling[9 + 1 + 7] = 0xFF
        #expect(state(falling) == .missing)
        #expect(state([UInt8](repeating: 0xFF, count: 4_096)) == .missing)
    }
}
