import ServerBase
import ServerStorage
import Testing

/// Goal: work that hangs for one name ends the patience of those behind it, and of nobody else.
struct LanesTests {
    @Test func whoWaitsTooLongIsRefused() async throws {
        let lanes = Lanes<Int>(width: 1, patience: .milliseconds(10))
        let gate = Places(0)
        let (begun, begin) = AsyncStream<Void>.makeStream()
        async let first: Void = lanes.run(1) { () async throws(Failure) in
            begin.yield()
            await gate.enter()
        }
        for await _ in begun { break }
        let failure = await #expect(throws: Failure.self) {
            try await lanes.run(1) { () async throws(Failure) in Issue.record("it runs beside the first") }
        }
        #expect(failure?.code == .unavailable && failure?.retryAfter != nil)
        try await lanes.run(2) { () async throws(Failure) in }
        gate.leave()
        try await first
        try await lanes.run(1) { () async throws(Failure) in }
    }

    @Test func whoHasPatienceComesInTheEnd() async throws {
        let lanes = Lanes<Int>(width: 1, patience: nil)
        let gate = Places(0)
        let (begun, begin) = AsyncStream<Int>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 0..<3 {
                tasks.addTask {
                    try await lanes.run(1) { () async throws(Failure) in
                        begin.yield(number)
                        await gate.enter()
                    }
                }
            }
            var numbers = Set<Int>()
            for await number in begun {
                numbers.insert(number)
                gate.leave()
                if numbers.count == 3 { break }
            }
            try await tasks.waitForAll()
        }
    }
}
