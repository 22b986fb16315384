import TourModel

/// How many people may join by a code, and for how long.
package struct InviteTerms: Hashable, Sendable {
    /// nil: any number.
    package let uses: Int?
    /// nil: as long as the tour lasts.
    package let expiresSeconds: Int64?

    /// The terms of a code unless the user gives others: more uses than any group needs, and longer than any tour;
    /// yet a leaked code neither fills a tour nor opens it for ever.
    package static let standard = InviteTerms(
        uses: Limits.inviteUsesStandard, expiresSeconds: Limits.inviteLifetimeStandard)

    private init(uses: Int?, expiresSeconds: Int64?) {
        self.uses = uses
        self.expiresSeconds = expiresSeconds
    }

    /// - Parameter isUnlimited: whether a missing value means no limit; otherwise it means the standard one.
    /// - Throws: `NodeError`, code `bad-invite` or `bad-expiry`.
    package init(uses: Int?, expiresSeconds: Int64?, isUnlimited: Bool) throws(NodeError) {
        if let uses, !(1...Limits.membersMax).contains(uses) {
            throw NodeError.membership(.badInvite)
        }
        if let expiresSeconds, !(1...Limits.expirySecondsMax).contains(expiresSeconds) { throw .badExpiry }
        self.init(
            uses: uses ?? (isUnlimited ? nil : Limits.inviteUsesStandard),
            expiresSeconds: expiresSeconds ?? (isUnlimited ? nil : Limits.inviteLifetimeStandard))
    }
}
