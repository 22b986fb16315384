import TourModel
import TourWire

// `Have`s name what changed here to the neighbours that got no push. Source: `Protocol/06-replication.md`, "Frontiers".
extension GossipMachine {
    /// Whether pushes arrive on a lossy path: then they may be late.
    var isTreeLossy: Bool { links.values.contains { $0.peerIsEager && $0.path.loss.isHigh } }

    /// Schedules a `Have` after changes have gathered. A node that lies behind the same hole in the tree does not wait
    /// that long again.
    mutating func scheduleHave(
        of heads: [MemberID: UInt64], _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard !changed.isEmpty else { return }
        let filled = mended.filter { $0.value <= stored[$0.key] }.keys
        for author in filled { mended[author] = nil }
        // Where many datagrams are late the tree need not have a hole.
        if heads.keys.contains(where: filled.contains), !isTreeLossy {
            planHaves(Limits.haveDelayOfMended, Limits.haveJitterOfMendedMicroseconds, &step)
        } else if haveDue == nil {
            planHaves(&step)
        }
    }

    private mutating func planHaves(_ step: inout Step<some RandomNumberGenerator>) {
        if isTreeLossy {
            planHaves(Limits.haveDelayWhenLossy, Limits.haveJitterWhenLossyMicroseconds, &step)
        } else {
            planHaves(Limits.haveDelay, Limits.haveJitterMicroseconds, &step)
        }
    }

    private mutating func planHaves(
        _ least: Duration, _ most: Int64, _ step: inout Step<some RandomNumberGenerator>
    ) {
        let due = step.now + least + step.jitter(most)
        haveDue = min(haveDue ?? due, due)
    }

    /// The peer lost a `Have` with these heads: they go out with the next change.
    mutating func scheduleAgain(
        _ heads: [PrefixedHead], on link: LinkID, _ step: inout Step<some RandomNumberGenerator>
    ) {
        links[link]?.unsentHeads.formUnion(heads.compactMap { authors[$0.prefix] })
        if haveDue == nil { planHaves(&step) }
    }

    /// Sends each neighbour the heads that it is not known to have.
    mutating func flushHaves(_ step: inout Step<some RandomNumberGenerator>) {
        haveDue = nil
        let authors = changed
        let fetched = fetched
        changed = []
        // Heads that are not stored yet go out when they are.
        self.fetched = fetched.filter { stored[$0] < (accepted[$0]?.sequence ?? 0) }
        let active = activeSegments(step.now)
        for link in links.keys.sorted() {
            guard let state = links[link] else { continue }
            links[link]?.unsentHeads = state.unsentHeads.filter { stored[$0] < (accepted[$0]?.sequence ?? 0) }
            // A neighbour that datagrams reach received the rest when we did.
            let isReached = isReached(state.member, on: active, step.now)
            if isReached { links[link]?.isToldLate = true }
            let candidates = isReached ? authors.intersection(fetched) : authors
            let news = candidates.union(state.unsentHeads).filter { state.peerHas[$0] < stored[$0] }.sorted()
            guard !news.isEmpty else { continue }
            let heads = news.prefix(Limits.headsPerMessageMax)
                .map { PrefixedHead(prefix: $0.prefix, sequence: stored[$0]) }
            send(.have(heads), to: link, &step)
        }
    }
}
