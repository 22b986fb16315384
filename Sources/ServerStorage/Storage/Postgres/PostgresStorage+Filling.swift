import ServerBase

/// Another database whose rows are copied.
package struct PostgresSource: Sendable {
    /// Passes all rows of a table, with these columns, to the function, some at a time.
    let read:
        @Sendable (
            _ table: String, _ columns: [String], _ take: ([[SQLValue]]) throws(Failure) -> Void
        ) throws(Failure) -> Void

    package init(
        read:
            @escaping @Sendable (
                _ table: String, _ columns: [String], _ take: ([[SQLValue]]) throws(Failure) -> Void
            ) throws(Failure) -> Void
    ) {
        self.read = read
    }
}

extension PostgresStorage {
    /// Fills this database, which has the schema and nothing else, with the rows of another one of the same schema; all
    /// or none.
    /// - Parameter name: what `filling` says until `forgetFilling`; nil: nothing.
    /// - Returns: how many rows there are.
    /// - Throws: `unavailable` when there are rows already.
    package func fill(from source: PostgresSource, named name: String? = nil) async throws(Failure) -> Int {
        try await writeAlone { sql throws(Failure) in
            guard try Filling(sql: sql).isEmpty() else {
                throw Failure(
                    .unavailable, cause: "the PostgreSQL database has accounts or tours already: name an empty one")
            }
            try sql.run("DROP TABLE IF EXISTS \(Filling.mark)", [])
            var count = 0
            let filling = Filling(sql: sql)
            for (table, columns) in try filling.tables() where table != "migrations" {
                let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
                let places = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
                let statement = "INSERT INTO \"\(table)\" (\(names)) VALUES (\(places))"
                try source.read(table, columns) { rows throws(Failure) in
                    if table == "counters" {
                        for row in rows { try filling.continueNumbers(SQLRow(values: row), columns) }
                    } else {
                        try sql.run(statement, each: rows)
                    }
                    count += rows.count
                }
            }
            if let name {
                try sql.run("CREATE TABLE \(Filling.mark) (name TEXT NOT NULL)", [])
                try sql.run("INSERT INTO \(Filling.mark) (name) VALUES ($1)", [.text(name)])
            }
            // Without it the first requests would be planned for empty tables.
            try sql.run("ANALYZE", [])
            return count
        }
    }

    /// Whether the database has no accounts and tours, and the name that the last `fill` left.
    package func filling() async throws(Failure) -> (isEmpty: Bool, filled: String?) {
        try await read { sql throws(Failure) in
            let filling = Filling(sql: sql)
            guard try filling.has(Filling.mark) else { return (try filling.isEmpty(), nil) }
            let row = try sql.row("SELECT name FROM \(Filling.mark)", [])
            return (try filling.isEmpty(), try row?.text(0))
        }
    }

    /// Ends what `filling` says.
    package func forgetFilling() async throws(Failure) {
        try await write { sql throws(Failure) in _ = try sql.run("DROP TABLE IF EXISTS \(Filling.mark)", []) }
    }
}

/// What is asked of the database that is filled, and done to it beside its rows.
private struct Filling {
    let sql: any SQL

    /// The table with the name that the last `fill` left.
    static let mark = "last_filling"

    func has(_ table: String) throws(Failure) -> Bool {
        try sql.row(
            "SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = $1",
            [.text(table)]) != nil
    }

    func isEmpty() throws(Failure) -> Bool {
        for table in ["accounts", "tours", "notebook"] {
            guard try has(table) else { continue }
            guard try sql.row("SELECT 1 FROM \(table) LIMIT 1", []) == nil else { return false }
        }
        return true
    }

    /// The tables of the schema with their columns.
    func tables() throws(Failure) -> [(table: String, columns: [String])] {
        let found = try sql.rows(
            """
            SELECT table_name::text, column_name::text FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name IN (
                SELECT table_name FROM information_schema.tables
                WHERE table_schema = current_schema() AND table_type = 'BASE TABLE')
            ORDER BY table_name, ordinal_position
            """, [])
        var tables = [(table: String, columns: [String])]()
        for row in found {
            let (table, column) = (try row.text(0), try row.text(1))
            if tables.last?.table != table { tables.append((table, [])) }
            tables[tables.count - 1].columns.append(column)
        }
        return tables
    }

    /// Lets numbers go on behind those of the row of `counters`.
    func continueNumbers(_ row: SQLRow, _ columns: [String]) throws(Failure) {
        guard let name = columns.firstIndex(of: "name"), let value = columns.firstIndex(of: "value") else { return }
        let counter = try row.text(name)
        // Makes the sequence.
        _ = try sql.nextNumber(counter)
        _ = try sql.rows(
            "SELECT setval($1::text::regclass, $2)",
            [.text(PostgresNumbers.sequence(counter)), .integer(try row.integer(value))])
    }
}
