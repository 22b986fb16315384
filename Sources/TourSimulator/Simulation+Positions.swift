import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourWire

// Members who share their positions.
extension Simulation {
    /// The member publishes its position now, valid for this long.
    package func share(_ fix: Fix?, until: Duration, node: Int) {
        let wall = wallMilliseconds(of: node)
        let counter = max(UInt64(clamping: wall) * 1_000, nodes[node].positionCounter + 1)
        nodes[node].positionCounter = counter
        guard
            let claim = PositionClaim(
                member: nodes[node].id, counter: counter, until: wall + until.microseconds / 1_000, fix: fix)
        else { return }
        let row = claim.encode()
        let digest = PositionRow.digest(row, of: claim.member, tour: nodes[node].group.tour)
        let signed = ClaimRow(row: row, signature: nodes[node].keys.identity.sign(digest), hops: 0)
        feed(node, .position(VerifiedPosition(claim: claim, row: signed, lapsesAt: now + until)))
    }

    /// Whether every node that is on, and no other, knows these positions and nothing else.
    package func allKnow(_ positions: [MemberID: Fix?]) -> Bool {
        nodes.indices.filter { nodes[$0].isAlive }.allSatisfy { node in
            let known = nodes[node].gossip.sharedPositions(now).map { ($0.claim.member, $0.claim.fix) }
            return known.count == positions.count && known.allSatisfy { positions[$0.0] == .some($0.1) }
        }
    }
}
