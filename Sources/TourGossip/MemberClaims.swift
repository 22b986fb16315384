import TourModel
import TourWire

/// A claim whose signature is checked, with the row as it came.
package struct VerifiedClaim: Hashable, Sendable {
    package let claim: FrontierClaim
    /// The exact row; `hops` counts the link it came by.
    package let row: ClaimRow

    /// For the shell, which has checked the signature (or made it).
    package init(claim: FrontierClaim, row: ClaimRow) {
        self.claim = claim
        self.row = row
    }

    var key: ClaimKey { ClaimKey(member: claim.member, counter: claim.counter) }
}

/// A claim as it came: who signed it, if anybody, is still to be checked.
package struct HeardClaim: Hashable, Sendable {
    package let claim: FrontierClaim
    package let row: ClaimRow

    package init(claim: FrontierClaim, row: ClaimRow) {
        self.claim = claim
        self.row = row
    }

    /// For the shell, which has checked the signature: what is kept and passed on crossed one link more.
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

/// What one member said of itself, as few of its rows as say all of it: a row lists some authors only, and nobody but
/// the member can sign them together.
struct MemberClaims: Sendable {
    /// The newest first. Each but the first says something that no newer one does.
    private(set) var rows: [VerifiedClaim] = []
    /// All of them together: per author, by prefix, the highest sequence that a row lists.
    private(set) var listed: [UInt64: UInt64] = [:]
    /// The same with what was said in one hash.
    private(set) var heads: [UInt64: UInt64] = [:]
    /// What the newest row says.
    private var readThrough = LogicalClock.zero

    var counter: UInt64 { rows.first?.claim.counter ?? 0 }

    /// Whether the claim says more than that its member is alive.
    /// - Parameter authors: of whom something is believed; a member could name any number of others.
    func isRaised(by claim: FrontierClaim, among authors: [UInt64: MemberID]) -> Bool {
        claim.counter > counter && claim.readThrough ?? .zero > readThrough
            || claim.heads.contains { $0.sequence > heads[$0.prefix] ?? 0 && authors[$0.prefix] != nil }
    }

    func isNews(_ claim: FrontierClaim, among authors: [UInt64: MemberID]) -> Bool {
        claim.counter > counter || isRaised(by: claim, among: authors)
    }

    /// - Parameter opened: the claim with all heads that it means.
    mutating func add(_ claim: VerifiedClaim, saying opened: FrontierClaim, among authors: [UInt64: MemberID]) {
        Self.raise(&listed, by: claim.claim.heads, among: authors)
        Self.raise(&heads, by: opened.heads, among: authors)
        if rows.isEmpty || claim.claim.counter > counter { readThrough = claim.claim.readThrough ?? .zero }
        let place = rows.firstIndex { $0.claim.counter < claim.claim.counter } ?? rows.endIndex
        rows.insert(claim, at: place)
        trim()
    }

    static func raise(
        _ heads: inout [UInt64: UInt64], by others: [PrefixedHead], among authors: [UInt64: MemberID]
    ) {
        for head in others where head.sequence > heads[head.prefix] ?? 0 && authors[head.prefix] != nil {
            heads[head.prefix] = head.sequence
        }
    }

    /// Of a member that signs rows without end the oldest go.
    private mutating func trim() {
        guard rows.count > 1 else { return }
        var open = listed
        var kept = [VerifiedClaim]()
        for row in rows where kept.count < Limits.claimRowsMax {
            var isNeeded = kept.isEmpty
            for head in row.claim.heads where open[head.prefix] == head.sequence {
                open[head.prefix] = nil
                isNeeded = true
            }
            if isNeeded { kept.append(row) }
        }
        rows = kept
    }

    /// Of rows that came together and are news those worth a check: the newest, and others that say what it does not.
    func worthChecking(_ claims: [HeardClaim], among authors: [UInt64: MemberID]) -> [HeardClaim] {
        guard claims.count > 1 else { return claims }
        var known = self
        var worth = [HeardClaim]()
        for claim in claims.sorted(by: { $0.claim.counter > $1.claim.counter }) {
            guard worth.count < Limits.claimRowsMax else { break }
            guard known.isNews(claim.claim, among: authors) else { continue }
            known.add(claim.verified, saying: claim.claim, among: authors)
            worth.append(claim)
        }
        return worth
    }
}
