/// One step of the database's form. Steps are only ever added: one that was released never changes.
package struct Migration: Sendable {
    /// Unique and final, like `accounts-1`: a concept and its step.
    package let name: String
    /// Run in this order, in one transaction.
    let statements: [String]
    /// Then: fills new tables from what is there, in the same transaction.
    var fill: @Sendable (any SQL) throws(Failure) -> Void = { _ throws(Failure) in }

    /// Every step, in the order in which they are taken.
    package static let all: [Migration] =
        storage + accounts + requests + tours + invitations + archives + blobs
        + notebooks

    private static let storage = [
        Migration(
            name: "storage-1",
            statements: ["CREATE TABLE counters (name TEXT PRIMARY KEY, value BIGINT NOT NULL)"])
    ]
}

extension Storage {
    /// Takes the steps that this database has not taken yet; all or none.
    /// - Returns: the names of those that were taken now.
    /// - Throws: `newerDatabase` when a later version of this program has written the database.
    package func migrate(_ migrations: [Migration] = Migration.all) async throws(Failure) -> [String] {
        // One transaction: of several processes that do it at once one does, and the others find it done.
        try await write { sql throws(Failure) in
            try sql.run("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)", [])
            var taken = Set<String>()
            for row in try sql.rows("SELECT name FROM migrations", []) { taken.insert(try row.text(0)) }
            guard taken.isSubset(of: migrations.map(\.name)) else {
                throw Failure(.newerDatabase, cause: "a later version of tour-server has written this database")
            }
            let missing = migrations.filter { !taken.contains($0.name) }
            for migration in missing {
                for statement in migration.statements { try sql.run(statement, []) }
                try migration.fill(sql)
                try sql.run("INSERT INTO migrations (name) VALUES ($1)", [.text(migration.name)])
            }
            return missing.map(\.name)
        }
    }
}
