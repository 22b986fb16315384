import TourModel

/// How much the machine holds: every part of it that a peer could try to grow.
package struct GossipSize: Hashable, Sendable {
    /// Authors waited for or pulled; at most one entry for each member of the roster.
    package var pulls = 0
    /// Authors pulled where the tree had a hole; at most one entry for each member of the roster.
    package var mended = 0
    /// Authors of the runs being verified.
    package var verifying = 0
    /// The most pulls that one link has waiting with us; at most `GossipLink.servingMax`.
    package var serving = 0
    /// The most heads of unknown authors of one link; at most `GossipLink.unknownHeadsMax`.
    package var unknownHeads = 0
    /// The most entries of one link's heads, likely heads, heads named ahead, doubts, refusals, claims or positions; at
    /// most one for each member of the roster.
    package var headsOfLink = 0
    /// Members whose claims or positions are kept, at most the roster; and the most rows of one member, at most
    /// `MemberClaims.rowsMax`.
    package var claims = 0
    /// The most claim rows kept of one member; at most `MemberClaims.rowsMax`.
    package var claimRows = 0
    /// The most older claims that wait for one link; at most `GossipLink.olderClaimsMax`.
    package var olderClaims = 0
    /// The most members heard on one segment; at most one for each member of the roster.
    package var voices = 0
    /// The most runs waiting to go out on one segment; at most `Segment.flightsMax`.
    package var pendingRuns = 0
    /// The most answers planned on one segment; at most `Segment.repairsMax`.
    package var repairs = 0
    /// The most questions open on one segment; at most `AirGap.countMax`.
    package var gaps = 0
    /// Runs that wait for the events they continue; at most `HeldRuns.countMax`.
    package var held = 0
    /// Events kept to answer questions; at most `RecentEvents.countMax`.
    package var recent = 0
    /// Events whose clocks are known; at most `Timeline.eventsMax`.
    package var timeline = 0
    /// Events accepted ahead of their logs; at most `Limits.aheadMax`.
    package var ahead = 0
    /// Events ahead of their logs that are being verified; at most `AheadEvents.trialsMax`.
    package var trials = 0
    /// The most places of urgent events that one link remembers; at most `GossipLink.urgentMax`.
    package var urgentOfLink = 0
    /// The most unacknowledged datagrams to one neighbour; at most `LinkPath.window`.
    package var parcels = 0

    package init() {}

    /// Raises each part to that of the other, where that is larger.
    package mutating func raise(to other: GossipSize) {
        for path in Self.parts { self[keyPath: path] = max(self[keyPath: path], other[keyPath: path]) }
    }

    private static var parts: [WritableKeyPath<GossipSize, Int>] {
        [
            \.pulls, \.mended, \.verifying, \.serving, \.unknownHeads, \.headsOfLink, \.claims, \.claimRows,
            \.olderClaims, \.voices, \.pendingRuns, \.repairs, \.gaps, \.held, \.recent, \.ahead, \.trials,
            \.urgentOfLink, \.parcels, \.timeline,
        ]
    }

    /// Whether everything is within its bound in a tour of so many members.
    package func isBounded(members: Int) -> Bool {
        let bounds: [(held: Int, most: Int)] = [
            (pulls, members), (mended, members), (verifying, members), (serving, GossipLink.servingMax),
            (unknownHeads, GossipLink.unknownHeadsMax), (headsOfLink, members), (claims, members),
            (claimRows, MemberClaims.rowsMax), (olderClaims, GossipLink.olderClaimsMax), (voices, members),
            (pendingRuns, Segment.flightsMax), (repairs, Segment.repairsMax), (gaps, AirGap.countMax),
            (held, HeldRuns.countMax), (recent, RecentEvents.countMax),
            (ahead, Limits.aheadMax), (trials, AheadEvents.trialsMax), (urgentOfLink, GossipLink.urgentMax),
            (parcels, Int(LinkPath.window)), (timeline, Timeline.eventsMax),
        ]
        return bounds.allSatisfy { $0.held <= $0.most }
    }
}

extension GossipSize {
    /// How much this machine holds now.
    init(of machine: GossipMachine) {
        pulls = machine.pulls.count
        mended = machine.pulls.mendedCount
        verifying = machine.logs.verifyingCount
        claims = max(machine.claims.claims.count, machine.positions.kept.count)
        claimRows = machine.claims.claims.values.map { $0.rows.count }.max() ?? 0
        for link in machine.links.values {
            serving = max(serving, link.served.count)
            unknownHeads = max(unknownHeads, link.unknown.heads.count)
            parcels = max(parcels, link.path.waiting.count)
            urgentOfLink = max(urgentOfLink, link.peer.urgentCount)
            headsOfLink = max(
                headsOfLink, link.peer.has.heads.count, link.peer.presumed.count, link.peer.unsent.count,
                link.peer.heardCount, link.pulls.doubtsCount, link.pulls.refusals.count, link.claims.newest.count,
                link.positions.count)
            olderClaims = max(olderClaims, link.claims.older.count)
        }
        machine.multicast.raise(&self)
        held = machine.held.count
        timeline = machine.order.count
        ahead = machine.urgent.count
        trials = machine.urgent.trialsCount
    }
}
