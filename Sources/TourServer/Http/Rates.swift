import Logging
import ServiceLifecycle
import Synchronization

/// Counts requests against the rate limits. The one process that serves from a database counts in memory, so that a
/// request which only reads writes nothing, not even on a full disk; the database receives the counters a moment later,
/// so that a restart forgives nothing. See `SQLiteStorage.lockToServe`.
final class Rates: Service {
    private struct State {
        /// When each bucket is full again; a full bucket may be missing.
        var arrivals: [String: Int64] = [:]
        /// The keys whose times the database does not hold yet.
        var changed: Set<String> = []
    }

    private let storage: any Storage
    private let logger: Logger
    private let now: @Sendable () -> Int64
    private let state = Mutex(State())

    init(storage: any Storage, logger: Logger, now: @escaping @Sendable () -> Int64) {
        self.storage = storage
        self.logger = logger
        self.now = now
    }

    /// Reads the counters from before the start.
    func load() async throws(Failure) {
        let moment = now()
        let arrivals = try await storage.read { sql throws(Failure) in
            var arrivals: [String: Int64] = [:]
            for row in try sql.rows("SELECT key, arrival FROM rates WHERE arrival > $1", [.integer(moment)]) {
                arrivals[try row.text(0)] = try row.count(1)
            }
            return arrivals
        }
        state.withLock { $0.arrivals = arrivals }
    }

    /// Counts one action against each of these limits, all for one key; or refuses the action and counts nothing.
    /// - Parameter now: microseconds since 1970.
    /// - Throws: `tooManyRequests` with the seconds to wait.
    func count(_ limits: [RateLimit], for who: String, now: Int64) throws(Failure) {
        try count(limits.map { ($0, who) }, now: now)
    }

    /// Counts one action against limits with a key each.
    func count(_ limits: [(limit: RateLimit, who: String)], now: Int64) throws(Failure) {
        let outcome = state.withLock { state -> Result<Void, Failure> in
            var fresh: [(key: String, arrival: Int64)] = []
            do throws(Failure) {
                for (limit, who) in limits {
                    let key = limit.name + ":" + who
                    fresh.append((key, try limit.counting(state.arrivals[key] ?? now, now: now)))
                }
            } catch {
                return .failure(error)
            }
            for (key, arrival) in fresh {
                state.arrivals[key] = arrival
                state.changed.insert(key)
            }
            return .success(())
        }
        try outcome.get()
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: ServerLimits.ratesInterval)
                await store()
            }
        }
        await store()
    }

    /// Writes the changed counters in one transaction, and forgets buckets that are full.
    private func store() async {
        let moment = now()
        let changed = state.withLock { state in
            let changed = state.changed.map { key in (key: key, arrival: state.arrivals[key] ?? moment) }
            state.changed = []
            state.arrivals = state.arrivals.filter { $0.value > moment }
            return changed
        }
        guard !changed.isEmpty else { return }
        let (held, full) = (changed.filter { $0.arrival > moment }, changed.filter { $0.arrival <= moment })
        do throws(Failure) {
            try await storage.write(.relaxed) { sql throws(Failure) in
                try sql.run(
                    """
                    INSERT INTO rates (key, arrival) VALUES ($1, $2)
                    ON CONFLICT (key) DO UPDATE SET arrival = excluded.arrival
                    """, each: held.map { [.text($0.key), .integer($0.arrival)] })
                try sql.run("DELETE FROM rates WHERE key = $1", each: full.map { [.text($0.key)] })
            }
        } catch {
            // The counters are still in memory; the next write includes them.
            state.withLock { $0.changed.formUnion(held.map(\.key)) }
            logger.error("rates could not be written", metadata: ["cause": "\(error)"])
        }
    }
}
