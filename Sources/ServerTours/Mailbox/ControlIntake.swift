import ServerBase
import ServerStorage
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

/// The control events of tours, in the order in which they were stored, inside one transaction. It owns the rows of
/// `controls`.
struct ControlRows {
    let sql: any SQL

    /// All control events of the tour behind this place.
    func all(of tour: StoredTour, behind place: Int64) throws(Failure) -> StoredControls {
        let found = try sql.rows(
            "SELECT place, event FROM controls WHERE tour = $1 AND place > $2 ORDER BY place",
            [.integer(tour.number), .integer(place)])
        var controls = StoredControls()
        controls.events = try found.map { row throws(Failure) in try row.bytes(1) }
        controls.last = try found.last?.integer(0)
        return controls
    }

    /// Checks that no control event was stored since the roster was read, and that the tour is the same: it may have
    /// been deleted and registered again.
    /// - Throws: `rosterMoved`.
    func check(_ known: KnownGroup, of tour: StoredTour) throws(Failure) {
        let last = try sql.row(
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
            let isNew = try sql.run(
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
            try TourRows(sql: sql).record(bytes: bytes, in: tour, now: now)
            try ArchiveRows(sql: sql).wipe(ifOutOf: known.group, tour)
        }
        return (known, stored)
    }

    /// Whether this control event is stored.
    func holds(_ id: EventID, of tour: StoredTour) throws(Failure) -> Bool {
        try sql.row(
            "SELECT place FROM controls WHERE tour = $1 AND id = $2", [.integer(tour.number), .bytes(id.bytes)]) != nil
    }
}
