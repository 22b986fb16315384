/// What an account may do on this server. It never changes a rank in a tour: there the tour's own log decides.
package enum AccountRole: String, Codable, CaseIterable, Comparable, Sendable {
    case user
    /// Creates tours.
    case guide
    /// Changes roles.
    case admin

    package static func < (left: AccountRole, right: AccountRole) -> Bool { left.height < right.height }

    private var height: Int {
        switch self {
        case .user: 0
        case .guide: 1
        case .admin: 2
        }
    }
}
