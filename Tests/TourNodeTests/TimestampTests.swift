import Testing
import TourModel
import TourNode

/// Goal: times are RFC 3339 in UTC with microseconds, whatever the number, and are read as they were written.
/// Method: known instants, the days around leap days, and numbers beyond the years that can be written.
@Suite struct TimestampTests {
    @Test func knownInstants() {
        let instants: [(Int64, String)] = [
            (0, "1970-01-01T00:00:00.000000Z"),
            (1, "1970-01-01T00:00:00.000001Z"),
            (-1, "1969-12-31T23:59:59.999999Z"),
            (1_777_629_600_000_001, "2026-05-01T10:00:00.000001Z"),
        ]
        for (microseconds, text) in instants { #expect(Timestamp.text(microseconds: microseconds) == text) }
    }

    @Test func leapDays() {
        let instants: [(Int64, String)] = [
            (-11_670_955_200_000_000, "1600-02-29T12:00:00.000000Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
            (1_709_251_199_999_999, "2024-02-29T23:59:59.999999Z"),
            (1_709_251_200_000_000, "2024-03-01T00:00:00.000000Z"),
            (4_107_542_399_000_000, "2100-02-28T23:59:59.000000Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
        ]
        for (microseconds, text) in instants { #expect(Timestamp.text(microseconds: microseconds) == text) }
    }

    @Test func reading() {
        #expect(Timestamp("1970-01-01T00:00:00Z")?.seconds == 0)
        #expect(Timestamp("2024-02-29T12:30:45.123456Z")?.seconds == 1_709_209_845)
        for bad in [
            "2026-11-21 04:13:31Z", "2026-13-21T04:13:31Z", "", "2026-02-29T04:13:31Z", "2026-11-31T04:13:31Z",
            "2026-11-21T04:13:60Z", "2026-11-21T04:13:31.Z", "2026-11-21T04:13:31 xZ", "2026-11-21T04:13:31+03:00Z",
            "2026-11-21T04:13:31.1234567890Z",
        ] { #expect(Timestamp(bad) == nil, "\(bad)") }
    }

    @Test func whatIsWrittenIsRead() {
        for seconds in stride(from: -62_167_219_200, through: 253_402_300_799, by: 86_399 * 977) {
            let text = Timestamp.text(microseconds: Int64(seconds) * 1_000_000 + 7)
            #expect(Timestamp(text)?.seconds == seconds, "\(text)")
        }
    }

    @Test func whatCannotBeWrittenIsTheNearestThatCan() {
        #expect(Timestamp.text(microseconds: Int64.max) == "9999-12-31T23:59:59.999999Z")
        #expect(Timestamp.text(microseconds: Int64.min) == "0000-01-01T00:00:00.000000Z")
    }
}
