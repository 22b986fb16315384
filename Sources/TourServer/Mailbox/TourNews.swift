import Synchronization
import TourModel

/// What listeners are told of a tour: read once for all of them that were woken by the same change.
final class TourNews: Sendable {
    struct Heads: Sendable {
        let known: KnownGroup
        let heads: [MemberID: UInt64]
    }

    private struct Reading {
        let version: UInt64
        let task: Task<Result<Heads, Failure>, Never>
    }

    private let storage: any Storage
    private let rosters: TourRosters
    private let metrics: ServerMetrics
    private let readings = Mutex<[TourID: Reading]>([:])

    init(storage: any Storage, rosters: TourRosters, metrics: ServerMetrics) {
        self.storage = storage
        self.rosters = rosters
        self.metrics = metrics
    }

    /// As of some moment after the caller was woken.
    func heads(of tour: StoredTour) async throws(Failure) -> Heads {
        // Before the reading begins: one of this number saw what woke the caller, or more.
        let version = storage.version(of: tour.topic)
        let task = readings.withLock { readings in
            if let held = readings[tour.id], held.version == version, version > 0 { return held.task }
            let task = Task { await read(tour) }
            // As many as listen; of those that are over nothing is needed any more.
            if readings.count >= ServerLimits.rostersMax { readings = [:] }
            readings[tour.id] = Reading(version: version, task: task)
            return task
        }
        return try await task.value.get()
    }

    private func read(_ tour: StoredTour) async -> Result<Heads, Failure> {
        metrics.countReading()
        do throws(Failure) {
            let found = try await rosters.read(tour.id) { sql, tour, known throws(Failure) in
                Heads(known: known, heads: try sql.heads(of: tour, known.group))
            }
            guard let found else { throw Failure(.notFound) }
            return .success(found)
        } catch {
            return .failure(error)
        }
    }
}
