import TourModel
import TourWords

/// How many may come by a code, and for how long.
package struct InviteTerms: Hashable, Sendable {
    /// nil: any number.
    package let uses: Int?
    /// nil: as long as the tour lasts.
    package let expiresSeconds: Int64?

    /// What a code is good for when nobody says it: more than any group, and longer than any tour; yet a code that gets
    /// about neither fills a tour nor opens it for ever.
    package static let standard = InviteTerms(
        uses: Limits.inviteUsesStandard, expiresSeconds: Limits.inviteLifetimeStandard)

    private init(uses: Int?, expiresSeconds: Int64?) {
        self.uses = uses
        self.expiresSeconds = expiresSeconds
    }

    /// - Parameter isUnlimited: where nothing is said, nothing is bounded; otherwise it is as is usual.
    /// - Throws: `NodeError`, code `bad-invite` or `bad-expiry`.
    package init(uses: Int?, expiresSeconds: Int64?, isUnlimited: Bool) throws(NodeError) {
        if let uses, !(1...Limits.membersMax).contains(uses) {
            throw NodeError("bad-invite", Phrase("An invite has 1 to \(Limits.membersMax) uses."))
        }
        if let expiresSeconds, !(1...Limits.expirySecondsMax).contains(expiresSeconds) { throw .badExpiry }
        self.init(
            uses: uses ?? (isUnlimited ? nil : Limits.inviteUsesStandard),
            expiresSeconds: expiresSeconds ?? (isUnlimited ? nil : Limits.inviteLifetimeStandard))
    }
}
