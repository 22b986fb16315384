import Logging
import ServerBase
import ServerRequests
import ServerStorage
import TourCrypto
import TourModel

/// Proves an e-mail address: the owner returns a code that was mailed to it. Only then does the account receive what
/// others share with that address.
/// Source: `Protocol/10-server.md`, "E-mail addresses".
struct EmailProofs: Sendable {
    let parts: RequestParts

    /// Sends a code to the account's own address, or to one that it is to get.
    /// - Parameter account: the one that asks, as it is now.
    /// - Throws: `tooManyRequests`, `mailFailed`, `banned`.
    func send(to email: EmailAddress, of account: AuthenticatedAccount, _ call: Call) async throws(Failure) {
        guard account.email == email.text else {
            return try await send(to: email, of: account.id, as: .strangers("account:\(account.id)"), call)
        }
        let (secret, address) = (parts.secret, call.address)
        let isKnown = try await parts.storage.read { sql throws(Failure) in
            try KnownAddressRows(sql: sql, secret: secret).isKnown(address, of: account.id)
        }
        let share = MailShare(of: account.account, isKnown: isKnown, now: call.now)
        try await send(to: email, of: account.id, as: .owner(share), call)
    }

    /// Codes that others had sent to an address do not count against the account that has it.
    private enum Side {
        case owner(MailShare)
        /// - Parameter who: the account that asks, as rate limits name it; nil: one that has just been made.
        case strangers(_ who: String?)
    }

    private func send(
        to email: EmailAddress, of account: Int64, as side: Side, _ call: Call
    ) async throws(Failure) {
        try parts.bans.refuse(contact: email.text, now: call.now)
        let (name, more): (String, [(limit: RateLimit, who: String)]) =
            switch side {
            case .owner(let share): ("owner", [share.limit])
            case .strangers(let who):
                ("strangers", (who.map { [(.mailPerAccount, $0)] } ?? []) + [MailShare.strangers.limit])
            }
        let who = email.text + " proof " + name
        try await parts.rates.count([(.mailPerAddress, who), (.mailPerAddressAndDay, who)] + more, now: call.now)
        let (code, secret) = (SMSCode.random(), parts.secret)
        try await parts.storage.write { sql throws(Failure) in
            try EmailCodeRows(sql: sql, secret: secret).set(code, of: account, for: email, now: call.now)
        }
        try await parts.send(code.mail(to: email, of: account, in: call.language))
    }

    /// Sends the code to a new account's address in the background: the account is created whether or not the mail can
    /// be sent. It counts among the mails of strangers: repeated signups with somebody's address leave the account
    /// that will have it its own codes.
    func sendBehind(_ email: EmailAddress, of account: Int64, _ call: Call) {
        Task {
            do throws(Failure) {
                try await send(to: email, of: account, as: .strangers(nil), call)
            } catch {
                if let limit = error.limit { parts.metrics.countRefusal(by: limit) }
                parts.logger.warning(
                    "a new account's address could not be written to",
                    metadata: ["request": "\(call.id)", "cause": "\(error)"])
            }
        }
    }
}

extension SMSCode {
    fileprivate func mail(to email: EmailAddress, of account: Int64, in language: Language) -> Mail {
        let minutes = ServerLimits.mailCodeLifetime / 60
        return switch language {
        case .english:
            Mail(
                to: email.text, subject: "Your tour-chat code",
                text: """
                    Your tour-chat code is \(digits). It is good for \(minutes) minutes.\r
                    If you did not ask for it, somebody has typed your address by mistake: do nothing.\r

                    """, account: account)
        case .turkish:
            Mail(
                to: email.text, subject: "tour-chat kodunuz",
                text: """
                    tour-chat kodunuz \(digits). \(minutes) dakika geçerlidir.\r
                    Siz istemediyseniz biri adresinizi yanlışlıkla yazmıştır: bir şey yapmanız gerekmez.\r

                    """, account: account)
        }
    }
}

/// The codes that were mailed to prove addresses, inside one transaction: at most one is outstanding per account, and
/// only its keyed hash is stored. It owns the rows of `email_codes`.
struct EmailCodeRows {
    let sql: any SQL
    let secret: ServerSecret

    func set(_ code: SMSCode, of account: Int64, for email: EmailAddress, now: Int64) throws(Failure) {
        try sql.run(
            """
            INSERT INTO email_codes (account, digest, expires, tries) VALUES ($1, $2, $3, 0)
            ON CONFLICT (account) DO UPDATE SET digest = excluded.digest, expires = excluded.expires, tries = 0
            """,
            [
                .integer(account), .bytes(secret.digest(ofCode: code.digits, email: email.text, of: account).bytes),
                .integer(now / 1_000_000 + ServerLimits.mailCodeLifetime),
            ])
    }

    /// Whether this is the code that was mailed to the address for the account. Each try counts, so the caller commits
    /// the transaction either way.
    func isGood(_ code: SMSCode, to email: String, of account: Int64, now: Int64) throws(Failure) -> Bool {
        let row = try sql.row(
            "UPDATE email_codes SET tries = tries + 1 WHERE account = $1 RETURNING digest, expires, tries",
            [.integer(account)])
        guard let row, try row.integer(1) > now / 1_000_000, try row.integer(2) <= ServerLimits.smsTriesMax else {
            return false
        }
        return try row.bytes(0) == secret.digest(ofCode: code.digits, email: email, of: account).bytes
    }

    /// Ends the account's outstanding code.
    func remove(of account: Int64) throws(Failure) {
        try sql.run("DELETE FROM email_codes WHERE account = $1", [.integer(account)])
    }
}
