import Glibc
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

    /// The file begins as RFC 2083 wants it, and is as wide as the code with its quiet zone.
    @Test func picture() throws {
        var template = Array("/tmp/tour-commands-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        try #require(file >= 0)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer {
            close(file)
            unlink(path)
        }
        let code = try QRCode("x")
        try PNGFile.write(code, to: path)
        var head = [UInt8](repeating: 0, count: 24)
        try #require(pread(file, &head, head.count, 0) == head.count)
        #expect(Array(head[..<8]) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(head[16...19].reduce(0) { $0 << 8 | Int($1) } == code.columns * 8)
    }

    @Test func refusals() {
        #expect(throws: CommandFailure.self) { try QRCode("") }
        #expect(throws: CommandFailure.self) { try QRCode(String(repeating: "x", count: 5_000)) }
    }
}
