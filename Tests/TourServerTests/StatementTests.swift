import Foundation
import Testing

/// Goal: the server's SQL stays what both SQLite and PostgreSQL take. Method: reads the statements in the sources.
struct StatementTests {
    private static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/TourServer")

    private static func statements() throws -> [String] {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try files.filter { $0.hasSuffix(".swift") && !$0.hasSuffix(".yaml.swift") }.sorted().flatMap {
            statements(in: try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
        }
    }

    private static func statements(in source: String) -> [String] {
        let long = source.matches(of: /"""\n([^"]+)"""/).map { String($0.1) }
        let short = source.matches(of: /"([^"\n]+)"/).map { String($0.1) }
        return (long + short).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            .filter { $0.contains(/^(CREATE|ALTER|DROP|INSERT|SELECT|UPDATE|DELETE)\s/) }
    }

    /// What only one of the two takes.
    private static func faults(_ statement: String) -> [String] {
        let numbers = statement.matches(of: /\$(\d+)/).compactMap { Int($0.1) }
        var faults = numbers == Array(1..<(numbers.count + 1)) ? [] : ["parameters out of order"]
        let types = /\?|\bAUTOINCREMENT\b|\bINTEGER\b|\bBLOB\b|\bSERIAL\b/
        let words = /\bOR (?:REPLACE|IGNORE)\b|\browid\b|\b(?:strf|date|julian)time\(/
        faults += statement.matches(of: types.ignoresCase()).map { String($0.0) }
        faults += statement.matches(of: words.ignoresCase()).map { String($0.0) }
        return faults
    }

    @Test func everyStatementIsPlain() throws {
        let statements = try Self.statements()
        #expect(statements.count > 40)
        for statement in statements { #expect(Self.faults(statement) == [], "\(statement)") }
    }

    @Test func samplesAreJudgedRight() {
        #expect(Self.faults("SELECT a FROM b WHERE c = $1 AND d = $2") == [])
        #expect(Self.faults("SELECT a FROM b WHERE c = $2 AND d = $1") == ["parameters out of order"])
        #expect(Self.faults("SELECT a FROM b WHERE c = $1 OR d = $1") == ["parameters out of order"])
        #expect(Self.faults("INSERT OR REPLACE INTO a VALUES ($1)") == ["OR REPLACE"])
        #expect(Self.faults("CREATE TABLE a (b BLOB)") == ["BLOB"])
        #expect(Self.statements(in: "x(\"SELECT 1\")\nlet a = \"\"\"\n    DELETE FROM b\n    \"\"\"").count == 2)
    }
}
