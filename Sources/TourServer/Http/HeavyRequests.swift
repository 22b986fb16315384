import Foundation
import Synchronization

/// Runs requests that read or write much of a notebook, an export or a page of messages: on a part of the processors,
/// in the order of their calls, so that the rest stay free for everybody else. Each caller may have only a few, running
/// or waiting.
package final class HeavyRequests: Sendable {
    private struct State {
        var running = 0
        var ofCaller: [String: Int] = [:]
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let atOnce: Int
    private let perCaller: Int
    private let state = Mutex(State())

    /// - Parameter atOnce: how many requests of all callers run at once; half of the processors by default.
    /// - Parameter perCaller: how many requests one caller may have, running or waiting.
    package init(
        atOnce: Int = max(ProcessInfo.processInfo.activeProcessorCount / 2, 1),
        perCaller: Int = ServerLimits.heavyPerCaller
    ) {
        self.atOnce = atOnce
        self.perCaller = perCaller
    }

    /// One of a caller's allowed requests, until the object is released.
    final class Place: Sendable {
        private let heavy: HeavyRequests
        private let caller: String

        fileprivate init(_ heavy: HeavyRequests, _ caller: String) {
            self.heavy = heavy
            self.caller = caller
        }

        deinit { heavy.leave(caller) }
    }

    /// - Throws: `tooManyRequests` when the caller has its maximum, running or waiting.
    func place(for caller: String) throws(Failure) -> Place {
        let isOneTooMany = state.withLock { state in
            guard state.ofCaller[caller, default: 0] < perCaller else { return true }
            state.ofCaller[caller, default: 0] += 1
            return false
        }
        guard !isOneTooMany else { throw Failure(.tooManyRequests, retryAfter: 1) }
        return Place(self, caller)
    }

    /// Runs `body` in its turn, in the order of the calls.
    /// - Throws: `tooManyRequests`, as `place`; whatever `body` throws.
    package func run<Value: Sendable>(
        for caller: String, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let place = try place(for: caller)
        defer { withExtendedLifetime(place) {} }
        return try await turn(body)
    }

    /// Runs one of several parts of a request whose caller holds a place.
    /// - Throws: whatever `body` throws.
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
            // The turn passes to the request that has waited longest.
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.running -= 1
            return nil
        }
        next?.resume()
    }
}
