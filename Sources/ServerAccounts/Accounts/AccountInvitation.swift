import ServerBase
import ServerRequests
import ServerStorage
import TourCrypto
import TourModel

/// A code by which one person makes an account: 80 random bits, shown to the operator when they are made and stored
/// only as a keyed hash.
package struct AccountInvitation: Hashable, Sendable, CustomStringConvertible {
    /// Ten bytes.
    private let bytes: [UInt8]

    private static let byteCount = 10

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Returns: nil unless sixteen letters or digits of RFC 4648's base 32 are left, once dashes and spaces are
    ///   removed.
    package init?(_ written: String) {
        guard written.utf8.count <= ServerLimits.secondFactorBytesMax, let values = Base32.values(of: written),
            values.count * 5 == Self.byteCount * 8
        else { return nil }
        bytes = Base32.bytes(of: values)
    }

    /// A new one.
    package static func random() -> AccountInvitation { AccountInvitation(bytes: Randomness.bytes(byteCount)) }

    /// As people pass it on: `ABCD-EFGH-IJKL-MNOP`.
    package var text: String {
        let letters = Array(Base32.encode(bytes))
        return stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<$0 + 4]) }.joined(separator: "-")
    }

    fileprivate func digest(_ secret: ServerSecret) -> SQLValue {
        .bytes(secret.digest(ofAccountInvitation: bytes).bytes)
    }

    package var description: String { "an invitation" }
}

/// The open invitations inside one transaction. It owns the rows of `account_invitations`.
package struct AccountInvitationRows {
    private let sql: any SQL
    private let secret: ServerSecret

    package init(sql: any SQL, secret: ServerSecret) { (self.sql, self.secret) = (sql, secret) }

    /// Takes a new invitation in.
    /// - Parameter expires: seconds since 1970, as `now`.
    /// - Throws: `quota` where `ServerLimits.accountInvitationsMax` are open.
    package func add(_ invitation: AccountInvitation, until expires: Int64, now: Int64) throws(Failure) {
        try Self.sweep(before: now, in: sql)
        let open = try sql.row("SELECT COUNT(*) FROM account_invitations", [])?.count(0) ?? 0
        guard open < ServerLimits.accountInvitationsMax else {
            throw Failure(.quota, cause: "\(open) invitations are open: wait until one of them has ended")
        }
        try sql.run(
            "INSERT INTO account_invitations (digest, expires) VALUES ($1, $2)",
            [invitation.digest(secret), .integer(expires)])
    }

    /// Uses an invitation up.
    /// - Parameter now: seconds since 1970.
    /// - Returns: false for one that is wrong, used or over.
    fileprivate func use(_ invitation: AccountInvitation, now: Int64) throws(Failure) -> Bool {
        try sql.run(
            "DELETE FROM account_invitations WHERE digest = $1 AND expires > $2",
            [invitation.digest(secret), .integer(now)]) > 0
    }

    /// Deletes those that have ended.
    /// - Parameter seconds: since 1970.
    package static func sweep(before seconds: Int64, in sql: any SQL) throws(Failure) {
        try sql.run("DELETE FROM account_invitations WHERE expires <= $1", [.integer(seconds)])
    }

    /// An invitation says nothing of whom it is for.
    package static let migrations = [
        Migration(
            name: "account-invitations-1",
            statements: [
                "CREATE TABLE account_invitations (digest BYTEA PRIMARY KEY, expires BIGINT NOT NULL)",
                "CREATE INDEX account_invitations_by_expiry ON account_invitations (expires)",
            ])
    ]
}

extension Registration {
    /// Refuses a request at once that cannot make an account, before anything is worked out for it.
    /// - Parameter invitation: as the request has it.
    /// - Throws: `registrationClosed`, `invitationNeeded`.
    func requireChance(_ invitation: String?) throws(Failure) {
        switch rule {
        case .open: return
        case .closed: throw Failure(.registrationClosed)
        case .invited:
            guard invitation.flatMap(AccountInvitation.init) != nil else { throw Failure(.invitationNeeded) }
        }
    }

    /// Lets one account get a name, in the transaction that gives it: an invitation is used up with that.
    /// - Parameter now: microseconds since 1970.
    /// - Throws: `registrationClosed`, `invitationNeeded`.
    func admit(
        _ invitation: String?, by secret: ServerSecret, now: Int64, in sql: any SQL
    ) throws(Failure) {
        try requireChance(invitation)
        guard rule == .invited, let code = invitation.flatMap(AccountInvitation.init) else { return }
        guard try AccountInvitationRows(sql: sql, secret: secret).use(code, now: now / 1_000_000) else {
            throw Failure(.invitationNeeded)
        }
    }
}
