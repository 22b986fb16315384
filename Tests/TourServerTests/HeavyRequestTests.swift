import ServerBase
import ServerRequests
import Synchronization
import Testing

/// Goal: who asks for much takes a part of the processors, and has few such requests.
/// Method: requests that end when the test says so.
struct HeavyRequestTests {
    @Test func oneCallerHasFew() async throws {
        let heavy = HeavyRequests(atOnce: 1, perCaller: 2)
        let (steps, step) = AsyncStream<Void>.makeStream()
        let (entries, entry) = AsyncStream<Void>.makeStream()
        let (refusals, refusal) = AsyncStream<Failure>.makeStream()
        // One of them enters, one waits behind it, and all others are told to come again.
        let tasks = (0..<6).map { _ in
            Task {
                do throws(Failure) {
                    try await heavy.run(for: "a") { () async throws(Failure) in
                        entry.yield()
                        for await _ in steps { return }
                    }
                } catch {
                    refusal.yield(error)
                }
            }
        }
        var refused = refusals.makeAsyncIterator()
        for _ in 0..<4 {
            let failure = await refused.next()
            #expect(failure?.code == .tooManyRequests && failure?.retryAfter == 1)
        }
        var entered = entries.makeAsyncIterator()
        for _ in 0..<2 {
            await entered.next()
            step.yield()
        }
        for task in tasks { await task.value }
        try await heavy.run(for: "a") { () async throws(Failure) in }
    }

    /// How many were at work, and how many at once.
    private final class Load: Sendable {
        private let counts = Mutex((now: 0, most: 0, all: 0))
        var most: Int { counts.withLock { $0.most } }
        var all: Int { counts.withLock { $0.all } }
        func begin() { counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) } }
        func end() { counts.withLock { $0.now -= 1 } }
    }

    @Test func fewOfAllRunAtOnce() async throws {
        let heavy = HeavyRequests(atOnce: 2, perCaller: 1)
        let load = Load()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 0..<100 {
                tasks.addTask {
                    try await heavy.run(for: "\(number)") { () async throws(Failure) in
                        load.begin()
                        for _ in 0..<10 { await Task.yield() }
                        load.end()
                    }
                }
            }
            try await tasks.waitForAll()
        }
        #expect(load.all == 100 && load.most <= 2)
    }

    /// What fails gives its place back too.
    @Test func whatFailsMakesRoom() async throws {
        let heavy = HeavyRequests(atOnce: 1, perCaller: 1)
        for _ in 0..<3 {
            await #expect(throws: Failure.self) {
                try await heavy.run(for: "a") { () async throws(Failure) in throw Failure(.notFound) }
            }
        }
        try await heavy.run(for: "a") { () async throws(Failure) in }
    }
}
