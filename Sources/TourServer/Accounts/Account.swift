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

    /// Whether a code that was sent to the e-mail address came back, or the operator said so.
    package let isEmailProven: Bool
    /// Whether another issuer's tokens are this account's.
    private let isKnownOutside: Bool

    /// The address, once it is shown to be the owner's: what others give to it is the account's then.
    var provenEmail: String? { isEmailProven ? email : nil }
    /// Whether there is nothing but an address that anybody could have typed.
    var isUnproven: Bool { email != nil && !isEmailProven && phone == nil && !isKnownOutside }

    /// A guest has neither address nor number, and nothing to log in with again.
    package var isGuest: Bool { email == nil && phone == nil && !isKnownOutside }

    static let columns = """
        accounts.id, accounts.email, accounts.phone, accounts.role, accounts.created_at,
        CASE WHEN EXISTS (SELECT 1 FROM outside_names AS o WHERE o.account = accounts.id) THEN 1 ELSE 0 END,
        accounts.email_proven
        """
    static let columnCount = 7

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
        isEmailProven = try row.integer(6) == 1
    }

    init(id: Int64, email: String?, phone: String?, role: AccountRole = .user, createdAt: Int64) {
        self.id = id
        self.email = email
        self.phone = phone
        self.role = role
        self.createdAt = createdAt
        isKnownOutside = false
        isEmailProven = false
    }
}

/// The account as its owner sees it.
struct AccountBody: Encodable {
    let id: Int64
    /// Empty where there is none: the app of the notes guide wants a text.
    let email: String
    let phone: String?
    let role: AccountRole
    let isAnonymous: Bool
    let isEmailProven: Bool
    let createdAt: Date

    init(_ account: Account) {
        id = account.id
        email = account.email ?? ""
        phone = account.phone
        role = account.role
        isAnonymous = account.isGuest
        isEmailProven = account.isEmailProven
        createdAt = Date(microseconds: account.createdAt)
    }

    private enum CodingKeys: String, CodingKey {
        case id, email, phone, role
        case isAnonymous = "is_anonymous"
        case isEmailProven = "email_verified"
        case createdAt = "created_at"
    }
}
