import Testing
import TourModel

// Goal: no time, whoever gave it, ends the program that shows it. Method: the ends of what a number can say.
@Suite struct TimestampBoundTests {
    @Test(arguments: [Int64.max, 9_405_000_000_000_000, 253_402_300_800_000])
    func whatIsTooLateIsTheLastMoment(_ milliseconds: Int64) {
        #expect(Timestamp.text(milliseconds: milliseconds) == "9999-12-31T23:59:59.999000Z")
    }

    @Test(arguments: [Int64.min, -62_167_219_200_001])
    func whatIsTooEarlyIsTheFirst(_ milliseconds: Int64) {
        #expect(Timestamp.text(milliseconds: milliseconds) == "0000-01-01T00:00:00.000000Z")
    }

    @Test func whatIsBetweenStands() {
        #expect(Timestamp.text(milliseconds: 1_795_600_800_123) == "2026-11-25T10:00:00.123000Z")
    }
}
