import Glibc
import Testing
import TourClient
import TourCode

/// Goal: a code stands in the terminal and in a picture as it is.
/// Method: measures both.
@Suite struct ShownCodeTests {
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
}
