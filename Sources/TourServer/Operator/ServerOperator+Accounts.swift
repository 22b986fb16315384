import ServerAccounts
import ServerBase
import ServerNotebook
import ServerRequests
import ServerStorage
import ServerTours
import TourModel

extension ServerOperator {
    /// Accounts in the order of their numbers.
    /// - Parameter text: in the address or the phone number, or the account's number; nil: every account.
    /// - Parameter number: the account behind which the list begins.
    /// - Throws: `unavailable`; `newerDatabase`.
    package func accounts(
        matching text: String?, behind number: Int64 = 0, limit: Int
    ) async throws(Failure) -> OperatorPage<AccountSummary> {
        var (condition, values) = ("accounts.id > $3", [SQLValue.integer(number)])
        if let text, !text.isEmpty {
            // `!` in front of what LIKE would read as a pattern.
            let plain = text.typedForm.lowercased().map { "!%_".contains($0) ? "!\($0)" : String($0) }.joined()
            condition += " AND (accounts.email LIKE $4 ESCAPE '!' OR accounts.phone LIKE $5 ESCAPE '!'"
            values += [.text("%\(plain)%"), .text("%\(plain)%")]
            if let id = Int64(text) {
                condition += " OR accounts.id = $6"
                values.append(.integer(id))
            }
            condition += ")"
        }
        let now = now()
        return try await read { [condition, values] sql throws(Failure) in
            OperatorPage(
                try AccountSummary.all(where: condition, values, limit: limit + 1, now: now, in: sql), limit: limit)
        }
    }

    /// - Parameter name: the account's number, e-mail address or phone number.
    /// - Throws: `notFound`; `unavailable`; `newerDatabase`.
    package func account(_ name: String) async throws(Failure) -> AccountDetails {
        let now = now()
        return try await read { sql throws(Failure) in
            let account = try Self.account(name, in: sql)
            let id = SQLValue.integer(account.id)
            return AccountDetails(
                account: try Self.summary(of: account, now: now, in: sql),
                sessions: try Self.sessions(of: account, now: now, in: sql),
                tours: try TourRows(sql: sql).tours(of: account).map(\.id.hex),
                notebookItems: try sql.row(
                    "SELECT COUNT(*) FROM notebook WHERE account = $1 AND deleted = 0", [id])?.count(0) ?? 0,
                fileBytes: try sql.row(
                    """
                    SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM notebook_files WHERE account = $1
                    """, [id])?.count(0) ?? 0)
        }
    }

    /// Disables an account, which ends its sessions, or enables it again.
    /// - Returns: the account as it is now, and whether that is a change.
    /// - Throws: `notFound`; `unavailable`; `newerDatabase`.
    package func setDisabled(
        _ isDisabled: Bool, _ name: String
    ) async throws(Failure) -> (account: AccountSummary, isChange: Bool) {
        let (now, actor) = (now(), actor)
        return try await write { sql throws(Failure) in
            let account = try Self.account(name, in: sql)
            let isChange = (account.disabledAt != nil) != isDisabled
            if isChange {
                try AccountRows(sql: sql).setDisabled(at: isDisabled ? now : nil, account.id)
                try AuditLog(sql: sql).add(
                    isDisabled ? .accountDisabled : .accountEnabled, by: actor, account: account.id, now: now)
            }
            // An older version may have let a disabled account in.
            if isDisabled { try SessionRows(sql: sql).endAll(of: account.id) }
            return (try Self.summary(of: account, now: now, in: sql), isChange)
        }
    }

    /// Deletes an account as its owner would: see `AccountDeletion`.
    /// - Returns: the account as it was.
    /// - Throws: `notFound`; `unavailable`; `newerDatabase`.
    package func deleteAccount(_ name: String) async throws(Failure) -> AccountSummary {
        let secret = try ServerSecret(directory: door.directory)
        let deletion = AccountDeletion(holdings: ServerParts.holdings(secret: secret))
        let (now, actor) = (now(), actor)
        let deleted = try await write { sql throws(Failure) in
            let account = try Self.account(name, in: sql)
            let summary = try Self.summary(of: account, now: now, in: sql)
            try deletion.run(on: account, by: actor, now: now, in: sql)
            return summary
        }
        // The next sweep of the server removes any file that this one fails to remove.
        try? await NotebookFiles(storage: storage, directory: door.directory, bytes: door.blobs).sweepDropped()
        return deleted
    }

    /// Takes from an account what a stranger may have: ends its sessions, voids its password and turns its second
    /// factor off. A code, which the operator passes on, sets a new password as one that the server sends does.
    /// - Throws: `notFound`; `forbidden` for an account without a contact; `unavailable`; `newerDatabase`.
    package func resetAccount(_ name: String) async throws(Failure) -> AccountReset {
        let secret = try ServerSecret(directory: door.directory)
        let (now, actor, code) = (now(), actor, SMSCode.random())
        return try await write { sql throws(Failure) in
            let account = try Self.account(name, in: sql)
            guard let contact = account.contactToReset else {
                throw Failure(
                    .forbidden,
                    cause: "the account has no phone and no address of its own: nothing could log in to it again")
            }
            let ended = try SessionRows(sql: sql).endAll(of: account.id)
            let hadFactor = try SecondFactors(sql: sql, secret: secret).remove(of: account.id)
            try KnownAddressRows(sql: sql, secret: secret).forget(of: account.id)
            try AccountRows(sql: sql).voidPassword(of: account.id)
            let codes = SentCodes(sql: sql, secret: secret)
            try codes.remove(of: contact)
            // Nobody asks from an address of this name, so the code bears as many tries of all addresses together as
            // another code does of strangers.
            try codes.set(code, of: contact, for: "operator", now: now)
            try AuditLog(sql: sql).add(.accountReset, by: actor, account: account.id, now: now)
            return AccountReset(
                account: try Self.summary(of: account, now: now, in: sql), contact: contact.text, code: code.digits,
                validSeconds: contact.codeLifetime, sessionsEnded: ended, hadSecondFactor: hadFactor)
        }
    }

    /// Sessions of an account that have not expired, those used last first.
    /// - Throws: `notFound`; `unavailable`; `newerDatabase`.
    package func sessions(of name: String) async throws(Failure) -> [ListedSession] {
        let now = now()
        return try await read { sql throws(Failure) in
            try Self.sessions(of: try Self.account(name, in: sql), now: now, in: sql)
        }
    }

    /// Ends sessions of an account.
    /// - Parameter id: the session; nil: all.
    /// - Returns: how many ended.
    /// - Throws: `notFound` without such an account or session; `unavailable`; `newerDatabase`.
    package func endSessions(of name: String, only id: String? = nil) async throws(Failure) -> Int {
        let (now, actor) = (now(), actor)
        return try await write { sql throws(Failure) in
            let account = try Self.account(name, in: sql)
            let ended: Int
            if let id {
                guard try SessionRows(sql: sql).end(id, of: account) else {
                    throw Failure(.notFound, cause: "the account has no session \(id)")
                }
                ended = 1
            } else {
                ended = try SessionRows(sql: sql).endAll(of: account.id)
            }
            if ended > 0 {
                try AuditLog(sql: sql).add(
                    .sessionsEnded, by: actor, account: account.id, detail: String(ended), now: now)
            }
            return ended
        }
    }

    private static func sessions(
        of account: Account, now: Int64, in sql: any SQL
    ) throws(Failure) -> [ListedSession] {
        try ListedSession.all(of: account, in: sql).filter { $0.isOpen(at: now) }.map(\.forOperator)
    }

    static func summary(of account: Account, now: Int64, in sql: any SQL) throws(Failure) -> AccountSummary {
        let found = try AccountSummary.all(
            where: "accounts.id = $3", [.integer(account.id)], limit: 1, now: now, in: sql)
        guard let summary = found.first else { throw Failure(.notFound) }
        return summary
    }
}

/// A reset account, and the code by which its owner comes back.
package struct AccountReset: Encodable, Sendable {
    /// The account as it is now.
    package let account: AccountSummary
    /// The address or number that the owner names together with the code.
    package let contact: String
    /// Sets a new password, once.
    package let code: String
    /// How long the code is valid, in seconds.
    package let validSeconds: Int64
    /// Sessions that ended.
    package let sessionsEnded: Int
    /// Whether the account had a second factor.
    package let hadSecondFactor: Bool

    private enum CodingKeys: String, CodingKey {
        case account, contact, code
        case validSeconds = "valid_seconds"
        case sessionsEnded = "sessions_ended"
        case hadSecondFactor = "had_second_factor"
    }
}

extension Account {
    /// The contact whose code may set the password: an address that nobody has proven only where it is the account's
    /// only name. An address comes first, since its codes live longer.
    fileprivate var contactToReset: SentCodes.Contact? {
        let address = provenEmail ?? (isUnproven ? email : nil)
        if let email = address.flatMap({ EmailAddress($0) }) { return .email(email) }
        return phone.flatMap { PhoneNumber($0) }.map { .phone($0) }
    }
}

extension ServerOperator {
    /// The account of this number, e-mail address or phone number.
    /// - Throws: `notFound`.
    static func account(_ name: String, in sql: any SQL) throws(Failure) -> Account {
        let found =
            if let id = Int64(name), !name.hasPrefix("+") {
                try AccountRows(sql: sql).account(id: id)
            } else {
                try AccountRows(sql: sql).account(named: name)
            }
        guard let found else { throw Failure(.notFound, cause: "there is no account \(name)") }
        return found
    }
}
