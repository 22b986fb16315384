import Foundation
import ServerBase
import ServerStorage

/// A user of the server, as the database stores the account.
package struct Account: Hashable, Sendable {
    /// The number that clients show and send.
    package let id: Int64
    /// The address as `EmailAddress` writes it, proven or not.
    package let email: String?
    /// The number in E.164 form; it was proven by a code.
    package let phone: String?
    /// The rights of the account on this server.
    package let role: AccountRole
    /// Microseconds since 1970.
    package let createdAt: Int64
    /// The session that the caller's token belongs to; nil for an account that was not read by such a token.
    package var session: String?
    /// Whether a login takes a second factor.
    package let hasSecondFactor: Bool
    /// Whether the account has a password, which changes of it then take.
    let hasPassword: Bool
    /// Whether the operator wants a second factor for the account's role, and the account has none: the role counts
    /// for nothing then.
    var lacksSecondFactor = false

    /// Whether the owner returned the code that was mailed to `email`, or the operator vouched for the address.
    package let isEmailProven: Bool
    /// When the operator disabled the account, in microseconds since 1970; nil: it is not disabled.
    package let disabledAt: Int64?
    /// Whether an outside issuer's tokens log in to this account.
    private let isKnownOutside: Bool

    /// The address once it is proven: only then does the account receive what others share with that address.
    package var provenEmail: String? { isEmailProven ? email : nil }
    /// Whether the account's only name is an address that anybody could have typed.
    package var isUnproven: Bool { email != nil && !isEmailProven && phone == nil && !isKnownOutside }

    /// A guest has neither address nor number, and so nothing to log in with again.
    package var isGuest: Bool { email == nil && phone == nil && !isKnownOutside }

    /// Whether the account surely is the one that an operator means by this number, address or phone number: anybody
    /// may have typed an address that nobody has proven, and nobody logs in to a guest's account again.
    package func isMeant(by name: String) -> Bool {
        !isGuest && (EmailAddress(name) == nil ? !isUnproven : isEmailProven)
    }

    /// The columns that `init` reads, of a statement with the table `accounts`.
    package static let columns = """
        accounts.id, accounts.email, accounts.phone, accounts.role, accounts.created_at,
        CASE WHEN EXISTS (SELECT 1 FROM outside_names AS o WHERE o.account = accounts.id) THEN 1 ELSE 0 END,
        accounts.email_proven,
        CASE WHEN EXISTS (SELECT 1 FROM second_factors AS f WHERE f.account = accounts.id AND f.confirmed IS NOT NULL)
            THEN 1 ELSE 0 END,
        CASE WHEN accounts.password IS NULL THEN 0 ELSE 1 END, accounts.disabled
        """
    /// How many columns these are.
    package static let columnCount = 10

    /// - Parameter row: begins with `columns`.
    package init(_ row: SQLRow) throws(Failure) {
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
        hasSecondFactor = try row.integer(7) == 1
        hasPassword = try row.integer(8) == 1
        disabledAt = try row.optionalInteger(9)
    }

    init(
        id: Int64, email: String?, phone: String?, hasPassword: Bool, role: AccountRole = .user, createdAt: Int64
    ) {
        self.id = id
        self.email = email
        self.phone = phone
        self.role = role
        self.createdAt = createdAt
        isKnownOutside = false
        isEmailProven = false
        hasSecondFactor = false
        self.hasPassword = hasPassword
        disabledAt = nil
    }

    /// - Throws: `accountDisabled`.
    func requireEnabled() throws(Failure) {
        guard disabledAt == nil else { throw Failure(.accountDisabled) }
    }
}

/// The account as its owner sees it.
package struct AccountBody: Encodable {
    let id: Int64
    /// Empty where the account has no address: the notes guide's app expects a string.
    let email: String
    let phone: String?
    let role: AccountRole
    let isAnonymous: Bool
    let isEmailProven: Bool
    let hasSecondFactor: Bool
    let hasPassword: Bool
    let createdAt: Date

    package init(_ account: Account) {
        id = account.id
        email = account.email ?? ""
        phone = account.phone
        role = account.role
        isAnonymous = account.isGuest
        isEmailProven = account.isEmailProven
        hasSecondFactor = account.hasSecondFactor
        hasPassword = account.hasPassword
        createdAt = Date(microseconds: account.createdAt)
    }

    private enum CodingKeys: String, CodingKey {
        case id, email, phone, role
        case isAnonymous = "is_anonymous"
        case isEmailProven = "email_verified"
        case hasSecondFactor = "second_factor"
        case hasPassword = "has_password"
        case createdAt = "created_at"
    }
}
