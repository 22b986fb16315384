import Testing
import TourCommands

/// Goal: a phone can read what the terminal shows.
/// Method: the finder patterns and the quiet zone stand where the standard wants them.
@Suite struct QRCodeTests {
    @Test func shape() throws {
        let code = try QRCode("tour-chat://join/ABC?a=192.168.1.20:4711")
        let zone = QRCode.quietZone
        #expect(code.columns == code.side + 2 * zone)
        for (row, column) in [(zone, zone), (zone, zone + code.side - 1), (zone + code.side - 1, zone)] {
            #expect(code.isDark(row: row, column: column))
        }
        for index in 0..<code.columns {
            #expect(!code.isDark(row: zone - 1, column: index) && !code.isDark(row: index, column: 0))
        }
    }

    @Test func lines() throws {
        let code = try QRCode("x")
        let lines = code.lines(colored: false)
        #expect(lines.count == (code.columns + 1) / 2)
        #expect(lines.allSatisfy { $0.count == code.columns })
        #expect(lines[0] == String(repeating: "█", count: code.columns))
    }

    @Test func refusals() {
        #expect(throws: CommandFailure.self) { try QRCode("") }
        #expect(throws: CommandFailure.self) { try QRCode(String(repeating: "x", count: 5_000)) }
    }
}
