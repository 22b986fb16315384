import Dispatch
import Glibc
import Synchronization
import Testing
import TourClient

/// Goal: the one thread of a command runs all its tasks, wakes each that has something to read, and none for nothing.
/// Method: loops of the test's own, and pipes.
@Suite struct CommandLoopTests {
    /// What a task has found out.
    private final class Finding<Value: Sendable>: Sendable {
        private let value = Mutex<Value?>(nil)

        var found: Value? { value.withLock { $0 } }

        func note(_ value: Value) { self.value.withLock { $0 = value } }
    }

    private final class Pipe: Sendable {
        let reader: Int32
        let writer: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            reader = ends[0]
            writer = ends[1]
        }

        deinit {
            close(reader)
            close(writer)
        }

        func fill() { _ = write(writer, "x", 1) }
    }

    @Test func allThatAWorkStartsRunsOnItsThread() {
        let threads = Finding<[pthread_t]>()
        let loop = CommandLoop()
        loop.run {
            var seen = [pthread_self()]
            await Task.yield()
            seen.append(pthread_self())
            await withTaskGroup(of: pthread_t.self) { tasks in
                tasks.addTask { pthread_self() }
                for await thread in tasks { seen.append(thread) }
            }
            threads.note(seen)
        }
        #expect(threads.found == [pthread_t](repeating: pthread_self(), count: 3))
    }

    @Test func whoeverWaitsIsWokenByWhatComesForIt() throws {
        let (loop, order) = (CommandLoop(), Finding<[Int]>())
        let (first, second) = (try Pipe(), try Pipe())
        loop.run {
            await withTaskGroup(of: Int.self) { tasks in
                tasks.addTask {
                    try? await loop.wait(for: POLLIN, on: first.reader)
                    return 1
                }
                tasks.addTask {
                    try? await loop.wait(for: POLLIN, on: second.reader)
                    first.fill()
                    return 2
                }
                second.fill()
                var seen: [Int] = []
                for await number in tasks { seen.append(number) }
                order.note(seen)
            }
        }
        #expect(order.found == [2, 1])
    }

    @Test func twoMayWaitForTheSame() throws {
        let (loop, count) = (CommandLoop(), Finding<Int>())
        let pipe = try Pipe()
        loop.run {
            async let one: Void = loop.wait(for: POLLIN, on: pipe.reader)
            async let other: Void = loop.wait(for: POLLIN, on: pipe.reader)
            pipe.fill()
            let ended = [try? await one, try? await other].compactMap(\.self).count
            count.note(ended)
        }
        #expect(count.found == 2)
    }

    @Test func anotherThreadWakesIt() {
        let (loop, hasCome) = (CommandLoop(), Finding<Bool>())
        loop.run {
            for _ in 0..<100 {
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async { continuation.resume() }
                }
            }
            hasCome.note(true)
        }
        #expect(hasCome.found == true)
    }

    @Test func aTaskOfAnotherThreadMayWaitHere() throws {
        let (loop, hasCome) = (CommandLoop(), Finding<Bool>())
        let pipe = try Pipe()
        loop.run {
            await withTaskExecutorPreference(globalConcurrentExecutor) {
                async let wait: Void = loop.wait(for: POLLIN, on: pipe.reader)
                pipe.fill()
                hasCome.note((try? await wait) != nil)
            }
        }
        #expect(hasCome.found == true)
    }

    @Test(arguments: [true, false])
    func cancellingEndsAWait(waitsFirst: Bool) throws {
        let (loop, isCancelled) = (CommandLoop(), Finding<Bool>())
        let pipe = try Pipe()
        loop.run {
            let wait = Task(executorPreference: loop) { try await loop.wait(for: POLLIN, on: pipe.reader) }
            if waitsFirst { await Task.yield() }
            wait.cancel()
            do { try await wait.value } catch { isCancelled.note(error is CancellationError) }
        }
        #expect(isCancelled.found == true)
    }

    @Test func aHangUpEndsAWait() throws {
        let (loop, count) = (CommandLoop(), Finding<Int>())
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let reader = ends[0]
        close(ends[1])
        loop.run {
            var waits = 0
            for _ in 0..<2 {
                if (try? await loop.wait(for: POLLIN, on: reader)) != nil { waits += 1 }
            }
            count.note(waits)
        }
        close(reader)
        #expect(count.found == 2)
    }
}
