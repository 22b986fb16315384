import Foundation
import ServerBase
import ServerStorage

/// Copies an SQLite database into a PostgreSQL database, for a server that grows out of the file.
package enum DatabaseCopy {
    /// - Parameter path: the SQLite file, from which no server serves meanwhile; it stays as it is, but for steps of
    ///   the schema that it lacks.
    /// - Parameter settings: name the PostgreSQL database, which is empty.
    /// - Returns: how many rows were copied.
    /// - Throws: `alreadyServed`; `newerDatabase`; `unavailable`.
    package static func run(from path: String, to settings: ServerSettings) async throws(Failure) -> Int {
        let door = try OpenedServer(settings: settings)
        guard let target = door.storage as? PostgresStorage else {
            throw Failure(.unavailable, cause: "--database names a file: name a PostgreSQL database, postgres://…")
        }
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure(.unavailable, cause: "there is no file \(path): name the SQLite file by --from")
        }
        let count = try await fill(target, from: path)
        try await target.close()
        return count
    }

    /// - Parameter name: what `PostgresStorage.filling` says afterwards.
    /// - Returns: how many rows were copied.
    static func fill(
        _ target: PostgresStorage, from path: String, named name: String? = nil
    ) async throws(Failure) -> Int {
        let source = try SQLiteStorage(path: path)
        _ = try source.beginServing()
        _ = try await source.migrate()
        _ = try await target.migrate()
        let count = try await target.fill(
            from: PostgresSource { table, columns, take throws(Failure) in
                try source.readRows(of: table, columns, take)
            }, named: name)
        try source.close()
        return count
    }
}
