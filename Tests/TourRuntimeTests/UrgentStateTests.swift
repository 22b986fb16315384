import Testing
import TourModel
import TourRuntime
import TourWire

// Goal: who has understood is the same in whatever order events come. Method: announcements and what members say to
// them, forwards and backwards; more of it than is kept.
@Suite struct UrgentStateTests {
    private static let guide = MemberID(hex: String(repeating: "a", count: 64)) ?? MemberID(raw: .zero)
    private static let ben = MemberID(hex: String(repeating: "b", count: 64)) ?? MemberID(raw: .zero)

    private static func event(_ number: Int) -> EventID {
        let digits = String(number, radix: 16)
        return EventID(hex: String(repeating: "0", count: 64 - digits.count) + digits) ?? .none
    }

    private static func announce(_ number: Int, urgent: Bool = true, in book: inout UrgentState) {
        let clock = LogicalClock(value: UInt64(number))
        let header = EventHeader(
            eventClass: .announcement, tour: .none, author: guide, sequence: UInt64(number), previous: .none,
            clock: clock, epoch: .none)
        let said = Content.Announcement(text: "Run", urgent: urgent, expiresAt: nil, replyTo: nil)
        book.record(said, header, event(number))
    }

    @Test func understoodBeforeItCameIsUnderstood() {
        var book = UrgentState()
        book.record(understood: Self.event(5), by: Self.ben, clock: LogicalClock(value: 9))
        book.record(understood: Self.event(5), by: Self.ben, clock: LogicalClock(value: 7))
        book.record(understood: Self.event(5), by: Self.ben, clock: LogicalClock(value: 8))
        Self.announce(5, in: &book)
        Self.announce(5, in: &book)
        Self.announce(6, urgent: false, in: &book)
        #expect(book.entries.map(\.id) == [Self.event(5)])
        #expect(book.understood(Self.event(5), by: Self.ben) == LogicalClock(value: 7))
        #expect(book.understood(Self.event(5), by: Self.guide) == nil)
    }

    @Test func theNewestAreKept() {
        var (forwards, backwards) = (UrgentState(), UrgentState())
        let numbers = 1...200
        for number in numbers {
            Self.announce(number, in: &forwards)
            forwards.record(understood: Self.event(number), by: Self.ben, clock: LogicalClock(value: UInt64(number)))
        }
        for number in numbers.reversed() {
            Self.announce(number, in: &backwards)
            backwards.record(understood: Self.event(number), by: Self.ben, clock: LogicalClock(value: UInt64(number)))
        }
        #expect(
            forwards.entries.map(\.id) == backwards.entries.map(\.id) && forwards.entries.last?.id == Self.event(200))
        for book in [forwards, backwards] {
            let kept = numbers.filter { book.understood(Self.event($0), by: Self.ben) != nil }
            #expect(kept == Array(200 - Limits.understoodOfMemberMax + 1...200))
        }
    }

    @Test func onlyItsAuthorTakesItBack() {
        var book = UrgentState()
        Self.announce(1, in: &book)
        book.withdraw(Self.event(1), by: Self.ben)
        #expect(book.entries.count == 1)
        book.withdraw(Self.event(1), by: Self.guide)
        #expect(book.entries.isEmpty)
    }
}
