import TourModel
import TourWire

/// Of what *guests* wrote, devices that an admission makes known and that are in no roster, how much is held. A member
/// makes as many of them as it likes, and they make others: all that stand below one member count in its share.
/// Source: `Protocol/05-events.md`, "Share".
///
/// A function of the set of control events and of its roster: whichever came first, the same are left.
struct GuestShares {
    /// How a guest is known.
    private struct Place {
        /// The member below whom it stands, and how many admissions lie between the two.
        let host: MemberID
        let depth: Int
        /// Of the admissions by the lowest depth the first in order.
        let admission: ControlRecord
    }

    private let members: Set<MemberID>
    private let controls: [EventID: ControlRecord]
    private var places: [MemberID: Place] = [:]

    /// - Returns: nil where nobody but members wrote anything.
    init?(members: Set<MemberID>, controls: [EventID: ControlRecord]) {
        guard controls.values.contains(where: { !members.contains($0.author) }) else { return nil }
        self.members = members
        self.controls = controls
        var admissions = [MemberID: [ControlRecord]]()
        for record in controls.values {
            guard let device = record.admitted, !members.contains(device) else { continue }
            admissions[record.author, default: []].append(record)
        }
        var (authors, depth) = (Array(members), 1)
        while !authors.isEmpty {
            let found = firsts(authors.flatMap { admissions[$0] ?? [] })
            for (device, record) in found {
                let host = places[record.author]?.host ?? record.author
                places[device] = Place(host: host, depth: depth, admission: record)
            }
            (authors, depth) = (Array(found.keys), depth + 1)
        }
    }

    /// The first of these admissions, in order, of each device that has no place yet.
    private func firsts(_ admissions: [ControlRecord]) -> [MemberID: ControlRecord] {
        var found = [MemberID: ControlRecord]()
        for record in admissions {
            guard let device = record.admitted, places[device] == nil else { continue }
            if let other = found[device], !ControlRecord.precedes(record, other) { continue }
            found[device] = record
        }
        return found
    }

    /// The events of guests before which its member and those below it take the whole share.
    /// - Parameter own: what the control events of a member itself take, in bytes.
    /// - Parameter isNeeded: whether the roster or the epochs rest on an event: these come first, and with them the
    /// admissions by which their authors are known.
    func excess(beside own: (MemberID) -> Int, isNeeded: (ControlRecord) -> Bool) -> Set<EventID> {
        let needed = explained(controls.values.filter { places[$0.author] != nil && isNeeded($0) })
        var below = [MemberID: [Entry]]()
        for record in controls.values {
            guard let place = places[record.author] else { continue }
            let rank = needed.contains(record.event.id) ? 0 : place.depth
            below[place.host, default: []].append(Entry(rank: rank, record: record))
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

    /// These events and the admissions of guests that make their authors known.
    private func explained(_ records: [ControlRecord]) -> Set<EventID> {
        var needed = Set<EventID>()
        var open = records
        while let record = open.popLast() {
            guard needed.insert(record.event.id).inserted, let place = places[record.author] else { continue }
            open.append(place.admission)
        }
        return needed
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
