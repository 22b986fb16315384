import Synchronization
import TourGroup
import TourModel

/// A tour's control events and what follows from them, as of one place in the order in which the server took them.
struct KnownGroup: Sendable {
    var group: TourGroup
    /// The last control event in it.
    var place: Int64
}

/// The rosters that requests asked for lately, so that not each computes one anew. Nothing that the storage lacks: each
/// use reads what was taken since, by this process or another.
final class TourRosters: Sendable {
    private struct State {
        var known: [TourID: KnownGroup] = [:]
        /// When each was kept last, as a number that rises.
        var uses: [TourID: Int] = [:]
        var lastUse = 0
        /// Of all of them.
        var controls: Int64 = 0

        mutating func drop(_ tour: TourID) {
            controls -= known.removeValue(forKey: tour)?.place ?? 0
            uses[tour] = nil
        }
    }

    private let metrics: ServerMetrics
    private let state = Mutex(State())

    init(metrics: ServerMetrics) { self.metrics = metrics }

    /// As it stands inside this transaction.
    /// - Throws: `internal` when the genesis that is stored is none.
    func group(of tour: StoredTour, in sql: any SQL) throws(Failure) -> KnownGroup {
        let held = state.withLock { $0.known[tour.id] }
        var known = if let held { held } else { try Self.founded(tour) }
        if held == nil { metrics.countRoster() }
        let rows = try sql.rows(
            "SELECT place, event FROM controls WHERE tour = $1 AND place > $2 ORDER BY place",
            [.integer(tour.number), .integer(known.place)])
        guard let last = rows.last else { return known }
        var events = [[UInt8]]()
        for row in rows { events.append(try row.bytes(1)) }
        _ = known.group.add(controls: events)
        known.place = try last.integer(0)
        return known
    }

    /// Keeps what was read or, once its transaction is committed, written.
    func keep(_ known: KnownGroup) {
        state.withLock { state in
            let tour = known.group.tour
            if let held = state.known[tour], held.place > known.place { return }
            state.controls += known.place - (state.known[tour]?.place ?? 0)
            state.known[tour] = known
            state.lastUse += 1
            state.uses[tour] = state.lastUse
            while state.known.count > 1,
                state.known.count > ServerLimits.rostersMax || state.controls > ServerLimits.rosterControlsMax,
                let oldest = state.uses.min(by: { $0.value < $1.value })
            {
                state.drop(oldest.key)
            }
        }
    }

    private static func founded(_ tour: StoredTour) throws(Failure) -> KnownGroup {
        do {
            return KnownGroup(group: try TourGroup(genesis: tour.genesis), place: 0)
        } catch {
            throw Failure(.internalError, cause: "the genesis of a tour that is stored is not sound")
        }
    }
}
