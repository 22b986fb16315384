import Testing
import TourModel
import TourRuntime

// Goal: what a quiet withholds is the same in whatever order its changes come, and readers are told of exactly what
// counts otherwise than before. Method: changes by two guides in every order, and messages around them.
@Suite struct QuietStateTests {
    private static let guide = MemberID(hex: String(repeating: "a", count: 64)) ?? MemberID(raw: .zero)

    private static func change(_ clock: UInt64, _ isOn: Bool) -> QuietState.Change {
        QuietState.Change(
            clock: LogicalClock(value: clock), id: EventID(hex: String(repeating: "1", count: 64)) ?? .none,
            author: guide, isOn: isOn)
    }

    private static func isOn(_ state: QuietState, at clock: UInt64) -> Bool {
        state.isOn(at: LogicalClock(value: clock), .none)
    }

    @Test func anyOrderOfArrivalGivesTheSame() {
        let changes = [Self.change(10, true), Self.change(20, false), Self.change(30, true)]
        var outcomes: Set<[Bool]> = []
        for first in 0..<3 {
            for second in 0..<3 where second != first {
                var state = QuietState()
                for index in [first, second, 3 - first - second, first] { state.record(changes[index]) }
                outcomes.insert([5, 15, 25, 35].map { Self.isOn(state, at: $0) } + [state.isOn])
            }
        }
        #expect(outcomes == [[false, true, false, true, true]])
    }

    @Test func itSaysWhatCountsOtherwise() {
        var state = QuietState()
        #expect(state.record(Self.change(20, false)) == nil)
        #expect(
            state.record(Self.change(30, true)) == LogicalClock(value: 30)...LogicalClock(value: .max))
        // One that comes late: what stands between it and the next change.
        #expect(state.record(Self.change(10, true)) == LogicalClock(value: 10)...LogicalClock(value: 20))
        #expect(state.record(Self.change(10, true)) == nil)
        #expect(state.record(Self.change(15, true)) == nil)
    }

    @Test func theNewestChangesAreKept() {
        var state = QuietState()
        for number in 0...Limits.quietChangesMax {
            state.record(Self.change(UInt64(number) * 2 + 2, number.isMultiple(of: 2)))
        }
        #expect(!Self.isOn(state, at: 3), "the oldest change is gone")
        #expect(state.isOn)
        #expect(!Self.isOn(state, at: UInt64(Limits.quietChangesMax) * 2 + 1))
    }
}
