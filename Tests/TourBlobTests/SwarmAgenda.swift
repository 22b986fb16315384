import TourModel

/// What is to happen, in order of time; of one time in the order in which it was planned.
struct SwarmAgenda<Event> {
    private struct Entry {
        let at: Instant
        let place: Int
        let event: Event

        func isBefore(_ other: Entry) -> Bool { at == other.at ? place < other.place : at < other.at }
    }

    /// A binary heap.
    private var entries: [Entry] = []
    private var planned = 0

    mutating func plan(_ event: Event, at time: Instant) {
        entries.append(Entry(at: time, place: planned, event: event))
        planned += 1
        var child = entries.count - 1
        while child > 0, entries[child].isBefore(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    var nextAt: Instant? { entries.first?.at }

    mutating func next() -> (at: Instant, event: Event)? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return (first.at, first.event) }
        entries[0] = last
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < entries.count }
            guard let least = children.min(by: { entries[$0].isBefore(entries[$1]) }),
                entries[least].isBefore(entries[parent])
            else { break }
            entries.swapAt(least, parent)
            parent = least
        }
        return (first.at, first.event)
    }
}
