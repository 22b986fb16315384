import GRDB
import ServerBase
import Synchronization

/// Transactions that wait for the one writer of a database, committed together, so that the disk is waited for once.
/// Each is undone alone by what it throws; where the transaction fails as a whole, each is run again by itself.
final class GroupCommit: Sendable {
    private struct State {
        var waiting: [any WaitingWrite] = []
        var isRunning = false
        var counts = WriteCounts()
        /// How durable the connection's commits are now; nil: SQLite's own choice.
        var durability: Durability?
    }

    private let pool: DatabasePool
    /// Receives the topics of committed transactions.
    private let wake: @Sendable (Set<String>) -> Void
    private let state = Mutex(State())

    init(pool: DatabasePool, wake: @escaping @Sendable (Set<String>) -> Void) {
        self.pool = pool
        self.wake = wake
    }

    var counts: WriteCounts {
        state.withLock { state in
            var counts = state.counts
            counts.waiting = state.waiting.count
            return counts
        }
    }

    /// Runs `work` in its turn, and returns once it is committed.
    func write<Value: Sendable>(
        _ durability: Durability, _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async -> Result<Value, Failure> {
        await withCheckedContinuation { continuation in
            let write = Write(durability: durability, work: work, continuation: continuation)
            let isFirst = state.withLock { state in
                state.waiting.append(write)
                defer { state.isRunning = true }
                return !state.isRunning
            }
            guard isFirst else { return }
            pool.asyncWriteWithoutTransaction { db in
                while let writes = self.next() { self.commit(writes, in: db) }
            }
        }
    }

    private func next() -> [any WaitingWrite]? {
        state.withLock { state in
            let writes = Array(state.waiting.prefix(ServerLimits.writesPerCommitMax))
            state.waiting.removeFirst(writes.count)
            state.isRunning = !writes.isEmpty
            return writes.isEmpty ? nil : writes
        }
    }

    private func commit(_ writes: [any WaitingWrite], in db: Database) {
        var done = [any WaitingWrite]()
        var failure: Failure?
        let begun = ContinuousClock.now
        do {
            try set(writes.contains { $0.durability == .durable } ? .durable : .relaxed, in: db)
            try db.inTransaction(.immediate) {
                for write in writes {
                    // Finished transactions do not wait long for another one.
                    guard done.isEmpty || ContinuousClock.now - begun < ServerLimits.commitPatience else { break }
                    done.append(write)
                    try run(write, in: db)
                }
                return .commit
            }
        } catch {
            failure = Failure(database: error)
        }
        if let failure {
            // What ended the transaction may be one of them alone: each gets a transaction of its own.
            guard writes.count > 1 else { return writes[0].finish(failure) }
            for write in writes { commit([write], in: db) }
            return
        }
        state.withLock { state in
            state.waiting.insert(contentsOf: writes.dropFirst(done.count), at: 0)
            state.counts.transactions += done.count
            state.counts.commits += 1
        }
        wake(done.reduce(into: []) { $0.formUnion($1.topics) })
        for write in done { write.finish(nil) }
    }

    /// Called outside of transactions: SQLite refuses the pragma inside.
    private func set(_ durability: Durability, in db: Database) throws {
        guard state.withLock({ $0.durability }) != durability else { return }
        try db.execute(sql: "PRAGMA synchronous = \(durability == .durable ? "FULL" : "NORMAL")")
        state.withLock { $0.durability = durability }
    }

    /// - Throws: when SQLite has undone the whole transaction, as it does on a full disk.
    private func run(_ write: any WaitingWrite, in db: Database) throws {
        try db.inSavepoint { write.run(in: db) ? .commit : .rollback }
        guard db.isInsideTransaction else {
            throw Failure(.unavailable, cause: "SQLite ended the transaction")
        }
    }
}

/// A waiting transaction, whatever its value's type.
private protocol WaitingWrite: AnyObject, Sendable {
    var durability: Durability { get }
    /// The topics that a successful transaction wakes.
    var topics: Set<String> { get }
    /// - Returns: whether its writes stay.
    func run(in db: Database) -> Bool
    /// - Parameter failure: the commit's failure, if it failed.
    func finish(_ failure: Failure?)
}

/// Only one thread at a time touches it: first the creator's, then the writer's.
private final class Write<Value: Sendable>: WaitingWrite, @unchecked Sendable {
    let durability: Durability
    private let work: @Sendable (any SQL) throws(Failure) -> Value
    private let continuation: CheckedContinuation<Result<Value, Failure>, Never>
    private var result: Result<Value, Failure>?
    private(set) var topics: Set<String> = []

    init(
        durability: Durability, work: @escaping @Sendable (any SQL) throws(Failure) -> Value,
        continuation: CheckedContinuation<Result<Value, Failure>, Never>
    ) {
        self.durability = durability
        self.work = work
        self.continuation = continuation
    }

    func run(in db: Database) -> Bool {
        (result, topics) = (nil, [])
        let session = SQLiteSession(db)
        do throws(Failure) {
            result = .success(try work(session))
            topics = session.topics
            return true
        } catch {
            result = .failure(error)
            return false
        }
    }

    func finish(_ failure: Failure?) {
        // A transaction that failed by itself reports its own error, whatever became of the commit.
        if let result, case .failure = result { return continuation.resume(returning: result) }
        let missing = Failure(.unavailable, cause: "the transaction was not begun")
        continuation.resume(returning: failure.map { .failure($0) } ?? result ?? .failure(missing))
    }
}
