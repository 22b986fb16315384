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

    /// One of the requests that a caller may have, until it is let go.
    final class Place: Sendable {
        private let heavy: HeavyRequests
        private let caller: String

        fileprivate init(_ heavy: HeavyRequests, _ caller: String) {
            self.heavy = heavy
            self.caller = caller
        }

        deinit { heavy.leave(caller) }
    }

    /// - Throws: `tooManyRequests` where the caller has as many as it may have, running or waiting.
    func place(for caller: String) throws(Failure) -> Place {
        let isOneTooMany = state.withLock { state in
            guard state.ofCaller[caller, default: 0] < perCaller else { return true }
            state.ofCaller[caller, default: 0] += 1
            return false
        }
        guard !isOneTooMany else { throw Failure(.tooManyRequests, retryAfter: 1) }
        return Place(self, caller)
    }

    /// Runs it in its turn, which comes in the order of the calls.
    /// - Throws: `tooManyRequests`, as `place`; what `body` throws.
    package func run<Value: Sendable>(
        for caller: String, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let place = try place(for: caller)
        defer { withExtendedLifetime(place) {} }
        return try await turn(body)
    }

    /// The same for a caller that has a place, and runs several parts of one request.
    /// - Throws: what `body` throws.
    func turn<Value: Sendable>(_ body: () async throws(Failure) -> Value) async throws(Failure) -> Value {
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
        defer { endTurn() }
        return try await body()
    }

    private func leave(_ caller: String) {
        state.withLock { state in
            let left = state.ofCaller[caller, default: 1] - 1
            state.ofCaller[caller] = left > 0 ? left : nil
        }
    }

    private func endTurn() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            // Its place goes to whoever waits longest.
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.running -= 1
            return nil
        }
        next?.resume()
    }
}
