import Foundation
import Logging
import ServerBase
import Synchronization
import Testing

/// Goal: each line of the log is one JSON object, whatever the text in it.
struct JSONLogTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private struct Line: Decodable {
        var time: String
        var level: String
        var message: String
        var request: String?
        var metadata: [String: String]?
    }

    private static func written(_ body: (Logger) -> Void) throws -> [Line] {
        let lines = Lines()
        let logger = Logger(label: "test") { _ in
            JSONLogHandler { line in lines.all.withLock { $0.append(line) } }
        }
        body(logger)
        return try lines.all.withLock { $0 }.map { line in
            #expect(!line.contains("\n"))
            return try JSONDecoder().decode(Line.self, from: Data(line.utf8))
        }
    }

    @Test func eachLineIsAnObject() throws {
        let lines = try Self.written { logger in
            logger.info("request", metadata: ["request": "a1", "status": "200", "route": "/groups/{id}"])
            logger.error("two\nlines \"quoted\" 😀\u{1}", metadata: ["cause": "a\nb"])
            logger.debug("below the level")
            logger.notice("nothing more")
        }
        #expect(lines.map(\.level) == ["info", "error", "notice"])
        #expect(lines.map(\.request) == ["a1", nil, nil])
        #expect(lines[0].metadata == ["status": "200", "route": "/groups/{id}"])
        #expect(lines[1].message == "two\nlines \"quoted\" 😀\u{1}" && lines[1].metadata == ["cause": "a\nb"])
        #expect(lines[2].metadata == nil)
    }

    /// Source: RFC 3339, section 5.6.
    @Test func timeIsOfTheInternet() throws {
        let line = try #require(try Self.written { $0.info("x") }.first)
        #expect(line.time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(line.time)")
    }
}
