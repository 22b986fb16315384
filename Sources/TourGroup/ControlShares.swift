import TourModel
import TourWire

/// The bytes of each author's control events that count, whether or not the roster needs them.
/// Source: `Protocol/05-events.md`, "Share".
///
/// A log counts its bytes as it grows; control events also travel without their logs, so the set of them has its own
/// bound. The bound is a function of the set: the same events remain, whichever arrived first.
struct ControlShares: Sendable {
    private var bytes: [MemberID: Int] = [:]
    private var beyond: Set<MemberID> = []
    /// For each author the first event beyond its share: later arrivals only lower that place.
    private var ends: [MemberID: Event] = [:]

    /// Whether more is held of some author than its share.
    var isOverfull: Bool { !beyond.isEmpty }

    mutating func add(_ record: ControlRecord) {
        guard Self.counts(record) else { return }
        let before = bytes[record.author, default: 0]
        if before >= Limits.controlLogBytesMax { beyond.insert(record.author) }
        bytes[record.author] = before + record.event.bytes.count
    }

    /// Whether an event is already known to exceed its author's share, so that nothing need be recomputed.
    func refuses(_ record: ControlRecord) -> Bool {
        guard Self.counts(record), let end = ends[record.author] else { return false }
        return !Self.precedes(record.event, end)
    }

    /// The bytes held of an author that count.
    func bytes(of author: MemberID) -> Int { bytes[author, default: 0] }

    /// Starts a new count.
    mutating func restart() { (bytes, beyond) = ([:], []) }

    /// Finds the events before which, by sequence then id, others of the same author use up the share.
    mutating func excess(in records: some Collection<ControlRecord>) -> Set<EventID> {
        let theirs = records.filter { beyond.contains($0.author) && Self.counts($0) }
        var excess = Set<EventID>()
        for records in Dictionary(grouping: theirs, by: \.author).values {
            var size = LogSize.zero
            for event in records.map(\.event).sorted(by: Self.precedes) {
                if !LogShare.ofTour.hasRoom(for: .control, after: size) {
                    excess.insert(event.id)
                    if ends[event.header.author].map({ Self.precedes(event, $0) }) ?? true {
                        ends[event.header.author] = event
                    }
                }
                size.add(.control, byteCount: event.bytes.count)
            }
        }
        return excess
    }

    private static func precedes(_ left: Event, _ right: Event) -> Bool {
        (left.header.sequence, left.id) < (right.header.sequence, right.id)
    }

    /// Wrapping keys do not count: only those in use are held, and a few more.
    private static func counts(_ record: ControlRecord) -> Bool {
        if case .wrappingKey = record.body { false } else { true }
    }
}
