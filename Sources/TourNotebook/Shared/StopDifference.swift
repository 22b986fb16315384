import TourModel

/// The differences of an itinerary's stops. Source: `Protocol/12-notebook.md`, "Differences".
package struct StopDifference: Hashable, Sendable {
    /// The change of one stop between the two versions.
    package enum Change: Hashable, Sendable {
        /// Only the present version has it.
        case added
        /// Only the previous version had it.
        case removed
        /// Moved among the stops that stayed.
        case moved
        /// Changed in these fields, named as in the schema.
        case changed([String])
    }

    /// A stop with its change.
    package struct Entry: Hashable, Sendable {
        /// The change of this stop.
        package var change: Change
        /// The stop as it is now, or as it was last.
        package var stop: SharedStop
        /// Its position from 1 in the previous version; nil: it was not there.
        package var from: Int?
        /// Its position from 1 in this version; nil: it is not there any more.
        package var to: Int?

        package init(change: Change, stop: SharedStop, from: Int?, to: Int?) {
            self.change = change
            self.stop = stop
            self.from = from
            self.to = to
        }
    }

    /// The removed stops in their old order, then the others in their new one; a stop that moved and changed occurs
    /// twice.
    package let entries: [Entry]

    package init(from old: [SharedStop], to new: [SharedStop]) {
        let wasAt = Dictionary(old.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let isThere = Set(new.map(\.id))
        var entries = old.enumerated().filter { !isThere.contains($1.id) }
            .map { Entry(change: .removed, stop: $1, from: $0 + 1, to: nil) }
        // As few stops as possible count as moved: the others are in their old order.
        let stayed = new.indices.filter { wasAt[new[$0].id] != nil }
        let rise = LongestRise(of: stayed.map { wasAt[new[$0].id] ?? 0 })
        let unmoved = Set(rise.places.map { stayed[$0] })
        for (place, stop) in new.enumerated() {
            guard let from = wasAt[stop.id] else {
                entries.append(Entry(change: .added, stop: stop, from: nil, to: place + 1))
                continue
            }
            if !unmoved.contains(place) {
                entries.append(Entry(change: .moved, stop: stop, from: from + 1, to: place + 1))
            }
            let fields = stop.fields(differingFrom: old[from])
            if !fields.isEmpty {
                entries.append(Entry(change: .changed(fields), stop: stop, from: from + 1, to: place + 1))
            }
        }
        self.entries = entries
    }
}

extension SharedStop {
    fileprivate func fields(differingFrom other: SharedStop) -> [String] {
        var fields = [String]()
        if title != other.title { fields.append("title") }
        if kind != other.kind { fields.append("kind") }
        if note != other.note { fields.append("note") }
        if place != other.place { fields.append("place") }
        if at != other.at { fields.append("at") }
        return fields
    }
}
