import ServerBase
import ServerRequests
import ServerStorage

/// The sessions of an account, its known addresses and its outstanding codes; the export lists the sessions alone.
package struct SessionHolding: SmallHolding {
    let secret: ServerSecret
    /// See `AccountHolding.name`.
    package let name = "sessions"

    package init(secret: ServerSecret) { self.secret = secret }

    /// The sessions, as their owner sees them.
    package func export(of account: Account, in sql: any SQL) throws(Failure) -> any Encodable & Sendable {
        try ListedSession.all(of: account, in: sql)
    }

    /// Ends the sessions, and removes known addresses, codes, and mail that waits.
    package func delete(of account: Account, in sql: any SQL) throws(Failure) {
        try SessionRows(sql: sql).endAll(of: account.id)
        try KnownAddressRows(sql: sql, secret: secret).forget(of: account.id)
        try EmailCodeRows(sql: sql, secret: secret).remove(of: account.id)
        try MailRows(sql: sql, secret: secret).remove(of: account.id)
        let codes = SentCodes(sql: sql, secret: secret)
        if let phone = account.phone.flatMap({ PhoneNumber($0) }) { try codes.remove(of: .phone(phone)) }
        if let email = account.email.flatMap({ EmailAddress($0) }) { try codes.remove(of: .email(email)) }
    }
}
