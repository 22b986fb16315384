import ServerBase

/// One step of the database's schema. Steps are only ever added: a released one never changes.
///
/// Processes of two versions may share a database while one after the other is replaced: the older ones that run
/// already go on, and one that starts is refused. So after a step the statements of the version before still work: it
/// adds tables, indexes, and columns that are null or have a default, and what is no longer used goes with a later
/// version.
package struct Migration: Sendable {
    /// Unique and final, like `accounts-1`: a part of the server and the number of its step.
    package let name: String
    /// Executed in this order, in one transaction.
    let statements: [String]
    /// Runs after the statements, in the same transaction: fills new tables from existing rows.
    var fill: @Sendable (any SQL) throws(Failure) -> Void = { _ throws(Failure) in }

    package init(
        name: String, statements: [String],
        fill: @escaping @Sendable (any SQL) throws(Failure) -> Void = { _ throws(Failure) in }
    ) {
        self.name = name
        self.statements = statements
        self.fill = fill
    }

    /// The steps of what storage needs itself.
    package static let storage = [
        Migration(
            name: "storage-1",
            statements: ["CREATE TABLE counters (name TEXT PRIMARY KEY, value BIGINT NOT NULL)"])
    ]

    /// The names of the steps that were executed in a database.
    /// - Throws: `newerDatabase` when there are others than these.
    package static func taken(
        in sql: any SQL, of migrations: [Migration]
    ) throws(Failure) -> Set<String> {
        var taken = Set<String>()
        for row in try sql.rows("SELECT name FROM migrations", []) { taken.insert(try row.text(0)) }
        guard taken.isSubset(of: migrations.map(\.name)) else {
            throw Failure(
                .newerDatabase,
                cause: "a later version of tour-server has written this database: install that version again, or put "
                    + "back a copy of the data from before it")
        }
        return taken
    }
}

extension Storage {
    /// Executes the steps that this database lacks; all or none.
    /// - Returns: the names of the steps that this call executed.
    /// - Throws: `newerDatabase` when a later version of this program has written the database.
    package func migrate(_ migrations: [Migration]) async throws(Failure) -> [String] {
        // If several processes migrate at once, one does the work and the others find it done.
        try await writeAlone { sql throws(Failure) in
            try sql.run("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)", [])
            let taken = try Migration.taken(in: sql, of: migrations)
            let missing = migrations.filter { !taken.contains($0.name) }
            for migration in missing {
                for statement in migration.statements { try sql.run(statement, []) }
                try migration.fill(sql)
                try sql.run("INSERT INTO migrations (name) VALUES ($1)", [.text(migration.name)])
            }
            return missing.map(\.name)
        }
    }

    /// The names of those of these steps that the database lacks. Those of a later version do not matter: a process
    /// that runs already goes on beside its successor.
    package func missingSteps(of migrations: [Migration]) async throws(Failure) -> [String] {
        try await read { sql throws(Failure) in
            var taken = Set<String>()
            for row in try sql.rows("SELECT name FROM migrations", []) { taken.insert(try row.text(0)) }
            return migrations.map(\.name).filter { !taken.contains($0) }
        }
    }

    /// For what writes into a database without migrating it.
    /// - Parameter migrations: the steps that this version knows.
    /// - Throws: `newerDatabase`.
    package func refuseNewer(than migrations: [Migration]) async throws(Failure) {
        try await read { sql throws(Failure) in _ = try Migration.taken(in: sql, of: migrations) }
    }
}
