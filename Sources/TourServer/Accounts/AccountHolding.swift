import Foundation

/// A part of the server that stores data of accounts: it exports them to the owner, and deletes them with the account.
package protocol AccountHolding: Sendable {
    /// The key of this part in the export.
    var name: String { get }
    /// Writes one JSON value.
    func export(of account: Account, from source: ExportSource, to out: inout PieceWriter) async throws
    /// Deletes everything that names the account.
    func delete(of account: Account, in sql: any SQL) throws(Failure)
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

    /// - Throws: `unauthenticated` where the account was deleted or disabled meanwhile, or the session ended: then the
    ///   export ends in the middle.
    func read<Value: Sendable>(
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

/// Everything the server stores of an account, by holding.
struct AccountExport: Sendable {
    let account: Account
    let exportedAt: Date
    let holdings: [any AccountHolding]

    /// Writes the keys in alphabetical order, as all JSON of this API.
    func write(from source: ExportSource, to out: inout PieceWriter) async throws {
        try await out.write(#"{"account":"#)
        try await out.write(AccountBody(account))
        try await out.write(#","exported_at":"#)
        try await out.write(exportedAt)
        for holding in holdings.sorted(by: { $0.name < $1.name }) {
            try await out.write(",\"\(holding.name)\":")
            try await holding.export(of: account, from: source, to: &out)
        }
        try await out.write("}")
    }
}

/// The sessions of an account, its known addresses and its outstanding codes; the export lists the sessions alone.
struct SessionHolding: SmallHolding {
    let secret: ServerSecret
    let name = "sessions"

    func export(of account: Account, in sql: any SQL) throws(Failure) -> any Encodable & Sendable {
        try ListedSession.all(of: account, in: sql)
    }

    func delete(of account: Account, in sql: any SQL) throws(Failure) {
        try SessionRows(sql: sql).endAll(of: account.id)
        try KnownAddressRows(sql: sql, secret: secret).forget(of: account.id)
        try EmailCodeRows(sql: sql, secret: secret).remove(of: account.id)
        let codes = SentCodes(sql: sql, secret: secret)
        if let phone = account.phone.flatMap({ PhoneNumber($0) }) { try codes.remove(of: .phone(phone)) }
        if let email = account.email.flatMap({ EmailAddress($0) }) { try codes.remove(of: .email(email)) }
    }
}
