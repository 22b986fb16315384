/// The rights of an account on this server. A role never changes a rank in a tour: the tour's own log decides that.
package enum AccountRole: String, Codable, CaseIterable, Comparable, Sendable {
    case user
    /// May register tours on this server, and have it send links of invitations.
    case guide
    /// May do the same, and set the roles of accounts.
    case admin

    /// Orders roles by what they allow.
    package static func < (left: AccountRole, right: AccountRole) -> Bool { left.height < right.height }

    private var height: Int {
        switch self {
        case .user: 0
        case .guide: 1
        case .admin: 2
        }
    }
}
