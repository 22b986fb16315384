import TourCrypto
import TourModel

/// The urgent events that this node holds ahead of their authors' logs.
/// Source: `Protocol/06-replication.md`, "Ahead of the log".
struct AheadEvents: Sendable {
    /// The farthest that an event may lie ahead of the end of its log: farther than any tour's log is long.
    private static let distanceMax: UInt64 = 1_000_000
    /// The most events ahead of their logs that are being verified.
    static let trialsMax = 64

    struct Entry: Hashable, Sendable {
        let id: EventID
        let previous: EventID
        let signature: [UInt8]
        let byteCount: Int
        /// The log has reached this event, but the store has not confirmed it yet.
        var isSettled = false
    }

    private var entries: [MemberID: [UInt64: Entry]] = [:]
    private(set) var count = 0

    subscript(place: EventPlace) -> Entry? { entries[place.author]?[place.sequence] }

    func holds(of author: MemberID) -> Bool { entries[author] != nil }

    /// For each author, the last event ahead that the log has not reached.
    var open: [MemberID: UInt64] { entries.compactMapValues { $0.filter { !$0.value.isSettled }.keys.max() } }

    /// Whether one more event fits. An event once shown is never evicted for a new one: when an author's share is used
    /// up, its further events are read in log order.
    /// - Parameter head: the end of the author's log.
    func hasRoom(for place: EventPlace, behind head: UInt64) -> Bool {
        place.sequence > head && place.sequence - head <= Self.distanceMax && count < Limits.aheadMax
            && entries[place.author]?.count ?? 0 < Limits.aheadOfAuthorMax
    }

    mutating func add(_ event: Event) {
        let header = event.header
        let entry = Entry(
            id: event.id, previous: header.previous, signature: Array(event.signature), byteCount: event.bytes.count)
        if entries[header.author, default: [:]].updateValue(entry, forKey: header.sequence) == nil { count += 1 }
    }

    @discardableResult
    mutating func remove(_ place: EventPlace) -> Entry? {
        guard let entry = entries[place.author]?.removeValue(forKey: place.sequence) else { return nil }
        if entries[place.author]?.isEmpty == true { entries[place.author] = nil }
        count -= 1
        return entry
    }

    /// Removes the author's events ahead that lie behind a place.
    mutating func removeAll(of author: MemberID, behind last: UInt64) {
        for place in entries[author]?.keys.filter({ $0 > last }) ?? [] {
            remove(EventPlace(author: author, sequence: place))
        }
    }

    mutating func settle(_ place: EventPlace) { entries[place.author]?[place.sequence]?.isSettled = true }

    /// Records that the store holds this author's log through `sequence`.
    /// - Returns: how far the log reaches with the settled events right behind it.
    mutating func stored(_ author: MemberID, through sequence: UInt64) -> UInt64 {
        guard let ofAuthor = entries[author] else { return sequence }
        var last = sequence
        while ofAuthor[last + 1]?.isSettled == true { last += 1 }
        for place in ofAuthor.keys where place <= last { remove(EventPlace(author: author, sequence: place)) }
        return last
    }
}

extension EventPlace {
    init(_ event: Event) { self.init(author: event.header.author, sequence: event.header.sequence) }

    /// The place at which a run begins.
    init(_ run: Run) { self.init(author: run.author, sequence: run.first) }
}

extension VerifiedRun {
    /// The same as `Run.goesAhead`.
    var goesAhead: Bool { pushed && events.count == 1 && events[0].header.eventClass.goesAhead }
}
