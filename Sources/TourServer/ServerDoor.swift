import Foundation

/// The server's data for one command of the operator's, beside a server that runs or without one.
package struct ServerDoor: Sendable {
    package let storage: SQLiteStorage
    package let directory: ServerDirectory

    /// - Throws: `unavailable`.
    package init(settings: ServerSettings) throws(Failure) {
        directory = try ServerDirectory(path: settings.dataDirectory)
        storage = try SQLiteStorage(path: settings.databasePath)
    }

    /// Gives the account of that e-mail address or phone number a role.
    /// - Parameter vouches: whether the operator knows that the address is the account's, whose owner did not show it.
    /// - Throws: `notFound`; `emailNotProven`.
    package func setRole(_ role: AccountRole, of name: String, vouches: Bool = false) async throws(Failure) {
        let isDone = try await storage.write { sql throws(Failure) in
            guard let account = try sql.account(named: name) else { return false }
            if vouches { try sql.setEmailProven(of: account.id) }
            return try sql.setRole(role, of: account.id)
        }
        guard isDone else { throw Failure(.notFound, cause: "there is no account \(name)") }
    }

    /// Whether the database can be read.
    package func isAnswering() async -> Bool {
        let rows = try? await storage.read { sql throws(Failure) in try sql.rows("SELECT name FROM migrations", []) }
        return rows != nil
    }

    /// Makes a new key for access tokens. See `TokenKeys.rotate`.
    package func rotateKeys() throws(Failure) -> String {
        try TokenKeys(directory: directory, now: WallClock.now()).rotate(now: WallClock.now())
    }
}

package enum WallClock {
    /// Microseconds since 1970.
    package static func now() -> Int64 {
        Int64(Date().timeIntervalSince1970 * 1_000_000)
    }
}
