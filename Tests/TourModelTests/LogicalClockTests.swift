import Testing
import TourModel

/// Goal: a clock only grows, never wraps, and is not dragged along by a false one. Method: edges of every rule; the
/// published vectors hold more.
struct LogicalClockTests {
    private let wall: Int64 = 1_767_225_600_000

    @Test func partsComeBack() {
        let clock = LogicalClock(milliseconds: wall, counter: 513)
        #expect(clock.milliseconds == wall)
        #expect(clock.counter == 513)
    }

    @Test func wallTimesAreClamped() {
        #expect(LogicalClock(milliseconds: -1) == .zero)
        #expect(LogicalClock(milliseconds: .min) == .zero)
        #expect(LogicalClock(milliseconds: .max).milliseconds == LogicalClock.millisecondsMax)
        #expect(LogicalClock.millisecondsMax == 281_474_976_710_655)
    }

    @Test func nextIsAboveEverythingSeen() {
        var clock = LogicalClock.zero
        for step in [0, 0, 5, 4, -100, 5, 1_000] as [Int64] {
            let next = clock.next(wallMilliseconds: wall + step)
            #expect(next > clock)
            #expect(next >= LogicalClock(milliseconds: wall + step))
            clock = next
        }
    }

    @Test func counterCarriesAndTheClockSaturates() {
        let full = LogicalClock(milliseconds: wall, counter: .max)
        #expect(full.next(wallMilliseconds: wall) == LogicalClock(milliseconds: wall + 1))
        let last = LogicalClock(value: .max)
        #expect(last.next(wallMilliseconds: wall) == last)
        #expect(last.next(wallMilliseconds: .max) == last)
        #expect(LogicalClock(value: .max - 1).next(wallMilliseconds: wall) == last)
    }

    @Test func onlyCredibleReadingsMoveUs() {
        let ours = LogicalClock(milliseconds: wall, counter: 3)
        let lead = Limits.clockLeadMillisecondsMax
        let edge = LogicalClock(milliseconds: wall + lead, counter: .max)
        #expect(ours.witnessing(edge, wallMilliseconds: wall) == edge)
        let beyond = LogicalClock(milliseconds: wall + lead + 1)
        #expect(ours.witnessing(beyond, wallMilliseconds: wall) == ours)
        #expect(ours.witnessing(LogicalClock(value: .max), wallMilliseconds: wall) == ours)
        #expect(ours.witnessing(.zero, wallMilliseconds: wall) == ours)
    }
}
