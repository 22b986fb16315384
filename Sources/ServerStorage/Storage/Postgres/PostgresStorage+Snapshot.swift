import ServerBase

extension PostgresStorage {
    /// Rows that are read from a table at a time.
    private static let pageRows = 200

    /// See `Storage.snapshot`. One transaction reads all tables, and so the state of one moment.
    package func snapshot(to path: String, of migrations: [Migration]) async throws(Failure) {
        let steps = try await read { sql throws(Failure) in try Migration.taken(in: sql, of: migrations) }
        let schema = try SQLiteStorage(path: path)
        _ = try await schema.migrate(migrations.filter { steps.contains($0.name) })
        try schema.close()
        try await read { sql throws(Failure) in
            guard try Migration.taken(in: sql, of: migrations) == steps else {
                throw Failure(.unavailable, cause: "the database was just migrated: start the backup again")
            }
            let file = try SQLiteFile(filling: path)
            let tables = try file.tables()
            try file.write { into throws(Failure) in
                for (table, columns) in tables where table != "migrations" {
                    // A transaction whose connection was lost begins anew.
                    try into.run("DELETE FROM \"\(table)\"", [])
                    try Self.copy(table, columns, from: sql, to: into)
                }
                try Self.copyNumbers(from: sql, to: into)
            }
            try file.close()
        }
    }

    private static func copy(
        _ table: String, _ columns: [String], from sql: any SQL, to into: any SQL
    ) throws(Failure) {
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        let places = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        try sql.run("DECLARE snapshot NO SCROLL CURSOR FOR SELECT \(names) FROM \"\(table)\"", [])
        while true {
            let page = try sql.rows("FETCH \(pageRows) FROM snapshot", [])
            if page.isEmpty { break }
            try into.run("INSERT INTO \"\(table)\" (\(names)) VALUES (\(places))", each: page.map(\.values))
        }
        try sql.run("CLOSE snapshot", [])
    }

    /// Numbers go on behind those of the sequences, which no transaction holds still: they are read last, so that no
    /// row of the snapshot has a higher one.
    private static func copyNumbers(from sql: any SQL, to into: any SQL) throws(Failure) {
        let found = try sql.rows(
            """
            SELECT substr(sequencename::text, 9), last_value FROM pg_sequences
            WHERE schemaname = current_schema() AND sequencename::text LIKE 'numbers\\_%' AND last_value IS NOT NULL
            """, [])
        try into.run(
            """
            INSERT INTO counters (name, value) VALUES ($1, $2)
            ON CONFLICT (name) DO UPDATE SET value = MAX(counters.value, excluded.value)
            """, each: found.map(\.values))
    }
}
