import Foundation
import ServerBase
import ServerStorage
import Testing
import TourServer

/// Goal: the server's SQL stays what both SQLite and PostgreSQL take. Method: reads the statements in the sources, and
/// has a PostgreSQL prepare each.
struct StatementTests {
    private static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
    /// Only the server's modules have SQL of both.
    private static let modules = [
        "ServerStorage", "ServerRequests", "ServerAccounts", "ServerNotebook", "ServerTours", "TourServer",
    ]

    private static func statements() throws -> [String] {
        let files = modules.flatMap { module in
            FileManager.default.enumerator(atPath: folder.appendingPathComponent(module).path)?
                .compactMap { ($0 as? String).map { "\(module)/\($0)" } } ?? []
        }
        // Some are of one engine alone.
        let own = ["ServerStorage/Storage/SQLite/", "ServerStorage/Storage/Postgres/"]
        let shared = files.filter { file in !own.contains { file.hasPrefix($0) } }
        return try shared.filter { $0.hasSuffix(".swift") }.sorted().flatMap {
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

    /// What stands in statements where the sources have a name; a number where nothing is here.
    private static let parts = [
        "places": "$6, $7", "wanted": "$4, $5", "list": "$3, $4",
        "Invitation.columns": "number, email, phone, created_at",
        "NotebookRow.columns": "id, kind, body, version, writer, stamp, created, updated, deleted, number",
        "StoredTour.columns": "tours.number, tours.id, tours.plan", "Account.columns": "accounts.id, accounts.email",
        "table": "blobs", "columns": "hash",
        "holder": "invitations", "column": "email", "key": "number", "order": "number", "isSame": "",
    ]

    private static func whole(_ statement: String) -> String {
        statement.replacing(/\\\(((?:[^()]|\([^()]*\))*)\)/) { part in
            let condition =
                if statement.contains("blobs") {
                    "tour = $1 AND member = $2"
                } else if statement.contains("FROM accounts") {
                    "accounts.disabled = 1"
                } else {
                    "deleted = 1"
                }
            return part.1 == "condition" ? condition : parts[String(part.1)] ?? "5"
        }
    }

    @Test(.enabled(if: TestDatabase.isPostgres, "no PostgreSQL is named"))
    func postgresPreparesEveryStatement() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let storage = try TestDatabase.storage(of: directory)
        _ = try await storage.migrate()
        // Those of the schema were executed just now.
        let statements = try Self.statements().filter { $0.contains(/^(INSERT|SELECT|UPDATE|DELETE)\s/) }
        #expect(statements.count > 100)
        for (number, statement) in statements.enumerated() {
            do {
                try await storage.write { sql throws(Failure) in
                    _ = try sql.run("PREPARE p\(number) AS \(Self.whole(statement))", [])
                }
            } catch {
                Issue.record("\(statement): \(error)")
            }
        }
        try await storage.close()
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
