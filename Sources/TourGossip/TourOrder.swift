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
        var heads = [KnownHead]()
        var byAuthor = [MemberID: UInt64]()
        for (author, head) in timeline.heads(of: logs.storedHeads, through: clock) {
            let end = logs.end(of: author)
            let last = min(head.sequence, end)
            guard last > 0, authors[author.prefix] == author else { continue }
            byAuthor[author] = last
            // All who know the end know what stands there, however much of the log they hold behind it.
            let id = logs.ends[author].map { $0 <= last } == true ? EventID.none : head.id
            heads.append(KnownHead(prefix: head.prefix, sequence: last, id: id))
        }
        let digest = HeadsDigest.of(heads.map { ($0.prefix, $0.sequence, $0.id) })
        let entry = WholeFrontiers.Entry(whole: WholeFrontier(through: clock, digest: digest), byAuthor: byAuthor)
        wholes.add(entry)
        return entry
    }

    /// The heads that a claim implies by its hash: all of this node at that place, if it has the same there.
    mutating func implied(by claim: FrontierClaim, _ logs: Logs, _ authors: Authors) -> [MemberID: UInt64] {
        guard let said = claim.whole else { return [:] }
        let own = whole(through: said.through, logs, authors)
        return own.whole == said ? own.byAuthor : [:]
    }

    /// The event at a place of a log, as far as this node knows it without asking the store.
    func id(of author: MemberID, at sequence: UInt64, _ logs: Logs) -> EventID? {
        if let id = logs.id(of: author, at: sequence) { return id }
        guard let head = logs.head(of: author) else { return nil }
        let last = KnownHead(prefix: author.prefix, sequence: head.sequence, id: head.id)
        return timeline.id(of: author, at: sequence, behind: last)
    }

    /// The settled frontier that our next row can state in one hash.
    mutating func settledWhole(_ logs: Logs, _ authors: Authors, _ now: Instant) -> WholeFrontiers.Entry? {
        timeline.settled(now).map { whole(through: $0, logs, authors) }
    }
}
