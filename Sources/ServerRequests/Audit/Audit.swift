import ServerBase
import ServerStorage
import TourModel

/// The party that made a change which the audit log records.
package enum AuditActor: Hashable, Sendable {
    /// The operator, by the name of the system's user.
    case server(operator: String)
    /// The operator, on the operator's page; by the name of the system's user who asked for the link to it.
    case page(operator: String)
    /// An account, by a request of its own.
    case account(Int64)
    /// The server itself, by its settings.
    case itself

    /// `operator:NAME`, `operator:NAME on the page`, `account:NUMBER` or `server`.
    package var text: String {
        switch self {
        case .server(let name): "operator:" + Self.plain(name)
        case .page(let name): "operator:" + Self.plain(name) + " on the page"
        case .account(let number): "account:\(number)"
        case .itself: "server"
        }
    }

    /// A name without control characters, which a terminal would obey, and no longer than
    /// `ServerLimits.auditNameCharactersMax`.
    private static func plain(_ name: String) -> String {
        let kept = name.unicodeScalars.filter { $0.properties.generalCategory != .control && $0.value != 0 }
        return String(String(String.UnicodeScalarView(kept)).prefix(ServerLimits.auditNameCharactersMax))
    }
}

/// A change that the audit log records. A released name keeps its meaning.
package enum AuditAction: String, CaseIterable, Sendable {
    /// The operator made the account.
    case accountMade = "account-made"
    /// The operator made a code by which somebody makes an account.
    case accountInvited = "account-invited"
    case accountDisabled = "account-disabled"
    case accountEnabled = "account-enabled"
    case accountDeleted = "account-deleted"
    /// The operator ended the sessions, the password and the second factor, and made a code for a new password.
    case accountReset = "account-reset"
    /// The detail is the role.
    case roleSet = "role-set"
    /// Sessions that the operator ended; the detail is their number.
    case sessionsEnded = "sessions-ended"
    case passwordChanged = "password-changed"
    /// The owner set a new password by a code.
    case passwordReset = "password-reset"
    case emailChanged = "email-changed"
    case phoneChanged = "phone-changed"
    case secondFactorOn = "second-factor-on"
    case secondFactorOff = "second-factor-off"
    case tourDeleted = "tour-deleted"
    /// Nothing was written in the tour for long: the server will delete it; the detail is when.
    case tourEnding = "tour-ending"
    /// Something was written in the tour since, or the setting changed.
    case tourKept = "tour-kept"
    /// The detail of these is the organisation; of a role, and of who came in, it has the role too.
    case organisationMade = "organisation-made"
    case organisationDeleted = "organisation-deleted"
    case organisationJoined = "organisation-joined"
    case organisationLeft = "organisation-left"
    case organisationRoleSet = "organisation-role-set"
    case tourShared = "tour-shared"
    case tourTakenOut = "tour-taken-out"
    /// The account is the tour's new owner; the detail names the one before too.
    case tourHandedOver = "tour-handed-over"
    /// Everything that the server has of the account was given to its owner, or written to a file for them.
    case accountExported = "account-exported"
    /// The operator made a new key for access tokens; the detail is its public name.
    case keysRotated = "keys-rotated"
    /// Somebody is banned, or their ban got another end; the detail is the ban's number, its kind and its end.
    case banSet = "ban-set"
    /// The detail is the ban's number and its kind.
    case banLifted = "ban-lifted"
    /// The operator came to the page by a link.
    case pageOpened = "page-opened"
    /// The operator ended the links to the page and everything that they opened; the detail is their number.
    case pageClosed = "page-closed"
}

/// An entry of the audit log.
package struct AuditEntry: Hashable, Sendable {
    /// Rises with each entry.
    package let number: Int64
    /// Microseconds since 1970.
    package let at: Int64
    /// See `AuditActor.text`.
    package let actor: String
    /// See `AuditAction`; a later version may have written others.
    package let action: String
    /// The number of the account that was changed.
    package let account: Int64?
    /// The tour that was changed.
    package let tour: TourID?
    /// See `AuditAction`.
    package let detail: String?

    /// - Parameter row: number, at, actor, action, account, tour, detail.
    init(_ row: SQLRow) throws(Failure) {
        number = try row.integer(0)
        at = try row.count(1)
        actor = try row.text(2)
        action = try row.text(3)
        account = try row.optionalInteger(4)
        tour = try row.optionalBytes(5).flatMap(TourID.init)
        detail = try row.optionalText(6)
    }
}

/// The audit log inside one transaction: entries are added with the change that they record, and only age removes them.
package struct AuditLog {
    private let sql: any SQL

    package init(sql: any SQL) { self.sql = sql }

    /// Adds an entry.
    /// - Parameter detail: never a secret, an address or a number of a phone.
    /// - Parameter now: microseconds since 1970.
    package func add(
        _ action: AuditAction, by actor: AuditActor, account: Int64? = nil, tour: TourID? = nil, detail: String? = nil,
        now: Int64
    ) throws(Failure) {
        try sql.run(
            """
            INSERT INTO audit (number, at, actor, action, account, tour, detail) VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .integer(try sql.nextNumber("audit")), .integer(now), .text(actor.text), .text(action.rawValue),
                SQLValue(account), SQLValue(tour?.bytes), SQLValue(detail),
            ])
    }

    /// The newest entries, the newest first.
    /// - Parameter since: microseconds since 1970.
    package func entries(since: Int64, limit: Int) throws(Failure) -> [AuditEntry] {
        let found = try sql.rows(
            """
            SELECT number, at, actor, action, account, tour, detail FROM audit WHERE at >= $1
            ORDER BY at DESC, number DESC LIMIT \(limit)
            """, [.integer(since)])
        return try found.map(AuditEntry.init)
    }

    /// The entries about one account, the oldest first.
    /// - Parameter number: the entry behind which the list begins.
    package func entries(of account: Int64, behind number: Int64, limit: Int) throws(Failure) -> [AuditEntry] {
        let found = try sql.rows(
            """
            SELECT number, at, actor, action, account, tour, detail FROM audit WHERE account = $1 AND number > $2
            ORDER BY number LIMIT \(limit)
            """, [.integer(account), .integer(number)])
        return try found.map(AuditEntry.init)
    }

    /// Deletes old entries.
    /// - Parameter days: for how many an entry stays.
    /// - Parameter now: microseconds since 1970.
    package func sweep(keeping days: Int, now: Int64) throws(Failure) {
        try sql.run("DELETE FROM audit WHERE at < $1", [.integer(now - Int64(days) * 86_400 * 1_000_000)])
    }
}
