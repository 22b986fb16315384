import TourModel
import TourWire

/// Of what *guests* wrote, devices that an admission makes known and that are in no roster, how much is held. A member
/// makes as many of them as it likes, and they make others: all that stand below one member count in its share.
/// Source: `Protocol/05-events.md`, "Share".
///
/// A function of the set of control events and of its roster: whichever came first, the same are left.
struct GuestShares {
    private let controls: [EventID: ControlRecord]
    /// How the guests are known, and below which member each stands.
    private let introductions: Introductions

    /// - Returns: nil where nobody but members wrote anything.
    init?(members: Set<MemberID>, controls: [EventID: ControlRecord]) {
        guard controls.values.contains(where: { !members.contains($0.author) }) else { return nil }
        self.controls = controls
        introductions = Introductions(from: members, controls.values)
    }

    /// The events of guests before which its member and those below it take the whole share.
    /// - Parameter own: what the control events of a member itself take, in bytes.
    /// - Parameter isNeeded: whether the roster or the epochs rest on an event: these come first, and with them the
    /// admissions by which their authors are known.
    func excess(beside own: (MemberID) -> Int, isNeeded: (ControlRecord) -> Bool) -> Set<EventID> {
        let places = introductions.places
        let needed = introductions.explained(controls.values.filter { places[$0.author] != nil && isNeeded($0) })
        var below = [MemberID: [Entry]]()
        for record in controls.values {
            guard let place = places[record.author] else { continue }
            let rank = needed.contains(record.event.id) ? 0 : place.depth
            below[place.root, default: []].append(Entry(rank: rank, record: record))
        }
        var excess = Set<EventID>()
        for (host, entries) in below {
            var size = LogSize.zero
            size.add(.control, byteCount: own(host))
            for entry in entries.sorted() {
                let event = entry.record.event
                if entry.rank > 0, !LogShare.ofTour.takes(.control, after: size) { excess.insert(event.id) }
                size.add(.control, byteCount: event.bytes.count)
            }
        }
        return excess
    }

    /// An admission stands before what the device wrote that it makes known.
    private struct Entry: Comparable {
        let rank: Int
        let record: ControlRecord

        static func < (left: Entry, right: Entry) -> Bool {
            if left.rank != right.rank { return left.rank < right.rank }
            let (first, second) = (left.record, right.record)
            if first.author != second.author { return first.author < second.author }
            return (first.event.header.sequence, first.event.id) < (second.event.header.sequence, second.event.id)
        }

        static func == (left: Entry, right: Entry) -> Bool { left.record.event.id == right.record.event.id }
    }
}
