import Synchronization
import TourModel

/// Reads a tour's heads for its listeners: once for all that the same change woke.
final class TourNews: Sendable {
    struct Heads: Sendable {
        let known: KnownGroup
        let heads: [MemberID: UInt64]
    }

    private struct Reading {
        let version: UInt64
        let task: Task<Result<Heads?, Failure>, Never>
    }

    /// How often a listener whom nothing wakes looks whether it may stay.
    let silence: Duration
    private let storage: any Storage
    private let rosters: TourRosters
    private let metrics: ServerMetrics
    private let readings = Mutex<[TourID: Reading]>([:])

    /// - Parameter silence: see `ServerLimits.liveSilence`.
    init(storage: any Storage, rosters: TourRosters, metrics: ServerMetrics, silence: Duration) {
        self.silence = silence
        self.storage = storage
        self.rosters = rosters
        self.metrics = metrics
    }

    /// The heads at some moment after the caller was woken.
    /// - Returns: nil once the tour is deleted.
    func heads(of tour: StoredTour) async throws(Failure) -> Heads? {
        // The version is read first: a reading of this version saw the change that woke the caller, or later ones.
        let version = storage.version(of: tour.topic)
        let task = readings.withLock { readings in
            if let held = readings[tour.id], held.version == version, version > 0 { return held.task }
            let task = Task { await read(tour) }
            // Bounds the readings to as many tours as have listeners; finished readings can go.
            if readings.count >= ServerLimits.rostersMax { readings = [:] }
            readings[tour.id] = Reading(version: version, task: task)
            return task
        }
        return try await task.value.get()
    }

    private func read(_ tour: StoredTour) async -> Result<Heads?, Failure> {
        metrics.countReading()
        do throws(Failure) {
            return .success(
                try await rosters.read(tour.id) { sql, tour, known throws(Failure) in
                    Heads(known: known, heads: try sql.heads(of: tour, known.group))
                })
        } catch {
            return .failure(error)
        }
    }
}
