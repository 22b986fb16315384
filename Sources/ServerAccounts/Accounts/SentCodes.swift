import ServerBase
import ServerRequests
import ServerStorage
import TourModel

/// The codes that were sent to phones, and to e-mail addresses for a new password, inside one transaction: at most one
/// is outstanding per contact and requesting address, and only its keyed hash is stored.
/// Source: `Protocol/10-server.md`, "Passwords, tokens, codes".
package struct SentCodes {
    /// The phone or e-mail address that a code was sent to.
    package enum Contact: Hashable, Sendable {
        case phone(PhoneNumber)
        case email(EmailAddress)

        /// Only an e-mail address has an `@`, so that no two contacts have one text.
        package var text: String {
            switch self {
            case .phone(let phone): phone.text
            case .email(let email): email.text
            }
        }

        /// How long a code is valid, in seconds.
        package var codeLifetime: Int64 {
            switch self {
            case .phone: ServerLimits.smsCodeLifetime
            case .email: ServerLimits.mailCodeLifetime
            }
        }
    }

    let sql: any SQL
    let secret: ServerSecret

    package init(sql: any SQL, secret: ServerSecret) {
        self.sql = sql
        self.secret = secret
    }

    /// Replaces the requester's outstanding code.
    /// - Parameter requester: the client's address.
    package func set(_ code: SMSCode, of contact: Contact, for requester: String, now: Int64) throws(Failure) {
        try sql.run(
            """
            INSERT INTO sent_codes (contact, requester, digest, expires, tries, tries_elsewhere)
            VALUES ($1, $2, $3, $4, 0, 0)
            ON CONFLICT (contact, requester) DO UPDATE SET digest = excluded.digest, expires = excluded.expires,
                tries = 0, tries_elsewhere = 0
            """,
            [
                .text(contact.text), .text(requester), .bytes(digest(of: code, contact)),
                .integer(now / 1_000_000 + contact.codeLifetime),
            ])
    }

    /// Whether this is an outstanding code of the contact. Each try counts, so the caller commits the transaction
    /// either way. A code bears so many tries in all, of which addresses that did not request it have a few: nobody
    /// uses up another's tries.
    func isGood(
        _ code: SMSCode, of contact: Contact, from requester: String, now: Int64
    ) throws(Failure) -> Bool {
        let names: [SQLValue] = [.text(contact.text), .text(requester)]
        let own = try sql.rows(
            """
            UPDATE sent_codes SET tries = tries + 1 WHERE contact = $1 AND requester = $2
            RETURNING digest, expires, tries, tries_elsewhere
            """, names)
        let others = try sql.rows(
            """
            UPDATE sent_codes SET tries_elsewhere = tries_elsewhere + 1 WHERE contact = $1 AND requester <> $2
            RETURNING digest, expires, tries, tries_elsewhere
            """, names)
        let digest = digest(of: code, contact)
        for (row, isOwn) in own.map({ ($0, true) }) + others.map({ ($0, false) }) {
            guard try row.integer(1) > now / 1_000_000,
                Self.mayTry(isOwn: isOwn, own: try row.integer(2), elsewhere: try row.integer(3))
            else { continue }
            if try row.bytes(0) == digest { return true }
        }
        return false
    }

    /// Whether a try is judged, after it was counted.
    /// - Parameters:
    ///   - own: tries from the address that requested the code.
    ///   - elsewhere: tries from others.
    private static func mayTry(isOwn: Bool, own: Int64, elsewhere: Int64) -> Bool {
        let most = ServerLimits.smsTriesElsewhereMax
        return (isOwn || elsewhere <= most) && own + min(elsewhere, most) <= ServerLimits.smsTriesMax
    }

    /// Ends every outstanding code of the contact.
    package func remove(of contact: Contact) throws(Failure) {
        try sql.run("DELETE FROM sent_codes WHERE contact = $1", [.text(contact.text)])
    }

    private func digest(of code: SMSCode, _ contact: Contact) -> [UInt8] {
        switch contact {
        case .phone(let phone): secret.digest(ofCode: code.digits, phone: phone.text).bytes
        case .email(let email): secret.digest(ofResetCode: code.digits, email: email.text).bytes
        }
    }
}

extension AccountRows {
    /// The account whose password a code to this contact may set. An address that nobody has proven opens only an
    /// account that has no other name: its owner may have mistyped it, and then a stranger reads that mail.
    func account(toReset contact: SentCodes.Contact) throws(Failure) -> Account? {
        switch contact {
        case .phone(let phone): return try account(phone: phone)
        case .email(let email):
            guard let account = try account(email: email), account.isEmailProven || account.isUnproven else {
                return nil
            }
            return account
        }
    }
}
