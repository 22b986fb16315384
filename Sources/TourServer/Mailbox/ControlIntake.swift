import TourCrypto
import TourGroup
import TourModel

/// Control events that a request brings.
struct ControlNews: Sendable {
    /// Events whose author's signature is verified.
    var verified: [Event] = []
    /// The exact bytes of all other events.
    var others: [[UInt8]] = []

    var isEmpty: Bool { verified.isEmpty && others.isEmpty }
}

/// A tour with what a request adds to it, computed before the transaction that stores it.
struct GrownGroup: Sendable {
    let before: KnownGroup
    let group: TourGroup
    /// New, sound events, in an order in which each one's author is known before it.
    let added: [Event]
}

/// Stored control events of a tour.
struct StoredControls: Sendable {
    var events: [[UInt8]] = []
    /// The place of the last one.
    var last: Int64?
}

extension SQL {
    /// All control events of the tour behind this place.
    func controls(of tour: StoredTour, behind place: Int64) throws(Failure) -> StoredControls {
        let rows = try rows(
            "SELECT place, event FROM controls WHERE tour = $1 AND place > $2 ORDER BY place",
            [.integer(tour.number), .integer(place)])
        var controls = StoredControls()
        for row in rows { controls.events.append(try row.bytes(1)) }
        controls.last = try rows.last?.integer(0)
        return controls
    }

    /// Checks that no control event was stored since the roster was read, and that the tour is the same: it may have
    /// been deleted and registered again.
    /// - Throws: `rosterMoved`.
    func check(_ known: KnownGroup, of tour: StoredTour) throws(Failure) {
        let last = try row(
            "SELECT place FROM controls WHERE tour = $1 ORDER BY place DESC LIMIT 1", [.integer(tour.number)])
        let isSame = known.number == tour.number || known.number == 0
        guard isSame, try last?.integer(0) ?? 0 == known.place else { throw Failure(.rosterMoved) }
    }

    /// Stores the added events behind those that are there. The caller has called `check` in this transaction.
    /// - Returns: the tour afterwards, and the ids of the events that were stored now.
    func store(
        _ grown: GrownGroup, of tour: StoredTour, now: Int64
    ) throws(Failure) -> (known: KnownGroup, ids: Set<EventID>) {
        var known = KnownGroup(group: grown.group, number: tour.number, place: grown.before.place)
        var stored = Set<EventID>()
        var bytes = 0
        for event in grown.added {
            // A superseded event that the group dropped may arrive again: it keeps its place.
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
            try record(bytes: bytes, in: tour, now: now)
            try wipeArchive(ifOutOf: known.group, tour)
        }
        return (known, stored)
    }

    /// Records the bytes of stored events, and wakes the tour's listeners.
    func record(bytes: Int, in tour: StoredTour, now: Int64) throws(Failure) {
        try run(
            """
            UPDATE tours SET revision = revision + 1, bytes = bytes + $1,
                synced_at = CASE WHEN synced_at > $2 THEN synced_at ELSE $3 END WHERE number = $4
            """, [.integer(Int64(bytes)), .integer(now), .integer(now), .integer(tour.number)])
        wake(tour.topic)
    }

    /// Whether this control event is stored.
    func holdsControl(_ id: EventID, of tour: StoredTour) throws(Failure) -> Bool {
        try row(
            "SELECT place FROM controls WHERE tour = $1 AND id = $2", [.integer(tour.number), .bytes(id.bytes)]) != nil
    }
}
