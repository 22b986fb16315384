import ServerBase

/// The parts of what the whole server mails. Each is counted apart, so that strangers, who may request mail to any
/// number of addresses that they make up, use up nothing that the server's users need.
package enum MailShare: String, CaseIterable, Sendable {
    /// Codes to an account's own address, requested where the account is known.
    case known
    /// Everything else that somebody requests, invitations too.
    case strangers
    /// Codes for a new password to a proven address, requested from elsewhere.
    case resets
    /// Notices that tell owners of changes.
    case notices

    /// The share of a code to the account's own address. An account that anybody may just have made, with an address
    /// that nobody has proven, counts among strangers wherever it is: many of them would use up the others' share.
    /// - Parameter isKnown: whether the account is known at the address that the request came from.
    /// - Parameter now: microseconds since 1970.
    package init(of account: Account, isKnown: Bool, now: Int64) {
        let isFresh = account.isUnproven && now - account.createdAt < ServerLimits.freshAccountTime * 1_000_000
        self = isKnown && !isFresh ? .known : .strangers
    }

    /// All mail of this share: so many at once, and as many again in a day. All shares together send 10,000 in a day.
    package var limit: (limit: RateLimit, who: String) {
        let burst: Int64 =
            switch self {
            case .known, .strangers: 2_000
            case .resets, .notices: 500
            }
        return (RateLimit("mail-server", burst: burst, every: .seconds(24 * 60 * 60) / Int(burst)), rawValue)
    }
}
