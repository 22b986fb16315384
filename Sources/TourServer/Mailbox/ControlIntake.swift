import TourCrypto
import TourGroup
import TourModel

/// Control events that came with a request.
struct ControlNews: Sendable {
    /// Those whose author's signature holds already.
    var verified: [Event] = []
    /// Exact bytes.
    var others: [[UInt8]] = []

    var isEmpty: Bool { verified.isEmpty && others.isEmpty }
}

/// A tour with what a request adds to it, worked out before the transaction that stores it.
struct GrownGroup: Sendable {
    let before: KnownGroup
    let group: TourGroup
    /// New and sound, in the order in which they make each other known.
    let added: [Event]
}

/// Control events of a tour as they are stored.
struct StoredControls: Sendable {
    var events: [[UInt8]] = []
    /// Where the last of them stands.
    var last: Int64?
}

extension SQL {
    /// All of them that stand behind this place.
    func controls(of tour: StoredTour, behind place: Int64) throws(Failure) -> StoredControls {
        let rows = try rows(
            "SELECT place, event FROM controls WHERE tour = $1 AND place > $2 ORDER BY place",
            [.integer(tour.number), .integer(place)])
        var controls = StoredControls()
        for row in rows { controls.events.append(try row.bytes(1)) }
        controls.last = try rows.last?.integer(0)
        return controls
    }

    /// That nothing was added to the roster since it was read.
    /// - Throws: `rosterMoved`.
    func check(_ known: KnownGroup, of tour: StoredTour) throws(Failure) {
        let last = try row(
            "SELECT place FROM controls WHERE tour = $1 ORDER BY place DESC LIMIT 1", [.integer(tour.number)])
        guard try last?.integer(0) ?? 0 == known.place else { throw Failure(.rosterMoved) }
    }

    /// Stores what was added, behind what stands there. The roster was checked in this transaction.
    /// - Returns: the tour as it is then, and the ids of those that were stored now.
    func store(
        _ grown: GrownGroup, of tour: StoredTour, now: Int64
    ) throws(Failure) -> (known: KnownGroup, ids: Set<EventID>) {
        var known = KnownGroup(group: grown.group, place: grown.before.place)
        var stored = Set<EventID>()
        var bytes = 0
        for event in grown.added {
            // One that was dropped as superseded may come again: it has its place.
            let isNew = try run(
                """
                INSERT INTO controls (tour, place, id, event) VALUES ($1, $2, $3, $4)
                ON CONFLICT (tour, id) DO NOTHING
                """,
                [.integer(tour.number), .integer(known.place + 1), .bytes(event.id.bytes), .bytes(event.bytes)])
            guard isNew == 1 else { continue }
            known.place += 1
            stored.insert(event.id)
            bytes += event.bytes.count
        }
        if !stored.isEmpty {
            try note(bytes: bytes, in: tour, now: now)
            try wipeArchive(ifOutOf: known.group, tour)
        }
        return (known, stored)
    }

    /// Counts events of the tour that were stored, and wakes those who listen.
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
