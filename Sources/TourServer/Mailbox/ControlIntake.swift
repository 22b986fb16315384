import TourCrypto
import TourGroup
import TourModel

extension SQL {
    /// Keeps those control events that are new and sound, in the order in which they make each other known.
    /// - Parameter events: exact bytes; `verified`: those whose author's signature holds already.
    /// - Returns: the ids of those that were kept now.
    func take(
        _ events: [[UInt8]], verified: [Event] = [], into known: inout KnownGroup, of tour: StoredTour, now: Int64
    ) throws(Failure) -> Set<EventID> {
        var added = verified.isEmpty ? [] : known.group.add(verified: verified)
        if !events.isEmpty { added += known.group.add(controls: events) }
        var kept = Set<EventID>()
        var bytes = 0
        for event in added {
            // One that was dropped as superseded may come again: it has its place.
            let isNew = try run(
                """
                INSERT INTO controls (tour, place, id, event) VALUES ($1, $2, $3, $4)
                ON CONFLICT (tour, id) DO NOTHING
                """,
                [.integer(tour.number), .integer(known.place + 1), .bytes(event.id.bytes), .bytes(event.bytes)])
            guard isNew == 1 else { continue }
            known.place += 1
            kept.insert(event.id)
            bytes += event.bytes.count
        }
        if !kept.isEmpty {
            try note(bytes: bytes, in: tour, now: now)
            try wipeArchive(ifOutOf: known.group, tour)
        }
        return kept
    }

    /// Events of the tour were taken.
    func note(bytes: Int, in tour: StoredTour, now: Int64) throws(Failure) {
        try run(
            "UPDATE tours SET revision = revision + 1, bytes = bytes + $1, synced_at = $2 WHERE number = $3",
            [.integer(Int64(bytes)), .integer(now), .integer(tour.number)])
        wake(tour.topic)
    }

    /// Whether this control event is kept.
    func holdsControl(_ id: EventID, of tour: StoredTour) throws(Failure) -> Bool {
        try row(
            "SELECT place FROM controls WHERE tour = $1 AND id = $2", [.integer(tour.number), .bytes(id.bytes)]) != nil
    }
}
