import TourCrypto
import TourModel
import TourWire

/// Frontiers at places in the tour's order that members' rows named: many rows name the same place.
struct WholeFrontiers: Sendable {
    /// The most frontiers cached.
    private static let cachedMax = 16

    struct Entry: Sendable {
        let whole: WholeFrontier
        let byAuthor: [MemberID: UInt64]

        var heads: [PrefixedHead] { byAuthor.map { PrefixedHead(prefix: $0.key.prefix, sequence: $0.value) } }
    }

    private var entries: [Entry] = []

    subscript(through clock: LogicalClock) -> Entry? { entries.first { $0.whole.through == clock } }

    mutating func add(_ entry: Entry) {
        if entries.count == Self.cachedMax { entries.removeFirst() }
        entries.append(entry)
    }

    /// Drops all entries when the node's own frontier changes.
    mutating func clear() { entries = [] }
}

/// Recent events in the tour's order, and the frontiers that claims state in one hash: a node with the same frontier
/// knows its heads. Source: `Protocol/06-replication.md`, "What a row lists".
struct TourOrder: Sendable {
    private var timeline = Timeline()
    private var wholes = WholeFrontiers()

    /// Events whose clocks are known.
    var count: Int { timeline.count }

    mutating func begin(through clock: LogicalClock?) { timeline.begin(through: clock) }

    mutating func add(_ events: some Sequence<Event>, _ now: Instant) {
        for event in events { timeline.add(event, now) }
    }

    /// The node's own frontier has changed, or the authors that it names.
    mutating func clearFrontiers() { wholes.clear() }

    /// When events arrived does not follow from the store.
    mutating func keepTimeline(of old: TourOrder) { timeline = old.timeline }

    /// Everything that this node had at a place in the tour's order, and its hash.
    private mutating func whole(through clock: LogicalClock, _ logs: Logs, _ authors: Authors) -> WholeFrontiers.Entry {
        if let known = wholes[through: clock] { return known }
        var heads = [MemberID: UInt64]()
        for (author, sequence) in timeline.heads(of: logs.stored, through: clock) {
            let last = min(sequence, logs.end(of: author))
            if last > 0, authors[author.prefix] == author { heads[author] = last }
        }
        let digest = HeadsDigest.of(heads.map { ($0.key.prefix, $0.value) })
        let entry = WholeFrontiers.Entry(whole: WholeFrontier(through: clock, digest: digest), byAuthor: heads)
        wholes.add(entry)
        return entry
    }

    /// The claim with all heads that it implies, if this node has the same frontier.
    mutating func opened(_ claim: FrontierClaim, _ logs: Logs, _ authors: Authors) -> FrontierClaim {
        guard let said = claim.whole else { return claim }
        let own = whole(through: said.through, logs, authors)
        guard own.whole == said else { return claim }
        var opened = claim
        opened.heads += own.heads
        return opened
    }

    /// The settled frontier that our next row can state in one hash.
    mutating func settledWhole(_ logs: Logs, _ authors: Authors, _ now: Instant) -> WholeFrontiers.Entry? {
        timeline.settled(now).map { whole(through: $0, logs, authors) }
    }
}
