import Foundation
import Testing
import TourMailbox

// Goal: a server's time is one that everything else can reckon with, or none. Method: years at and beyond the bounds.
@Suite struct ServerTimeTests {
    private static func time(_ text: String) -> Int64? {
        try? JSONDecoder().decode([ServerTime].self, from: Data("[\"\(text)\"]".utf8)).first?.milliseconds
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-11-25T10:00:00Z", 1_795_600_800_000),
        ("9999-12-31T23:59:59Z", 253_402_300_799_000),
    ])
    func timesAreRead(_ text: String, _ milliseconds: Int64) { #expect(Self.time(text) == milliseconds) }

    private static let beyond = [
        "1969-12-31T23:59:59Z", "10000-01-01T00:00:00Z", "300000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z",
        "292277026596-12-04T15:30:08Z", "soon", "",
    ]

    @Test(arguments: beyond)
    func timesBeyondAllCalendarsAreNone(_ text: String) { #expect(Self.time(text) == nil) }
}
