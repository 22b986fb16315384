import Foundation

/// A concept that keeps something of an account: it gives it out when the owner asks, and deletes it with the account.
package protocol AccountHolding: Sendable {
    /// The key in the export.
    var name: String { get }
    func export(of account: Account, in sql: any SQL) throws(Failure) -> any Encodable & Sendable
    /// Afterwards nothing is left that names the account.
    func delete(of account: Account, in sql: any SQL) throws(Failure)
}

/// Where an account is logged in.
struct SessionHolding: AccountHolding {
    let name = "sessions"

    private struct Session: Encodable {
        let createdAt: Date
        let expiresAt: Date
        private enum CodingKeys: String, CodingKey {
            case createdAt = "created_at"
            case expiresAt = "expires_at"
        }
    }

    func export(of account: Account, in sql: any SQL) throws(Failure) -> any Encodable & Sendable {
        var sessions = [Session]()
        let statement = "SELECT created_at, expires FROM sessions WHERE account = $1 ORDER BY created_at, id"
        for row in try sql.rows(statement, [.integer(account.id)]) {
            sessions.append(
                Session(
                    createdAt: Date(microseconds: try row.integer(0)),
                    expiresAt: Date(timeIntervalSince1970: Double(try row.count(1)))))
        }
        return sessions
    }

    func delete(of account: Account, in sql: any SQL) throws(Failure) {
        try sql.endSessions(of: account.id)
        try sql.forgetAddresses(of: account.id)
        try sql.run("DELETE FROM email_codes WHERE account = $1", [.integer(account.id)])
        guard let phone = account.phone else { return }
        try sql.run("DELETE FROM sms_codes WHERE phone = $1", [.text(phone)])
    }
}

/// Everything the server has of an account, by concept.
struct AccountExport: Encodable {
    let account: Account
    let exportedAt: Date
    let sections: [String: any Encodable & Sendable]

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(exportedAt, forKey: Key(stringValue: "exported_at"))
        try container.encode(AccountBody(account), forKey: Key(stringValue: "account"))
        for (name, section) in sections { try container.encode(section, forKey: Key(stringValue: name)) }
    }
}
