import TourModel
import TourWire

/// A position row whose signature is checked, with the row as it came.
package struct VerifiedPosition: Hashable, Sendable {
    package let claim: PositionClaim
    /// The exact row; `hops` counts the link it came by.
    package let row: ClaimRow
    /// When the sharing ends, by this node's clock.
    package let lapsesAt: Instant

    /// For the shell, which has checked the signature and the clock (or made the row).
    package init(claim: PositionClaim, row: ClaimRow, lapsesAt: Instant) {
        self.claim = claim
        self.row = row
        self.lapsesAt = lapsesAt
    }
}

/// A position row as it came: who signed it, if anybody, and when, is still to be checked.
package struct HeardPosition: Hashable, Sendable {
    package let claim: PositionClaim
    package let row: ClaimRow

    /// For the shell, which has checked it: what is kept and passed on crossed one link more.
    package func verified(lapsesAt: Instant) -> VerifiedPosition {
        var passed = row
        passed.hops += 1
        return VerifiedPosition(claim: claim, row: passed, lapsesAt: lapsesAt)
    }
}

/// Where members say that they are: of each the newest row, as long as it shares.
struct PositionBoard: Sendable {
    struct Kept: Sendable {
        let position: VerifiedPosition
        /// When this row came.
        let takenAt: Instant
        /// When the member's rows were, or are, passed on last.
        let spreadAt: Instant
    }

    enum Order { case older, same, newer }

    private(set) var kept: [MemberID: Kept] = [:]

    /// How a row stands to the one that is kept of its member. Of two with one counter the larger bytes are newer, on
    /// every node.
    func order(of claim: PositionClaim, _ row: [UInt8]) -> Order {
        guard let known = kept[claim.member]?.position else { return .newer }
        if claim.counter != known.claim.counter { return claim.counter > known.claim.counter ? .newer : .older }
        return row == known.row.row ? .same : known.row.row.lexicographicallyPrecedes(row) ? .newer : .older
    }

    /// - Returns: when it is to be passed on. A member that signs more of them than it should is told of no more often
    ///   than others.
    mutating func add(_ position: VerifiedPosition, _ now: Instant) -> Instant {
        let member = position.claim.member
        let last = kept[member]?.spreadAt
        let spreadAt = last.map { $0 > now ? $0 : max(now, $0 + Limits.positionSpreadPause) } ?? now
        kept[member] = Kept(position: position, takenAt: now, spreadAt: spreadAt)
        return spreadAt
    }

    /// Forgets what has ended, and those who are out.
    mutating func drop(_ now: Instant, out: (MemberID) -> Bool) {
        kept = kept.filter { $0.value.position.lapsesAt > now && !out($0.key) }
    }
}

/// How many rows of one link may still be checked: a signature costs as much as a hundred bytes to make up.
struct PositionBudget: Hashable, Sendable {
    private var left: Int?
    private var filledAt = Instant(microseconds: 0)

    /// - Parameter members: of the tour: so many rows come at once when a link opens.
    mutating func take(_ now: Instant, members: Int) -> Bool {
        let most = max(members, Limits.positionChecksMin)
        // All members together write one row each ten seconds, and each may come twice.
        let pause = Duration.microseconds(Limits.positionInterval.microseconds / Int64(2 * most))
        let gained = Int((now - filledAt).microseconds / max(pause.microseconds, 1))
        if gained > 0 || left == nil {
            left = min(most, (left ?? most) + min(gained, most))
            filledAt = now
        }
        guard let count = left, count > 0 else { return false }
        left = count - 1
        return true
    }
}
