import TourModel

/// How much the machine holds: every part of it that a peer could try to grow.
package struct GossipSize: Hashable, Sendable {
    /// Authors waited for or pulled; at most one entry for each member of the roster.
    package var pulls = 0
    /// Authors pulled where the tree had a hole; at most one entry for each member of the roster.
    package var mended = 0
    /// Authors of the runs being verified.
    package var verifying = 0
    /// The most pulls that one link has waiting with us; at most `Limits.servingMax`.
    package var serving = 0
    /// The most heads of unknown authors of one link; at most `Limits.unknownHeadsMax`.
    package var unknownHeads = 0
    /// The most entries of one link's heads, likely heads, refusals, claims or positions; at most one for each member
    /// of the roster.
    package var headsOfLink = 0
    /// Members whose claims or positions are kept, at most the roster; and the most rows of one member, at most
    /// `Limits.claimRowsMax`.
    package var claims = 0
    /// The most claim rows kept of one member; at most `Limits.claimRowsMax`.
    package var claimRows = 0
    /// The most older claims that wait for one link; at most `Limits.olderClaimsMax`.
    package var olderClaims = 0
    /// The most members heard on one segment; at most one for each member of the roster.
    package var voices = 0
    /// The most runs waiting to go out on one segment; at most `Limits.flightsMax`.
    package var pendingRuns = 0
    /// The most answers planned on one segment; at most `Limits.repairsMax`.
    package var repairs = 0
    /// The most questions open on one segment; at most `Limits.gapsMax`.
    package var gaps = 0
    /// Runs that wait for the events they continue; at most `Limits.heldRunsMax`.
    package var held = 0
    /// Events kept to answer questions; at most `Limits.recentEventsMax`.
    package var recent = 0
    /// Events whose clocks are known; at most `Limits.timelineMax`.
    package var timeline = 0
    /// Events accepted ahead of their logs; at most `Limits.aheadMax`.
    package var ahead = 0
    /// Events ahead of their logs that are being verified; at most `Limits.trialsMax`.
    package var trials = 0
    /// The most places of urgent events that one link remembers; at most `Limits.urgentOfLinkMax`.
    package var urgentOfLink = 0
    /// The most unacknowledged datagrams to one neighbour; at most `Limits.pathWindow`.
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
            \.urgentOfLink,
            \.parcels, \.timeline,
        ]
    }

    /// Whether everything is within its bound in a tour of so many members.
    package func isBounded(members: Int) -> Bool {
        let bounds: [(held: Int, most: Int)] = [
            (pulls, members), (mended, members), (verifying, members), (serving, Limits.servingMax),
            (unknownHeads, Limits.unknownHeadsMax), (headsOfLink, members), (claims, members),
            (claimRows, Limits.claimRowsMax), (olderClaims, Limits.olderClaimsMax), (voices, members),
            (pendingRuns, Limits.flightsMax), (repairs, Limits.repairsMax), (gaps, Limits.gapsMax),
            (held, Limits.heldRunsMax), (recent, Limits.recentEventsMax),
            (ahead, Limits.aheadMax), (trials, Limits.trialsMax), (urgentOfLink, Limits.urgentOfLinkMax),
            (parcels, Int(Limits.pathWindow)), (timeline, Limits.timelineMax),
        ]
        return bounds.allSatisfy { $0.held <= $0.most }
    }
}

extension GossipMachine {
    /// How much the machine holds now.
    package var size: GossipSize {
        var size = GossipSize()
        size.pulls = pulls.count
        size.mended = mended.count
        size.verifying = verifying.count
        size.claims = max(board.claims.count, positions.kept.count)
        size.claimRows = board.claims.values.map { $0.rows.count }.max() ?? 0
        for link in links.values {
            size.serving = max(size.serving, link.serving.count)
            size.unknownHeads = max(size.unknownHeads, link.unknownHeads.count)
            size.parcels = max(size.parcels, link.path.waiting.count)
            size.urgentOfLink = max(size.urgentOfLink, link.urgent.count)
            size.headsOfLink = max(
                size.headsOfLink, link.peerHas.heads.count, link.presumedHeads.count, link.unsentHeads.count,
                link.refusals.count, link.claims.count, link.positions.count)
            size.olderClaims = max(size.olderClaims, link.olderClaims.count)
        }
        for segment in segments.values {
            size.voices = max(size.voices, segment.voices.count)
            size.pendingRuns = max(size.pendingRuns, segment.pendingRuns.count)
            size.repairs = max(size.repairs, segment.repairs.count)
            size.gaps = max(size.gaps, segment.gaps.count)
        }
        size.held = held.values.reduce(0) { $0 + $1.count }
        size.recent = recent.count
        size.timeline = timeline.count
        size.ahead = ahead.count
        size.trials = trials.count
        return size
    }

    /// The links on which live events go out, for tests of the tree.
    package var eagerLinks: [LinkID] { links.keys.filter { links[$0]?.isEager == true }.sorted() }
}
