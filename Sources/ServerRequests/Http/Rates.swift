import Logging
import ServerBase
import ServerStorage
import ServiceLifecycle
import Synchronization

/// Counts requests against the rate limits, in memory, so that a request which only reads writes nothing, not even on a
/// full disk. The database receives the counters a moment later, so that a restart forgives nothing.
///
/// Where several processes serve from the database, each adds what it counted to the counters there, and learns what
/// the others counted: a client that asks many of them at once gets through more often for that moment. Limits of what
/// costs money or guards a secret allow nothing of the kind: the database counts those (`RateLimit.isStrict`).
package final class Rates: Service {
    /// What this process counted and the database does not hold yet.
    private struct Share {
        let limit: RateLimit
        /// The time of the first action, in microseconds since 1970.
        let since: Int64
        var actions: Int64 = 0
    }

    private struct State {
        /// When each bucket is full again; a full bucket may be missing.
        var arrivals: [String: Int64] = [:]
        var shares: [String: Share] = [:]
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
    package func load() async throws(Failure) {
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
    package func count(_ limits: [RateLimit], for who: String, now: Int64) async throws(Failure) {
        try await count(limits.map { ($0, who) }, now: now)
    }

    /// Counts one action against limits with a key each.
    package func count(_ limits: [(limit: RateLimit, who: String)], now: Int64) async throws(Failure) {
        let isShared = storage.isShared
        // The time of a request is that of its head, and its body may come long after that: the counters have gone on.
        let now = max(now, self.now())
        try countHere(limits.filter { !(isShared && $0.limit.isStrict) }, now: now)
        // Last: what is refused there was counted here, where there is plenty.
        let strict = limits.filter { isShared && $0.limit.isStrict }
        if !strict.isEmpty { try await countThere(strict, now: now) }
    }

    private func countHere(_ limits: [(limit: RateLimit, who: String)], now: Int64) throws(Failure) {
        let leeway = storage.isShared ? ServerLimits.clocksApart : 0
        let outcome = state.withLock { state -> Result<Void, Failure> in
            var fresh: [(key: String, limit: RateLimit, arrival: Int64)] = []
            do throws(Failure) {
                for (limit, who) in limits {
                    let key = limit.key(of: who)
                    fresh.append((key, limit, try limit.counting(state.arrivals[key] ?? now, now: now, leeway: leeway)))
                }
            } catch {
                return .failure(error)
            }
            for (key, limit, arrival) in fresh {
                state.arrivals[key] = arrival
                state.shares[key, default: Share(limit: limit, since: now)].actions += 1
            }
            return .success(())
        }
        try outcome.get()
    }

    private func countThere(_ limits: [(limit: RateLimit, who: String)], now: Int64) async throws(Failure) {
        // In one order everywhere, so that no two transactions wait for each other.
        let sorted = limits.map { (key: $0.limit.key(of: $0.who), limit: $0.limit) }.sorted { $0.key < $1.key }
        try await storage.write(.relaxed, .statements) { sql throws(Failure) in
            for (key, limit) in sorted { try limit.count(key, now: now, in: sql) }
        }
    }

    /// Stores the counts at intervals, until graceful shutdown.
    package func run() async throws {
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
        let (shares, arrivals) = state.withLock { state in
            let found = (state.shares, state.arrivals.filter { state.shares[$0.key] != nil })
            state.shares = [:]
            state.arrivals = state.arrivals.filter { $0.value > moment }
            return found
        }
        guard !shares.isEmpty else { return }
        do throws(Failure) {
            if storage.isShared { try await add(shares, at: moment) } else { try await replace(arrivals, at: moment) }
        } catch {
            // The counters are still in memory; the next write includes them.
            state.withLock { state in
                for (key, share) in shares {
                    state.shares[key, default: Share(limit: share.limit, since: share.since)].actions += share.actions
                }
            }
            logger.error("rates could not be written", metadata: ["cause": "\(error)"])
        }
    }

    private func replace(_ arrivals: [String: Int64], at moment: Int64) async throws(Failure) {
        let (held, full) = (arrivals.filter { $0.value > moment }, arrivals.filter { $0.value <= moment })
        try await storage.write(.relaxed) { sql throws(Failure) in
            try sql.run(
                """
                INSERT INTO rates (key, arrival) VALUES ($1, $2)
                ON CONFLICT (key) DO UPDATE SET arrival = excluded.arrival
                """, each: held.map { [.text($0.key), .integer($0.value)] })
            try sql.run("DELETE FROM rates WHERE key = $1", each: full.map { [.text($0.key)] })
        }
    }

    /// Adds this process's actions to the counters, and takes over what they then are.
    private func add(_ shares: [String: Share], at moment: Int64) async throws(Failure) {
        // In one order everywhere, so that no two transactions wait for each other.
        let sorted = shares.sorted { $0.key < $1.key }
        let arrivals = try await storage.write(.relaxed, .statements) { sql throws(Failure) in
            // Each process lets as many through as the limit allows: together they may exceed it, and then nothing is
            // left. See `RateLimit.counting` for times beyond the leeway.
            let results = try sql.rows(
                """
                INSERT INTO rates (key, arrival) VALUES ($1, $2)
                ON CONFLICT (key) DO UPDATE SET arrival =
                    CASE WHEN rates.arrival <= $3 OR rates.arrival > $4 THEN excluded.arrival
                    WHEN rates.arrival + $5 > $6 THEN $7
                    ELSE rates.arrival + $8 END RETURNING arrival
                """,
                each: sorted.map { key, share in
                    let (sum, since) = (share.actions * share.limit.interval, share.since)
                    let full = moment + share.limit.burst * share.limit.interval
                    return [
                        .text(key), .integer(since + sum), .integer(since),
                        .integer(full + ServerLimits.clocksApart), .integer(sum), .integer(full), .integer(full),
                        .integer(sum),
                    ]
                })
            return try results.map { rows throws(Failure) in try rows.first?.count(0) ?? 0 }
        }
        state.withLock { state in
            for ((key, share), arrival) in zip(sorted, arrivals) {
                // And what was counted meanwhile.
                let more = (state.shares[key]?.actions ?? 0) * share.limit.interval
                state.arrivals[key] = arrival + more
            }
        }
    }
}

extension RateLimit {
    /// Counts one action in one statement, which waits for others that count for the same key.
    /// - Returns: when the bucket is full again.
    /// - Throws: `tooManyRequests` with the seconds to wait.
    @discardableResult
    func count(_ key: String, now: Int64, in sql: any SQL) throws(Failure) -> Int64 {
        let full = now + burst * interval
        // As in `RateLimit.counting`.
        let last = full + ServerLimits.clocksApart
        let counted = try sql.row(
            """
            INSERT INTO rates (key, arrival) VALUES ($1, $2)
            ON CONFLICT (key) DO UPDATE SET arrival =
                CASE WHEN rates.arrival > $3 AND rates.arrival <= $4 THEN rates.arrival + $5
                ELSE excluded.arrival END
            WHERE rates.arrival > $6 OR rates.arrival <= $7 RETURNING arrival
            """,
            [
                .text(key), .integer(now + interval), .integer(now), .integer(last), .integer(interval),
                .integer(last), .integer(full - interval),
            ])
        if let counted { return try counted.count(0) }
        let stored = try sql.row("SELECT arrival FROM rates WHERE key = $1", [.text(key)])?.count(0)
        _ = try counting(stored ?? full, now: now)
        // Another process has just deleted or changed the row.
        throw Failure(.tooManyRequests, retryAfter: 1, limit: name)
    }
}
