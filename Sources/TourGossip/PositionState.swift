import TourModel
import TourWire

/// A position row whose signature is verified, with the row as received.
package struct VerifiedPosition: Hashable, Sendable {
    /// The decoded contents of the row.
    package let claim: PositionClaim
    /// The exact row; `hops` counts the link it arrived on.
    package let row: ClaimRow
    /// When the sharing ends, by this node's clock.
    package let lapsesAt: Instant

    /// For the shell, which has verified the signature and the clock (or made the row).
    package init(claim: PositionClaim, row: ClaimRow, lapsesAt: Instant) {
        self.claim = claim
        self.row = row
        self.lapsesAt = lapsesAt
    }
}

/// A position row as received: its signature and its time are still to be checked.
package struct HeardPosition: Hashable, Sendable {
    /// The decoded contents of the row.
    package let claim: PositionClaim
    /// The row as received.
    package let row: ClaimRow

    /// For the shell, which has checked it: the row that is kept and passed on crossed one link more.
    package func verified(lapsesAt: Instant) -> VerifiedPosition {
        var passed = row
        passed.hops += 1
        return VerifiedPosition(claim: claim, row: passed, lapsesAt: lapsesAt)
    }
}

/// The positions that members share: of each the newest row, for as long as it shares.
struct PositionState: Sendable {
    /// How long rows gather before they go out on a link of the tree, and on another link.
    static let delay: Duration = .milliseconds(500)
    static let lazyDelay: Duration = .seconds(2)
    /// The least time between two rows of one member that are passed on.
    private static let spreadPause: Duration = .seconds(5)

    struct Kept: Sendable {
        let position: VerifiedPosition
        /// When this row arrived.
        let takenAt: Instant
        /// When the member's rows were last passed on, or will be.
        let spreadAt: Instant
    }

    enum Order { case older, same, newer }

    private(set) var kept: [MemberID: Kept] = [:]

    /// How a row compares to the kept row of its member. Of two rows with one counter the larger bytes are newer, on
    /// every node.
    func order(of claim: PositionClaim, _ row: [UInt8]) -> Order {
        guard let known = kept[claim.member]?.position else { return .newer }
        if claim.counter != known.claim.counter { return claim.counter > known.claim.counter ? .newer : .older }
        return row == known.row.row ? .same : known.row.row.lexicographicallyPrecedes(row) ? .newer : .older
    }

    /// - Returns: when to pass it on. Rows of a member that signs more of them than it should go out no more often than
    ///   others'.
    mutating func add(_ position: VerifiedPosition, _ now: Instant) -> Instant {
        let member = position.claim.member
        let last = kept[member]?.spreadAt
        let spreadAt = last.map { $0 > now ? $0 : max(now, $0 + Self.spreadPause) } ?? now
        kept[member] = Kept(position: position, takenAt: now, spreadAt: spreadAt)
        return spreadAt
    }

    /// Drops positions that have ended, and those of members that are out.
    mutating func drop(_ now: Instant, out: (MemberID) -> Bool) {
        kept = kept.filter { $0.value.position.lapsesAt > now && !out($0.key) }
    }
}

/// How many rows of one link may still be checked: verifying a signature costs far more than sending a made-up one.
struct PositionBudget: Hashable, Sendable {
    /// The rows of one link that are checked at once in the smallest tour.
    private static let checksMin = 16

    private var left: Int?
    private var filledAt = Instant(microseconds: 0)

    /// - Parameter members: the size of the tour: so many rows arrive at once when a link opens.
    mutating func acquire(_ now: Instant, members: Int) -> Bool {
        let most = max(members, Self.checksMin)
        // All members together write one row each ten seconds, and each row may arrive twice.
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
