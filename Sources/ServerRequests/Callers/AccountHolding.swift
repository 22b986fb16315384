import ServerBase
import ServerStorage

/// A part of the server that stores data of accounts: it exports them to the owner, and deletes them with the account.
package protocol AccountHolding: Sendable {
    /// The key of this part in the export.
    var name: String { get }
    /// Writes one JSON value.
    func export(of account: Account, from source: ExportSource, to out: inout PieceWriter) async throws
    /// Runs first of all when the account is deleted, before any holding deletes its own.
    /// - Parameter actor: deletes the account.
    /// - Parameter now: microseconds since 1970.
    func prepareDeletion(of account: Account, by actor: AuditActor, now: Int64, in sql: any SQL) throws(Failure)
    /// Deletes everything that names the account.
    func delete(of account: Account, in sql: any SQL) throws(Failure)
}

extension AccountHolding {
    /// Most have nothing to do.
    package func prepareDeletion(
        of account: Account, by actor: AuditActor, now: Int64, in sql: any SQL
    ) throws(Failure) {}
}

/// A holding so small that one read returns all of it.
package protocol SmallHolding: AccountHolding {
    /// Reads everything that this part stores of the account.
    func export(of account: Account, in sql: any SQL) throws(Failure) -> any Encodable & Sendable
}

extension SmallHolding {
    /// Writes what the single read returned.
    package func export(of account: Account, from source: ExportSource, to out: inout PieceWriter) async throws {
        let section = try await source.read { sql throws(Failure) in try export(of: account, in: sql) }
        try await out.write(section)
    }
}

/// The database as an export reads it: each piece in a read of its own, which waits its turn among heavy requests.
package struct ExportSource: Sendable {
    let account: Int64
    let storage: any Storage
    let heavy: HeavyRequests
    /// The account whose session is to stay, and the server's clock; nil for the operator's export.
    var opened: (account: AuthenticatedAccount, now: @Sendable () -> Int64)?

    package init(
        account: Int64, storage: any Storage, heavy: HeavyRequests,
        opened: (account: AuthenticatedAccount, now: @Sendable () -> Int64)? = nil
    ) {
        self.account = account
        self.storage = storage
        self.heavy = heavy
        self.opened = opened
    }

    /// - Throws: `unauthenticated` where the account was deleted or disabled meanwhile, or the session ended: then the
    ///   export ends in the middle.
    package func read<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let (account, opened) = (account, opened)
        return try await heavy.turn { () async throws(Failure) in
            try await storage.read { sql throws(Failure) in
                let isThere =
                    if let opened {
                        try opened.account.isOpen(at: opened.now(), in: sql)
                    } else {
                        try AccountRows(sql: sql).account(id: account) != nil
                    }
                guard isThere else { throw Failure(.unauthenticated) }
                return try work(sql)
            }
        }
    }
}
