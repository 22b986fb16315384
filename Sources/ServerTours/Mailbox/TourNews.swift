import NIOCore
import ServerBase
import ServerRequests
import ServerStorage
import Synchronization
import TourModel

/// Reads a tour's heads for its listeners: once for all that the same change woke.
package final class TourNews: Sendable {
    /// A tour's heads at one moment, which all of its listeners share.
    final class Heads: Sendable {
        let known: KnownGroup
        let heads: [MemberID: UInt64]
        /// The event for who has the heads of `earlier`; empty if none has risen since.
        fileprivate let news: ByteBuffer
        /// The number of this reading, and of the one before; 0: there was none.
        fileprivate let number: UInt64
        fileprivate let earlier: UInt64

        fileprivate init(_ known: KnownGroup, _ heads: [MemberID: UInt64], since last: Heads?, number: UInt64) {
            self.known = known
            self.heads = heads
            self.number = number
            earlier = last?.number ?? 0
            news = Self.event(heads, since: last?.heads ?? [:])
        }

        /// The event that tells of the heads that have risen; empty if none has.
        /// - Parameter told: what the listener heard last.
        func event(since told: Told) -> ByteBuffer {
            told.number > 0 && told.number == earlier ? news : Self.event(heads, since: told.heads)
        }

        private static func event(_ heads: [MemberID: UInt64], since told: [MemberID: UInt64]) -> ByteBuffer {
            let risen = heads.filter { $0.value > told[$0.key] ?? 0 }.sorted { $0.key < $1.key }
            guard !risen.isEmpty else { return ByteBuffer() }
            let pairs = risen.map { "\"\($0.key.hex)\":\($0.value)" }
            return ByteBuffer(string: "event: heads\ndata: {\"heads\":{\(pairs.joined(separator: ","))}}\n\n")
        }
    }

    /// The heads that a listener has heard of.
    struct Told: Sendable {
        let heads: [MemberID: UInt64]
        /// The reading's number; 0: the listener read them itself.
        fileprivate let number: UInt64

        init(_ heads: [MemberID: UInt64]) {
            self.heads = heads
            number = 0
        }

        init(_ heads: Heads) {
            self.heads = heads.heads
            number = heads.number
        }
    }

    private struct Reading {
        let version: UInt64
        let task: Task<Result<Heads?, Failure>, Never>
    }

    private struct State {
        var readings: [TourID: Reading] = [:]
        var count: UInt64 = 0
    }

    /// How often a listener whom nothing wakes looks whether it may stay.
    let silence: Duration
    private let storage: any Storage
    private let rosters: TourRosters
    private let metrics: ServerMetrics
    private let state = Mutex(State())

    /// - Parameter silence: see `ServerLimits.liveSilence`.
    package init(storage: any Storage, rosters: TourRosters, metrics: ServerMetrics, silence: Duration) {
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
        let task = state.withLock { state in
            let last = state.readings[tour.id]
            if let last, last.version == version, version > 0 { return last.task }
            state.count += 1
            let number = state.count
            let task = Task { await read(tour, since: last?.task, number) }
            // Bounds the readings to as many tours as have listeners; finished readings can go.
            if state.readings.count >= ServerLimits.rostersMax { state.readings = [:] }
            state.readings[tour.id] = Reading(version: version, task: task)
            return task
        }
        return try await task.value.get()
    }

    /// - Parameter last: the reading before.
    private func read(
        _ tour: StoredTour, since last: Task<Result<Heads?, Failure>, Never>?, _ number: UInt64
    ) async -> Result<Heads?, Failure> {
        metrics.countReading()
        let told = try? await last?.value.get()
        do throws(Failure) {
            return .success(
                try await rosters.read(tour.id) { sql, tour, known throws(Failure) in
                    Heads(known, try EventRows(sql: sql).heads(of: tour, known.group), since: told, number: number)
                })
        } catch {
            return .failure(error)
        }
    }
}
