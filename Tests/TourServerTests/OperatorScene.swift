import NIOHTTP1
import ServerBase
import ServerStorage
import TourServer

extension RunningServer {
    /// Lets the operator work on the data of this server, beside it, as a command does.
    func asOperator<Value: Sendable>(
        _ body: (ServerOperator) async throws -> Value
    ) async throws -> Value {
        let door = try OpenedServer(settings: .data(in: directory))
        let clock = clock
        do {
            let value = try await body(ServerOperator(door, user: "dispatcher", now: { clock.now }))
            try await door.storage.close()
            return value
        } catch {
            try? await door.storage.close()
            throw error
        }
    }

    func logIn(_ email: String, password: String = "correct horse") async throws -> Reply {
        try await send(.POST, "/auth/login", #"{"email":"\#(email)","password":"\#(password)"}"#)
    }

    /// Every column of the database, by its table.
    private func columns() async throws -> [(table: String, column: String, type: String)] {
        let storage = try TestDatabase.storage(of: directory)
        let statement =
            TestDatabase.isPostgres
            ? """
            SELECT table_name::text, column_name::text, upper(data_type::text) FROM information_schema.columns
            WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position
            """
            : """
            SELECT m.name, c.name, c.type FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
            WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY m.name, c.cid
            """
        let found = try await storage.read { sql throws(Failure) in
            var columns = [(table: String, column: String, type: String)]()
            for row in try sql.rows(statement, []) {
                columns.append((try row.text(0), try row.text(1), try row.text(2)))
            }
            return columns
        }
        try await storage.close()
        return found
    }

    /// The tables in which a column of this name has this number.
    func tables(where column: String, is number: Int64) async throws -> [String] {
        let tables = try await columns().filter { $0.column == column && $0.type == "BIGINT" }.map(\.table)
        let counts = try await counts(tables.map { ($0, "\(column) = $1", .integer(number)) })
        return zip(tables, counts).filter { $0.1 > 0 }.map { $0.0 }
    }

    /// The tables in which any text holds this one.
    func tables(holding text: String) async throws -> Set<String> {
        let texts = try await columns().filter { $0.type == "TEXT" }
        let counts = try await counts(texts.map { ($0.table, "\($0.column) LIKE $1", .text("%\(text)%")) })
        return Set(zip(texts, counts).filter { $0.1 > 0 }.map { $0.0.table })
    }

    private func counts(_ conditions: [(table: String, condition: String, value: SQLValue)]) async throws -> [Int64] {
        let storage = try TestDatabase.storage(of: directory)
        let counts = try await storage.read { sql throws(Failure) in
            var counts = [Int64]()
            for (table, condition, value) in conditions {
                counts.append(
                    try sql.row("SELECT COUNT(*) FROM \(table) WHERE \(condition)", [value])?.integer(0) ?? 0)
            }
            return counts
        }
        try await storage.close()
        return counts
    }
}
