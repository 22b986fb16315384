import Testing
import TourClient
import TourModel

/// Goal: a moment that is over is read as people write it.
/// Method: what they write at one known moment.
struct PastArgumentTests {
    private static let now = Timestamp("2026-06-01T12:00:00Z")!

    @Test(arguments: [("20m", 1_200), ("2h", 7_200), ("1d", 86_400)])
    func soLongAgo(text: String, seconds: Int) {
        #expect(PastArgument(text, now: Self.now)?.moment.seconds == Self.now.seconds - seconds)
    }

    /// Whatever the clocks here show now, a time of day is one of the last 24 hours.
    @Test(arguments: ["00:00", "11:59", "12:01", "23:59"])
    func aTimeOfDayIsTheLastOne(text: String) throws {
        let moment = try #require(PastArgument(text, now: Self.now)?.moment)
        #expect(moment.seconds <= Self.now.seconds && moment.seconds > Self.now.seconds - 90_000)
    }

    @Test func aMomentOfADay() {
        #expect(PastArgument("2026-06-01T11:00:00Z", now: Self.now)?.moment.seconds == Self.now.seconds - 3_600)
    }

    @Test(arguments: ["", "soon", "2026-06-01T13:00:00Z", "25:00", "-5m"])
    func whatIsToComeOrNoMomentIsNone(text: String) { #expect(PastArgument(text, now: Self.now) == nil) }
}
