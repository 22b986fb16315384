import Foundation
import ServerBase
import ServerStorage

/// The mail that waits for the mail server, inside one transaction. It owns the rows of `mails`: their contents are
/// sealed, since they have addresses and codes.
package struct MailRows {
    let sql: any SQL
    let secret: ServerSecret

    package init(sql: any SQL, secret: ServerSecret) {
        self.sql = sql
        self.secret = secret
    }

    /// The steps of the table.
    package static let migrations = [
        Migration(
            name: "mail-1",
            statements: [
                """
                CREATE TABLE mails (
                    number BIGINT PRIMARY KEY, account BIGINT, need BIGINT NOT NULL, due BIGINT NOT NULL,
                    expires BIGINT NOT NULL, tries BIGINT NOT NULL, sealed BYTEA NOT NULL)
                """,
                "CREATE INDEX mails_by_due ON mails (due)", "CREATE INDEX mails_by_account ON mails (account)",
            ])
    ]

    /// A mail that waits.
    package struct Waiting: Sendable {
        let number: Int64
        let need: Mail.Need
        /// Microseconds since 1970.
        let expires: Int64
        /// With the one that begins now.
        let tries: Int64
        let account: Int64?
        fileprivate let sealed: [UInt8]

        /// The mail itself.
        /// - Throws: `internal` for a row that somebody changed, or that another server's key sealed.
        package func mail(_ secret: ServerSecret) throws(Failure) -> Mail {
            let bytes = try secret.open(sealed, for: MailRows.place(of: number))
            guard let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)) else {
                throw Failure(.internalError, cause: "a mail that waits is not of this program's form")
            }
            return Mail(
                to: content.to, subject: content.subject, text: content.text, need: need, account: account)
        }
    }

    private struct Content: Codable {
        var to: String
        var subject: String
        var text: String
    }

    private static func place(of number: Int64) -> [UInt8] { Array("mail \(number)".utf8) }

    /// - Parameter now: microseconds since 1970.
    /// - Parameter capacity: how many wait at most.
    /// - Throws: `mailFailed` where too many wait, of this account or of all.
    func add(_ mail: Mail, now: Int64, capacity: Int) throws(Failure) {
        guard try count() < capacity else {
            throw Failure(.mailFailed, cause: "\(capacity) mails wait for the mail server, and no more may")
        }
        if let account = mail.account {
            let own = try sql.row("SELECT COUNT(*) FROM mails WHERE account = $1", [.integer(account)])?.count(0) ?? 0
            guard own < ServerLimits.mailsOfAccountMax else {
                throw Failure(.mailFailed, cause: "too many mails of one account wait for the mail server")
            }
        }
        let number = try sql.nextNumber("mails")
        let content = Content(to: mail.to, subject: mail.subject, text: mail.text)
        guard let bytes = try? JSONEncoder().encode(content) else { throw Failure(.internalError) }
        try sql.run(
            "INSERT INTO mails (number, account, need, due, expires, tries, sealed) VALUES ($1, $2, $3, $4, $5, 0, $6)",
            [
                .integer(number), SQLValue(mail.account), .integer(mail.need.rawValue),
                .integer(now), .integer(now + mail.need.lifetime * 1_000_000),
                .bytes(secret.seal(Array(bytes), for: Self.place(of: number))),
            ])
    }

    /// Whether one may be sent now.
    func isDue(now: Int64) throws(Failure) -> Bool {
        try sql.row("SELECT 1 FROM mails WHERE due <= $1 LIMIT 1", [.integer(now)]) != nil
    }

    /// The mail that is needed most, for one sender: nobody else takes it until `until`, when the sender may have
    /// ended without a word.
    /// - Parameters:
    ///   - now: microseconds since 1970, as `until`.
    /// - Returns: nil while none is due.
    package func take(now: Int64, until: Int64) throws(Failure) -> Waiting? {
        let row = try sql.row(
            """
            UPDATE mails SET due = $1, tries = tries + 1 WHERE due <= $2 AND number = (
                SELECT number FROM mails WHERE due <= $3 ORDER BY need, due, number LIMIT 1)
            RETURNING number, need, expires, tries, account, sealed
            """, [.integer(until), .integer(now), .integer(now)])
        guard let row else { return nil }
        return Waiting(
            number: try row.integer(0), need: Mail.Need(rawValue: try row.integer(1)) ?? .notice,
            expires: try row.integer(2), tries: try row.integer(3), account: try row.optionalInteger(4),
            sealed: try row.bytes(5))
    }

    /// Puts off a mail until then.
    func put(off waiting: Waiting, until: Int64) throws(Failure) {
        try sql.run("UPDATE mails SET due = $1 WHERE number = $2", [.integer(until), .integer(waiting.number)])
    }

    /// Removes a mail that was sent or is given up.
    func remove(_ waiting: Waiting) throws(Failure) {
        try sql.run("DELETE FROM mails WHERE number = $1", [.integer(waiting.number)])
    }

    /// Removes all of an account that is deleted.
    package func remove(of account: Int64) throws(Failure) {
        try sql.run("DELETE FROM mails WHERE account = $1", [.integer(account)])
    }

    /// How many wait.
    package func count() throws(Failure) -> Int64 {
        try sql.row("SELECT COUNT(*) FROM mails", [])?.count(0) ?? 0
    }

    /// Removes what nobody has tried to send since it lost its use: of a server that sends no mail any more.
    /// - Parameter now: microseconds since 1970.
    package func sweep(now: Int64) throws(Failure) {
        try sql.run(
            "DELETE FROM mails WHERE expires < $1", [.integer(now - ServerLimits.mailNoticeLifetime * 1_000_000)])
    }
}
