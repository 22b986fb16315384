import TourModel
import TourWire

/// One open link, as this node sees it.
package struct LinkFacts: Hashable, Sendable {
    /// Whether this node dialled.
    package var isOutbound: Bool
    /// The roster does not name the peer yet.
    package var isRestricted: Bool
    /// When the link opened.
    package var openedAt: Instant

    package init(isOutbound: Bool, isRestricted: Bool, openedAt: Instant) {
        self.isOutbound = isOutbound
        self.isRestricted = isRestricted
        self.openedAt = openedAt
    }
}

// The decision about a link that opens. Source: `Protocol/06-replication.md`, "Overlay", and `Protocol/04-framing.md`,
// "One link per pair".
extension Overlay {
    /// The decision about a new link.
    package enum Verdict: Hashable, Sendable {
        /// Keep it.
        case keep
        /// Keep it, and end the other link with the same member: `Bye {"duplicate"}`.
        case replaceOther
        /// Keep it, and give up the link to this member: `Bye {"full"}`.
        case replace(MemberID)
        /// Close it with this reason.
        case refuse(ByeReason)
    }

    /// Decides about a link that has just opened.
    /// - Parameters:
    ///   - old: the existing link with this member, if any.
    ///   - openCount: all open links, restricted ones included.
    package func verdict(
        on new: LinkFacts, to member: MemberID, beside old: LinkFacts?, openCount: Int, now: Instant
    ) -> Verdict {
        if let old {
            // A peer that dials again after a while has lost the old link, whatever we think of it.
            let isOldLost = now - old.openedAt > Limits.simultaneousDialMax
            return isOldLost || prefers(new, to: old, with: member) ? .replaceOther : .refuse(.duplicate)
        }
        // No other link is given up for a peer that has proven only the link secret.
        if new.isRestricted { return openCount < Self.linksMax ? .keep : .refuse(.full) }
        if new.isOutbound { return verdict(onDialled: member) }
        switch answer(to: member) {
        case .accept: return .keep
        case .refuse: return .refuse(.full)
        case .replace(let other): return .replace(other)
        }
    }

    private func verdict(onDialled member: MemberID) -> Verdict {
        guard wants(member) else { return .refuse(.full) }
        guard links.count >= Self.linksMax else { return .keep }
        return newestSpare.map { Verdict.replace($0) } ?? .refuse(.full)
    }

    /// Of two links between the same two members, the one that the lower member dialled stays; of two that one member
    /// dialled, the newer.
    private func prefers(_ new: LinkFacts, to old: LinkFacts, with member: MemberID) -> Bool {
        new.isOutbound == old.isOutbound || new.isOutbound == (own < member)
    }

    /// Whether a member counts as present: it gave a recent sign of life, after its last link was lost.
    package static func isPresent(seenAt: Instant?, lostAt: Instant?, now: Instant) -> Bool {
        guard let seenAt, now - seenAt < Limits.presenceLifetime else { return false }
        return lostAt.map { $0 < seenAt } ?? true
    }
}
