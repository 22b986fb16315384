/// Another database whose rows are copied.
struct PostgresSource: Sendable {
    /// Passes all rows of a table, with these columns, to the function, some at a time.
    let read:
        @Sendable (
            _ table: String, _ columns: [String], _ take: ([[SQLValue]]) throws(Failure) -> Void
        ) throws(Failure) -> Void
}

extension PostgresStorage {
    /// Fills this database, which has the schema and nothing else, with the rows of another one of the same schema; all
    /// or none.
    /// - Returns: how many rows there are.
    /// - Throws: `unavailable` when there are rows already.
    func fill(from source: PostgresSource) async throws(Failure) -> Int {
        try await writeAlone { sql throws(Failure) in
            for table in ["accounts", "tours", "notebook"] {
                guard try sql.row("SELECT 1 FROM \(table) LIMIT 1", []) == nil else {
                    throw Failure(
                        .unavailable, cause: "the PostgreSQL database has accounts or tours already: name an empty one")
                }
            }
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
            // Without it the first requests would be planned for empty tables.
            try sql.run("ANALYZE", [])
            return count
        }
    }
}

/// What is asked of the database that is filled, and done to it beside its rows.
private struct Filling {
    let sql: any SQL

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
