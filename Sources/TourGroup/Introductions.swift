import TourModel

/// The admissions by which a node that knows some devices' keys learns those of others: a node reads a control event
/// once an event of the set, whether it counts or not, names its author.
struct Introductions {
    struct Place {
        /// The device known before, and the number of admissions between the two.
        let root: MemberID
        let depth: Int
        /// Of the admissions at the lowest depth the first in order.
        let admission: ControlRecord
    }

    /// Every device reached, the roots left out.
    private(set) var places: [MemberID: Place] = [:]

    init(from roots: Set<MemberID>, _ controls: some Collection<ControlRecord>) {
        var admissions = [MemberID: [ControlRecord]]()
        for record in controls {
            guard let device = record.admitted, !roots.contains(device) else { continue }
            admissions[record.author, default: []].append(record)
        }
        var (authors, depth) = (Array(roots), 1)
        while !authors.isEmpty {
            let found = firsts(authors.flatMap { admissions[$0] ?? [] })
            for (device, record) in found {
                let root = places[record.author]?.root ?? record.author
                places[device] = Place(root: root, depth: depth, admission: record)
            }
            (authors, depth) = (Array(found.keys), depth + 1)
        }
    }

    /// For each device that has no place yet, the first of these admissions, in order.
    private func firsts(_ admissions: [ControlRecord]) -> [MemberID: ControlRecord] {
        var found = [MemberID: ControlRecord]()
        for record in admissions {
            guard let device = record.admitted, places[device] == nil else { continue }
            if let other = found[device], !ControlRecord.precedes(record, other) { continue }
            found[device] = record
        }
        return found
    }

    /// - Returns: these events, and the admissions that introduce their authors.
    func explained(_ records: some Collection<ControlRecord>) -> Set<EventID> {
        var needed = Set<EventID>()
        var open = Array(records)
        while let record = open.popLast() {
            guard needed.insert(record.event.id).inserted, let place = places[record.author] else { continue }
            open.append(place.admission)
        }
        return needed
    }
}
