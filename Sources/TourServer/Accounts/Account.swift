import Foundation

/// Somebody who uses the server, as the storage knows it.
package struct Account: Hashable, Sendable {
    /// The number that clients show and send.
    package let id: Int64
    package let email: String?
    package let phone: String?
    package let role: AccountRole
    /// Microseconds since 1970.
    package let createdAt: Int64
    /// The session that the caller's token belongs to; nil where no token was looked at.
    package var session: String?

    /// Whether another issuer's tokens are this account's.
    private let isKnownOutside: Bool

    /// A guest has neither address nor number, and nothing to log in with again.
    package var isGuest: Bool { email == nil && phone == nil && !isKnownOutside }

    static let columns = """
        accounts.id, accounts.email, accounts.phone, accounts.role, accounts.created_at,
        CASE WHEN EXISTS (SELECT 1 FROM outside_names AS o WHERE o.account = accounts.id) THEN 1 ELSE 0 END
        """
    static let columnCount = 6

    /// Of a row that begins with `columns`.
    init(_ row: SQLRow) throws(Failure) {
        id = try row.integer(0)
        email = try row.optionalText(1)
        phone = try row.optionalText(2)
        guard let role = AccountRole(rawValue: try row.text(3)) else {
            throw Failure(.internalError, cause: "an account has a role that this version does not know")
        }
        self.role = role
        createdAt = try row.integer(4)
        isKnownOutside = try row.integer(5) == 1
    }

    init(id: Int64, email: String?, phone: String?, role: AccountRole = .user, createdAt: Int64) {
        self.id = id
        self.email = email
        self.phone = phone
        self.role = role
        self.createdAt = createdAt
        isKnownOutside = false
    }
}

/// The account as its owner sees it.
struct AccountBody: Encodable {
    let id: Int64
    let email: String?
    let phone: String?
    let role: AccountRole
    let isAnonymous: Bool
    let createdAt: Date

    init(_ account: Account) {
        id = account.id
        email = account.email
        phone = account.phone
        role = account.role
        isAnonymous = account.isGuest
        createdAt = Date(microseconds: account.createdAt)
    }

    private enum CodingKeys: String, CodingKey {
        case id, email, phone, role
        case isAnonymous = "is_anonymous"
        case createdAt = "created_at"
    }
}
