import TourModel
import TourWire

/// A claim whose signature is verified, with the row as received.
package struct VerifiedClaim: Hashable, Sendable {
    /// The decoded contents of the row.
    package let claim: FrontierClaim
    /// The exact row; `hops` counts the link it arrived on.
    package let row: ClaimRow

    /// For the shell, which has verified the signature (or made it).
    package init(claim: FrontierClaim, row: ClaimRow) {
        self.claim = claim
        self.row = row
    }

    var key: ClaimKey { ClaimKey(member: claim.member, counter: claim.counter) }
}

/// A claim as received: its signature is still to be verified.
package struct HeardClaim: Hashable, Sendable {
    /// The decoded contents of the row.
    package let claim: FrontierClaim
    /// The row as received.
    package let row: ClaimRow

    package init(claim: FrontierClaim, row: ClaimRow) {
        self.claim = claim
        self.row = row
    }

    /// For the shell, which has verified the signature: the row that is kept and passed on crossed one link more.
    package var verified: VerifiedClaim {
        var passed = row
        passed.hops += 1
        return VerifiedClaim(claim: claim, row: passed)
    }
}

/// Names one row.
struct ClaimKey: Hashable, Comparable, Sendable {
    let member: MemberID
    let counter: UInt64

    static func < (left: ClaimKey, right: ClaimKey) -> Bool {
        (left.member, left.counter) < (right.member, right.counter)
    }
}

/// One member's claims about itself, in as few of its rows as state all of them: a row lists only some authors, and
/// nobody but the member can sign them together.
struct MemberClaims: Sendable {
    /// The most rows kept of one member: 16 long ones cover a thousand authors, the rest the changes between two.
    static let rowsMax = 24

    /// The newest first. Each but the first states something that no newer one does.
    private(set) var rows: [VerifiedClaim] = []
    /// All rows together: for each author, by prefix, the highest sequence that a row lists.
    private(set) var listed: [UInt64: UInt64] = [:]
    /// The same, with the heads that a hash implies.
    private(set) var heads: [UInt64: UInt64] = [:]
    /// The read position of the newest row.
    private var readThrough = LogicalClock.zero
    /// Whether the newest row says that its member sleeps.
    private var isAsleep: Bool { rows.first?.claim.isAsleep ?? false }

    var counter: UInt64 { rows.first?.claim.counter ?? 0 }

    /// Whether the claim states more than that its member is alive.
    /// - Parameter authors: the authors that count; a member could name any number of others.
    /// - Parameter implied: the heads that its hash implies.
    func isRaised(
        by claim: FrontierClaim, implying implied: [MemberID: UInt64] = [:], among authors: [UInt64: MemberID]
    ) -> Bool {
        claim.counter > counter && (claim.readThrough ?? .zero > readThrough || claim.isAsleep != isAsleep)
            || claim.heads.contains { $0.sequence > heads[$0.prefix] ?? 0 && authors[$0.prefix] != nil }
            || implied.contains { $0.value > heads[$0.key.prefix] ?? 0 }
    }

    func isNews(_ claim: FrontierClaim, among authors: [UInt64: MemberID]) -> Bool {
        claim.counter > counter || isRaised(by: claim, among: authors)
    }

    /// - Parameter implied: the heads that its hash implies.
    mutating func add(
        _ claim: VerifiedClaim, implying implied: [MemberID: UInt64] = [:], among authors: [UInt64: MemberID]
    ) {
        Self.raise(&listed, by: claim.claim.heads, among: authors)
        Self.raise(&heads, by: claim.claim.heads, among: authors)
        for (author, last) in implied where last > heads[author.prefix] ?? 0 { heads[author.prefix] = last }
        if rows.isEmpty || claim.claim.counter > counter { readThrough = claim.claim.readThrough ?? .zero }
        let place = rows.firstIndex { $0.claim.counter < claim.claim.counter } ?? rows.endIndex
        rows.insert(claim, at: place)
        trim()
    }

    static func raise(
        _ heads: inout [UInt64: UInt64], by others: [TaggedHead], among authors: [UInt64: MemberID]
    ) {
        for head in others where head.sequence > heads[head.prefix] ?? 0 && authors[head.prefix] != nil {
            heads[head.prefix] = head.sequence
        }
    }

    /// The highest head that a row lists of an author.
    func heard(_ prefix: UInt64) -> HeardHead? {
        guard let last = listed[prefix] else { return nil }
        for row in rows {
            if let head = row.claim.heads.first(where: { $0.prefix == prefix && $0.sequence == last }) {
                return HeardHead(head, salt: row.claim.counter)
            }
        }
        return nil
    }

    /// Drops needless rows, and the oldest of a member that signs rows without end.
    private mutating func trim() {
        guard rows.count > 1 else { return }
        var open = listed
        var kept = [VerifiedClaim]()
        for row in rows where kept.count < Self.rowsMax {
            var isNeeded = kept.isEmpty
            for head in row.claim.heads where open[head.prefix] == head.sequence {
                open[head.prefix] = nil
                isNeeded = true
            }
            if isNeeded { kept.append(row) }
        }
        rows = kept
    }

    /// Of new rows that arrived together, those worth verifying: the newest, and others that state more than it does.
    func worthChecking(_ claims: [HeardClaim], among authors: [UInt64: MemberID]) -> [HeardClaim] {
        guard claims.count > 1 else { return claims }
        var known = self
        var worth = [HeardClaim]()
        for claim in claims.sorted(by: { $0.claim.counter > $1.claim.counter }) {
            guard worth.count < Self.rowsMax else { break }
            guard known.isNews(claim.claim, among: authors) else { continue }
            known.add(claim.verified, among: authors)
            worth.append(claim)
        }
        return worth
    }
}
