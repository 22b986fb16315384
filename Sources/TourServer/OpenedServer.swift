import Foundation
import Glibc
import Logging
import ServerAccounts
import ServerBase
import ServerRequests
import ServerStorage

/// The server's data, for one command of the operator, whether or not a server is running.
package struct OpenedServer: Sendable {
    /// The database.
    package let storage: any Storage
    /// The data directory.
    package let directory: ServerDirectory
    /// Where whole blobs and files are.
    package let blobs: any BlobStorage

    /// Opens the data directory and the database, creating what is missing.
    /// - Throws: `unavailable`.
    package init(settings: ServerSettings, logger: Logger = silent) throws(Failure) {
        directory = try ServerDirectory(path: settings.dataDirectory)
        guard try directory.read(ServerDirectory.restoring, bytesMax: 1) == nil else {
            throw Failure(
                .unavailable,
                cause: "a backup was restored into \(settings.dataDirectory) by half: run tour-server restore again")
        }
        blobs = try settings.blobStorage(directory)
        if let address = settings.postgres {
            storage = try PostgresStorage(address, logger: logger)
        } else {
            storage = try SQLiteStorage(path: settings.databasePlace)
        }
    }

    /// For commands, whose errors say everything.
    package static let silent = Logger(label: "tour-server") { _ in SwiftLogNoOpLogHandler() }

    /// Gives a role to the account with this e-mail address or phone number.
    /// - Parameter vouches: whether the operator vouches that the address is the account owner's, who has not proven
    ///   it.
    /// - Parameter user: the operator's name in the audit log.
    /// - Throws: `notFound`; `emailNotProven`; `newerDatabase`.
    package func setRole(
        _ role: AccountRole, of name: String, vouches: Bool = false, by user: String = SystemUser.name
    ) async throws(Failure) {
        try await storage.requireSchema()
        let isDone = try await storage.write { sql throws(Failure) in
            guard let account = try AccountRows(sql: sql).account(named: name) else { return false }
            // Its phone is the account's, and the address perhaps somebody else's.
            guard vouches || role == .user || account.isMeant(by: name) else {
                throw Failure(.emailNotProven, cause: "nobody has shown yet that this e-mail address is the account's")
            }
            if vouches { try AccountRows(sql: sql).setEmailProven(of: account.id) }
            guard try AccountRows(sql: sql).setRole(role, of: account.id) else { return false }
            try AuditLog(sql: sql).add(
                .roleSet, by: .server(operator: user), account: account.id, detail: role.rawValue, now: WallClock.now())
            return true
        }
        guard isDone else { throw Failure(.notFound, cause: "there is no account \(name)") }
    }

    /// Turns the second factor of the account with this e-mail address or phone number off: for an owner who has lost
    /// app and recovery codes.
    /// - Parameter user: the operator's name in the audit log.
    /// - Throws: `notFound` without such an account or a second factor; `newerDatabase`.
    package func removeSecondFactor(
        of name: String, by user: String = SystemUser.name
    ) async throws(Failure) {
        try await storage.requireSchema()
        let secret = try ServerSecret(directory: directory)
        let isDone = try await storage.write { sql throws(Failure) in
            guard let account = try AccountRows(sql: sql).account(named: name) else { return false }
            guard try SecondFactors(sql: sql, secret: secret).remove(of: account.id) else { return false }
            try AuditLog(sql: sql).add(
                .secondFactorOff, by: .server(operator: user), account: account.id, now: WallClock.now())
            return true
        }
        guard isDone else { throw Failure(.notFound, cause: "there is no account \(name) with a second factor") }
    }

    /// Whether the server can work as far as it depends on this process: a database that is elsewhere may be away.
    package func isAnswering() async -> Bool {
        do throws(Failure) {
            _ = try await storage.read { sql throws(Failure) in try sql.rows("SELECT name FROM migrations", []) }
            return true
        } catch {
            return storage.isShared && error.code == .unavailable
        }
    }

    /// Creates a new key for access tokens, and returns its `kid`. See `TokenKeys.rotate`. The key is a file, and its
    /// entry in the audit log a row: a kill in between leaves a key without an entry.
    /// - Parameter user: the operator's name in the audit log.
    /// - Parameter now: microseconds since 1970.
    /// - Throws: `unavailable`, before there is a key where no entry could be written; `newerDatabase`.
    package func rotateKeys(
        by user: String = SystemUser.name, now: Int64 = WallClock.now()
    ) async throws(Failure) -> String {
        try await storage.requireSchema()
        let kid = try TokenKeys(directory: directory, now: now, logger: Self.silent).rotate(now: now)
        try await storage.write { sql throws(Failure) in
            try AuditLog(sql: sql).add(.keysRotated, by: .server(operator: user), detail: kid, now: now)
        }
        return kid
    }
}

/// The system's user that runs this process.
package enum SystemUser {
    /// The user's name, or its number where it has no name; behind sudo, `NAME as USER`. It shows who did something as
    /// long as nobody lies: whoever may write the data directory could write the audit log too.
    package static var name: String {
        let number = geteuid()
        let user = getpwuid(number).map { String(cString: $0.pointee.pw_name) } ?? String(number)
        guard let caller = getenv("SUDO_USER").map({ String(cString: $0) }), !caller.isEmpty, caller != user else {
            return user
        }
        return "\(caller) as \(user)"
    }
}
