import Foundation
import ServerAccounts
import ServerBase
import ServerRequests
import ServerStorage
import TourModel

/// An account as the operator sees it in a list: no password, token or code.
package struct AccountSummary: Encodable, Sendable {
    /// The account's number.
    package let id: Int64
    /// The address, proven or not.
    @Nullable package var email: String?
    /// Whether the owner has proven the address.
    package let isEmailProven: Bool
    /// The number in E.164 form.
    @Nullable package var phone: String?
    /// The rights on this server.
    package let role: AccountRole
    /// Whether it has neither address nor number.
    package let isGuest: Bool
    /// Whether a login takes a second factor.
    package let hasSecondFactor: Bool
    /// The time of the first login.
    package let createdAt: Date
    /// When the operator disabled it; nil: it is not disabled.
    @Nullable package var disabledAt: Date?
    /// Sessions that have not expired.
    package let sessions: Int64
    /// When one of them was last used; nil without a session.
    @Nullable package var lastUsedAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, email, phone, role, sessions
        case isEmailProven = "email_verified"
        case isGuest = "is_anonymous"
        case hasSecondFactor = "second_factor"
        case createdAt = "created_at"
        case disabledAt = "disabled_at"
        case lastUsedAt = "last_used_at"
    }

    /// - Parameter row: begins with `Account.columns`, then has the number of sessions and the end of the last one.
    init(_ row: SQLRow) throws(Failure) {
        let account = try Account(row)
        id = account.id
        email = account.email
        isEmailProven = account.isEmailProven
        phone = account.phone
        role = account.role
        isGuest = account.isGuest
        hasSecondFactor = account.hasSecondFactor
        createdAt = Date(microseconds: account.createdAt)
        disabledAt = account.disabledAt.map(Date.init(microseconds:))
        sessions = try row.count(Account.columnCount)
        // A login and each refresh set the end anew.
        lastUsedAt = try row.optionalInteger(Account.columnCount + 1)
            .map { Date(timeIntervalSince1970: Double($0 - ServerLimits.sessionLifetime)) }
    }

    /// - Parameter condition: with parameters from `$3` on.
    static func all(
        where condition: String, _ values: [SQLValue], limit: Int, now: Int64, in sql: any SQL
    ) throws(Failure) -> [AccountSummary] {
        let seconds = SQLValue.integer(now / 1_000_000)
        let found = try sql.rows(
            """
            SELECT \(Account.columns),
                (SELECT COUNT(*) FROM sessions AS s WHERE s.account = accounts.id AND s.expires > $1),
                (SELECT MAX(s.expires) FROM sessions AS s WHERE s.account = accounts.id AND s.expires > $2)
            FROM accounts WHERE \(condition) ORDER BY accounts.id LIMIT \(limit)
            """, [seconds, seconds] + values)
        return try found.map(AccountSummary.init)
    }
}

/// An account with what it has on this server.
package struct AccountDetails: Encodable, Sendable {
    /// The account itself.
    package let account: AccountSummary
    /// Its sessions, those used last first.
    package let sessions: [ListedSession]
    /// The ids of the tours that it registered, has a seat in or is invited to.
    package let tours: [String]
    /// Items of its notebook that are not deleted.
    package let notebookItems: Int64
    /// The size of its pictures and files, in bytes.
    package let fileBytes: Int64

    private enum CodingKeys: String, CodingKey {
        case account, sessions, tours
        case notebookItems = "notebook_items"
        case fileBytes = "file_bytes"
    }
}
