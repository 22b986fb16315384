import TourGossip
import TourModel

/// Rows that arrived by datagram, with signatures still to be checked. A datagram reaches all members of a segment at
/// the same moment, and so would the work that follows from a row. Checked after a short random time instead, several
/// rows are handled together, a row that arrived twice is checked once, and members' frontiers do not delay a
/// message, on this machine or on others that share its processor.
package struct GatheredClaims {
    /// When this many rows wait they are checked at once, which bounds their memory.
    package static let rowsMax = 64
    static let delayMinMicroseconds: Int64 = 100_000
    static let delayMaxMicroseconds: Int64 = 500_000

    private var rows: [(origin: Origin, claim: HeardClaim)] = []

    package init() {}

    /// - Returns: whether these are the first, so that the caller must schedule a check.
    package mutating func add(_ claims: [HeardClaim], _ origin: Origin) -> Bool {
        let isFirst = rows.isEmpty
        for claim in claims where !rows.contains(where: { $0.claim == claim }) { rows.append((origin, claim)) }
        return isFirst && !rows.isEmpty
    }

    /// Whether the rows should be checked at once.
    package var isFull: Bool { rows.count >= Self.rowsMax }

    /// Removes and returns the waiting rows in the order of arrival, by origin.
    package mutating func drain() -> [(origin: Origin, claims: [HeardClaim])] {
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
