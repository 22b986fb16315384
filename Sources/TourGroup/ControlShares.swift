import TourModel
import TourWire

/// What each author's control events take that are held whether anybody needs them or not.
/// Source: `Protocol/05-events.md`, "Share".
///
/// A log counts its bytes as it grows; control events travel without their logs, so the set of them has a bound of its
/// own. It is a function of the set: whichever came first, the same are left.
struct ControlShares: Sendable {
    private var bytes: [MemberID: Int] = [:]
    private var beyond: Set<MemberID> = []
    /// Of each author the first that was beyond: what comes later only pushes it further.
    private var ends: [MemberID: Event] = [:]

    /// Whether more is held of somebody than is within its share.
    var isOverfull: Bool { !beyond.isEmpty }

    mutating func add(_ record: ControlRecord) {
        guard Self.counts(record) else { return }
        let before = bytes[record.author, default: 0]
        if before >= Limits.controlLogBytesMax { beyond.insert(record.author) }
        bytes[record.author] = before + record.event.bytes.count
    }

    /// Whether an event is known to be beyond its author's share, so that nothing has to be worked out anew.
    func refuses(_ record: ControlRecord) -> Bool {
        guard Self.counts(record), let end = ends[record.author] else { return false }
        return !Self.precedes(record.event, end)
    }

    /// What counts of an author's.
    func bytes(of author: MemberID) -> Int { bytes[author, default: 0] }

    /// To be counted anew.
    mutating func restart() { (bytes, beyond) = ([:], []) }

    /// Finds, by sequence, then id, the events before which others of the same author take the whole share.
    mutating func excess(in records: some Collection<ControlRecord>) -> Set<EventID> {
        let theirs = records.filter { beyond.contains($0.author) && Self.counts($0) }
        var excess = Set<EventID>()
        for records in Dictionary(grouping: theirs, by: \.author).values {
            var size = LogSize.zero
            for event in records.map(\.event).sorted(by: Self.precedes) {
                if !LogShare.ofTour.takes(.control, after: size) {
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

    /// Of wrapping keys only those are held that somebody needs, and a few.
    private static func counts(_ record: ControlRecord) -> Bool {
        if case .wrappingKey = record.body { false } else { true }
    }
}
