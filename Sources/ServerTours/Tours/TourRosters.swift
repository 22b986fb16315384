import Dispatch
import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import Synchronization
import TourGroup
import TourModel

/// A tour's control events and the group that follows from them, up to one place in the order in which the server
/// stored them.
package struct KnownGroup: Sendable {
    /// The group that follows from them.
    package var group: TourGroup
    /// The tour's number, since a tour that was deleted may be registered again; 0 before it is registered.
    var number: Int64 = 0
    /// The place of the last control event in it.
    var place: Int64
}

/// Caches the rosters of recent requests, so that not every request computes one. The cache holds nothing that the
/// database lacks: each use reads the control events that were stored since, by this process or another.
///
/// Computing a roster may take seconds, and a tour's members determine how many. So rosters are computed outside every
/// transaction and off the threads that serve requests, once for all requests that wait: a costly tour delays only its
/// own.
package final class TourRosters: Sendable {
    private struct State {
        var known: [TourID: KnownGroup] = [:]
        /// The last use of each roster, as a number that rises.
        var uses: [TourID: Int] = [:]
        var lastUse = 0
        /// The control events in all of these rosters.
        var controls: Int64 = 0

        mutating func drop(_ tour: TourID) {
            controls -= known.removeValue(forKey: tour)?.place ?? 0
            uses[tour] = nil
        }
    }

    private let storage: any Storage
    private let metrics: ServerMetrics
    private let state = Mutex(State())
    /// Turns of the requests that bring a tour's roster up to date.
    private let readers = Lanes<TourID>(width: 1, patience: nil)
    /// Turns of the requests that add to a tour's roster.
    private let writers: Lanes<TourID>
    /// Lanes of the other requests that write to a tour, where each takes a connection to the database; nil where one
    /// connection writes for all.
    private let lanes: Lanes<TourID>?
    private let queue: OperationQueue

    package init(storage: any Storage, metrics: ServerMetrics) {
        self.storage = storage
        self.metrics = metrics
        let cause = "others write to the same tour and do not end"
        let patience = storage.isShared ? ServerLimits.tourGrowthPatience : nil
        writers = Lanes(width: 1, patience: patience, cause: cause)
        lanes =
            storage.isShared
            ? Lanes(width: ServerLimits.tourWritesAtOnce, patience: ServerLimits.tourWritesPatience, cause: cause) : nil
        queue = OperationQueue()
        queue.name = "tour-server.rosters"
        // The kernel shares the processors between these threads and those that serve requests.
        queue.maxConcurrentOperationCount = max(
            ServerLimits.rostersAtOnce, ProcessInfo.processInfo.activeProcessorCount)
    }

    /// Reads from the database beside a tour's roster, both in the same state.
    /// - Parameter isShort: whether `work` looks up a row or two; see `Storage.lookUp`.
    /// - Parameter work: runs in the transaction, where it must compute no roster.
    /// - Returns: nil for a tour that the server does not know.
    /// - Throws: whatever `work` throws; `internal` when the stored genesis is not sound.
    package func read<Value: Sendable>(
        _ id: TourID, isShort: Bool = false,
        _ work: @escaping @Sendable (any SQL, StoredTour, KnownGroup) throws(Failure) -> Value
    ) async throws(Failure) -> Value? {
        var held = cached(id)
        while true {
            let known = held
            let read: @Sendable (any SQL) throws(Failure) -> Reading<Value> = { sql throws(Failure) in
                guard let tour = try TourRows(sql: sql).tour(id) else { return .unknown }
                let known = known?.number == tour.number ? known : nil
                let controls = try ControlRows(sql: sql).all(of: tour, behind: known?.place ?? 0)
                guard let known, controls.events.isEmpty else { return .behind(tour, controls) }
                return .value(try work(sql, tour, known))
            }
            // Without a roster all control events are read.
            let isLong = !isShort || known == nil
            let reading = isLong ? try await storage.read(read) : try await storage.lookUp(read)
            switch reading {
            case .unknown: return nil
            case .value(let value):
                if let known { keep(known) }
                return value
            case .behind(let tour, let controls):
                held = try await follow(tour, known?.number == tour.number ? known : nil, controls)
            }
        }
    }

    /// Runs a write that depends on a tour's roster, and starts over on the new roster if others changed it meanwhile.
    /// - Parameter body: receives nil for a tour that the server does not know. Its transaction begins with
    ///   `ControlRows.check`.
    /// - Parameter held: the roster, if the caller has read it.
    /// - Parameter isGrowing: whether `body` adds control events. Such writes take turns, tour by tour.
    /// - Throws: whatever `body` throws; `unavailable` after `ServerLimits.rosterTriesMax` tries, and when other writes
    ///   to the tour do not end.
    func settle<Value: Sendable>(
        _ id: TourID, from held: KnownGroup? = nil, isGrowing: Bool = false,
        _ body: (KnownGroup?) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if !isGrowing {
            do throws(Failure) {
                let known = if let held { held } else { try await current(id) }
                guard let lanes else { return try await body(known) }
                return try await lanes.run(id) { () async throws(Failure) in try await body(known) }
            } catch {
                guard error.code == .rosterMoved else { throw error }
            }
        }
        return try await writers.run(id) { () async throws(Failure) in
            for _ in 0..<ServerLimits.rosterTriesMax {
                do throws(Failure) {
                    return try await body(try await current(id))
                } catch {
                    guard error.code == .rosterMoved else { throw error }
                }
            }
            throw Failure(.unavailable, retryAfter: 1, cause: "others added to the roster of the tour every time")
        }
    }

    /// The roster with further control events, for a transaction that stores them.
    func grown(_ known: KnownGroup, by news: ControlNews) async -> GrownGroup {
        await compute {
            var group = known.group
            var added = news.verified.isEmpty ? [] : group.add(verified: news.verified)
            if !news.others.isEmpty { added += group.add(controls: news.others) }
            return GrownGroup(before: known, group: group, added: added)
        }
    }

    /// Caches a roster that was read or, once its transaction is committed, written.
    func keep(_ known: KnownGroup) {
        state.withLock { state in
            let tour = known.group.tour
            if let held = state.known[tour], (held.number, held.place) > (known.number, known.place) { return }
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

    private enum Reading<Value: Sendable>: Sendable {
        case unknown
        case behind(StoredTour, StoredControls)
        case value(Value)
    }

    private func cached(_ id: TourID) -> KnownGroup? { state.withLock { $0.known[id] } }

    private func current(_ id: TourID) async throws(Failure) -> KnownGroup? {
        try await read(id) { _, _, known throws(Failure) in known }
    }

    /// Adds the control events that the database has beyond `held`, unless another request did so while this one
    /// waited.
    private func follow(
        _ tour: StoredTour, _ held: KnownGroup?, _ controls: StoredControls
    ) async throws(Failure) -> KnownGroup {
        try await readers.run(tour.id) { () async throws(Failure) in
            if let known = cached(tour.id), known.number == tour.number, known.place > held?.place ?? -1 {
                return known
            }
            if held == nil { metrics.countRoster() }
            let result = await compute { () -> Result<KnownGroup, Failure> in
                guard var group = held?.group ?? (try? TourGroup(genesis: tour.genesis)) else {
                    return .failure(
                        Failure(.internalError, cause: "the genesis of a tour that is stored is not sound"))
                }
                if !controls.events.isEmpty { _ = group.add(controls: controls.events) }
                return .success(
                    KnownGroup(group: group, number: tour.number, place: controls.last ?? held?.place ?? 0))
            }
            let known = try result.get()
            keep(known)
            return known
        }
    }

    private func compute<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        metrics.countRosters(underWay: 1)
        defer { metrics.countRosters(underWay: -1) }
        return await withCheckedContinuation { continuation in
            queue.addOperation { continuation.resume(returning: work()) }
        }
    }
}
