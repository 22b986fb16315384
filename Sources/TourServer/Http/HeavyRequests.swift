import Foundation
import Synchronization

/// Requests that read or make a whole notebook, one after the other on a part of the processors, so that the rest are
/// there for everybody else. Each caller has few of them: whoever asks for more waits for its own.
package final class HeavyRequests: Sendable {
    private struct State {
        var running = 0
        var ofCaller: [String: Int] = [:]
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let atOnce: Int
    private let perCaller: Int
    private let state = Mutex(State())

    /// - Parameter atOnce: how many of all callers run; half of the processors unless said otherwise.
    package init(
        atOnce: Int = max(ProcessInfo.processInfo.activeProcessorCount / 2, 1),
        perCaller: Int = ServerLimits.heavyPerCaller
    ) {
        self.atOnce = atOnce
        self.perCaller = perCaller
    }

    /// Runs it in its turn, which comes in the order of the calls.
    /// - Throws: `tooManyRequests` where the caller has as many as it may have, running or waiting; what `body` throws.
    package func run<Value: Sendable>(
        for caller: String, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let isOneTooMany = state.withLock { state in
            guard state.ofCaller[caller, default: 0] < perCaller else { return true }
            state.ofCaller[caller, default: 0] += 1
            return false
        }
        guard !isOneTooMany else { throw Failure(.tooManyRequests, retryAfter: 1) }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.running < atOnce else {
                    state.waiting.append(continuation)
                    return false
                }
                state.running += 1
                return true
            }
            if isFree { continuation.resume() }
        }
        defer { leave(caller) }
        return try await body()
    }

    private func leave(_ caller: String) {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            let left = state.ofCaller[caller, default: 1] - 1
            state.ofCaller[caller] = left > 0 ? left : nil
            // Its place goes to whoever waits longest.
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.running -= 1
            return nil
        }
        next?.resume()
    }
}
