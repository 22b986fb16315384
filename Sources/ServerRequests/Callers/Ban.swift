import Foundation
import ServerBase
import ServerStorage

/// What the operator bans, in one form for each.
package struct BanTarget: Hashable, Sendable {
    /// What kind of thing it is; the names are stored.
    package enum Kind: String, Sendable {
        /// An address of IPv4 or IPv6, or a network of them.
        case network
        /// An e-mail address or a phone number.
        case contact
        /// An account's number.
        case account
    }

    /// What it is.
    package let kind: Kind
    /// A network, a contact, or the digits of an account's number.
    package let text: String

    package init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }

    /// - Parameter written: `203.0.113.7`, `2001:db8::/32`, `+905551112233`, `guide@example.org`, or an account's
    ///   number.
    /// - Throws: `invalidField` for anything else, and for networks so large that they are rather mistyped.
    package init(_ written: String) throws(Failure) {
        if let network = IPNetwork(written) {
            let least = network.isIPv6 ? ServerLimits.banPrefixMin.ipv6 : ServerLimits.banPrefixMin.ipv4
            guard network.length >= least else {
                throw Failure(
                    .invalidField, field: "target",
                    cause: "\(network) would shut out too many: a network has a prefix of /\(least) at least")
            }
            self.init(kind: .network, text: network.description)
        } else if let phone = PhoneNumber(written) {
            self.init(kind: .contact, text: phone.text)
        } else if let email = EmailAddress(written) {
            self.init(kind: .contact, text: email.text)
        } else if let account = Int64(written), account > 0, !written.hasPrefix("+") {
            self.init(kind: .account, text: String(account))
        } else {
            throw Failure(
                .invalidField, field: "target",
                cause: "\(written) is no address or network, no e-mail address or phone number, and no account's number"
            )
        }
    }

    /// The account's number; nil for another kind.
    package var account: Int64? { kind == .account ? Int64(text) : nil }
}

/// One of the operator's bans.
package struct Ban: Hashable, Sendable {
    /// Names it in the audit log.
    package let number: Int64
    /// What is banned.
    package let target: BanTarget
    /// The operator's words, for the operator alone.
    package let reason: String?
    /// Microseconds since 1970, as `endsAt`.
    package let createdAt: Int64
    /// When it ends; nil: when the operator takes it back.
    package let endsAt: Int64?
}

extension Ban: Encodable {
    private enum CodingKeys: String, CodingKey {
        case number, kind, target, reason
        case createdAt = "created_at"
        case endsAt = "ends_at"
    }

    /// Null where it has no reason or no end: every ban has the same members.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(number, forKey: .number)
        try container.encode(target.kind.rawValue, forKey: .kind)
        try container.encode(target.text, forKey: .target)
        try container.encode(reason, forKey: .reason)
        try container.encode(Date(microseconds: createdAt), forKey: .createdAt)
        try container.encode(endsAt.map { Date(microseconds: $0) }, forKey: .endsAt)
    }
}

/// The bans inside one transaction. It owns the rows of `bans`.
package struct BanRows {
    private let sql: any SQL

    package init(sql: any SQL) { self.sql = sql }

    /// The steps of the table of bans.
    package static let migrations = [
        Migration(
            name: "bans-1",
            statements: [
                """
                CREATE TABLE bans (
                    number BIGINT PRIMARY KEY, kind TEXT NOT NULL, target TEXT NOT NULL, reason TEXT,
                    created_at BIGINT NOT NULL, ends_at BIGINT, UNIQUE (kind, target))
                """
            ]),
        // As accounts-7: only contacts have an `@`.
        Migration(
            name: "bans-2", statements: [],
            fill: { sql throws(Failure) in
                try EmailAddress.rewrite("target", of: "bans", key: "number", order: "number", in: sql)
            }),
    ]

    /// Adds a ban; or gives the one of this target another reason and another end.
    /// - Parameter now: microseconds since 1970, as `endsAt`.
    /// - Throws: `quota` where there are `ServerLimits.bansMax`.
    package func set(
        _ target: BanTarget, reason: String?, endsAt: Int64?, now: Int64
    ) throws(Failure) -> (ban: Ban, isNew: Bool) {
        let number = try sql.nextNumber("bans")
        let row = try sql.row(
            """
            INSERT INTO bans (number, kind, target, reason, created_at, ends_at) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (kind, target) DO UPDATE SET reason = excluded.reason, ends_at = excluded.ends_at
            RETURNING number, kind, target, reason, created_at, ends_at
            """,
            [
                .integer(number), .text(target.kind.rawValue), .text(target.text), SQLValue(reason), .integer(now),
                SQLValue(endsAt),
            ])
        guard let ban = try row.map(Self.ban) ?? nil else { throw Failure(.internalError, cause: "no ban was written") }
        guard try sql.row("SELECT COUNT(*) FROM bans", [])?.count(0) ?? 0 <= ServerLimits.bansMax else {
            throw Failure(
                .quota, cause: "there are \(ServerLimits.bansMax) bans: take some back, or ban networks")
        }
        return (ban, ban.number == number)
    }

    /// - Returns: the ban that is gone; nil: there was none.
    @discardableResult
    package func remove(_ target: BanTarget) throws(Failure) -> Ban? {
        let row = try sql.row(
            """
            DELETE FROM bans WHERE kind = $1 AND target = $2
            RETURNING number, kind, target, reason, created_at, ends_at
            """, [.text(target.kind.rawValue), .text(target.text)])
        return try row.map(Self.ban) ?? nil
    }

    /// Those that have not ended, the newest first.
    /// - Parameter now: microseconds since 1970.
    package func all(now: Int64, limit: Int64 = ServerLimits.bansMax) throws(Failure) -> [Ban] {
        let found = try sql.rows(
            """
            SELECT number, kind, target, reason, created_at, ends_at FROM bans
            WHERE ends_at IS NULL OR ends_at > $1 ORDER BY number DESC LIMIT \(limit)
            """, [.integer(now)])
        var bans = [Ban]()
        for row in found { if let ban = try Self.ban(row) { bans.append(ban) } }
        return bans
    }

    /// Deletes those that have ended.
    /// - Parameter now: microseconds since 1970.
    package func sweep(now: Int64) throws(Failure) {
        try sql.run("DELETE FROM bans WHERE ends_at <= $1", [.integer(now)])
    }

    /// - Returns: nil for a kind that a later version has.
    private static func ban(_ row: SQLRow) throws(Failure) -> Ban? {
        guard let kind = BanTarget.Kind(rawValue: try row.text(1)) else { return nil }
        return Ban(
            number: try row.integer(0), target: BanTarget(kind: kind, text: try row.text(2)),
            reason: try row.optionalText(3), createdAt: try row.count(4), endsAt: try row.optionalInteger(5))
    }
}
