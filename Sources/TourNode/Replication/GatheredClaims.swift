import TourGossip
import TourModel

/// Rows that came by datagram and whose signatures are still to be checked. A datagram comes to all members of a
/// segment at the same moment, and so would the work that follows from a row: checked a moment later, after a time of
/// chance, several are worked through together, a row that came twice is checked once, and what a member says of its
/// frontier does not get in the way of a message, on this machine or on others that share its processor.
package struct GatheredClaims {
    /// Rows that wait; then they are checked at once. The memory they take is bounded by it.
    package static let rowsMax = 64
    static let delayMinMicroseconds: Int64 = 100_000
    static let delayMaxMicroseconds: Int64 = 500_000

    private var rows: [(origin: Origin, claim: HeardClaim)] = []

    package init() {}

    /// - Returns: whether these are the first, so that somebody must come for them.
    package mutating func add(_ claims: [HeardClaim], _ origin: Origin) -> Bool {
        let isFirst = rows.isEmpty
        for claim in claims where !rows.contains(where: { $0.claim == claim }) { rows.append((origin, claim)) }
        return isFirst && !rows.isEmpty
    }

    package var isFull: Bool { rows.count >= Self.rowsMax }

    /// What waits, in the order in which it came, by where it came from.
    package mutating func take() -> [(origin: Origin, claims: [HeardClaim])] {
        defer { rows = [] }
        return rows.reduce(into: []) { groups, row in
            if let last = groups.indices.last, groups[last].origin == row.origin {
                groups[last].claims.append(row.claim)
            } else {
                groups.append((row.origin, [row.claim]))
            }
        }
    }
}
