import Foundation
import ServerBase
import Synchronization

/// Runs requests that read or write much of a notebook, an export or a page of messages: on a part of the processors,
/// in the order of their calls, so that the rest stay free for everybody else. Each caller may have only a few, running
/// or waiting.
package final class HeavyRequests: Sendable {
    private struct State {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let atOnce: Int
    private let places: CallerPlaces
    private let state = Mutex(State())

    /// - Parameter atOnce: how many requests of all callers run at once; half of the processors by default.
    /// - Parameter perCaller: how many requests one caller may have, running or waiting.
    package init(
        atOnce: Int = max(ProcessInfo.processInfo.activeProcessorCount / 2, 1),
        perCaller: Int = ServerLimits.heavyPerCaller
    ) {
        self.atOnce = atOnce
        places = CallerPlaces("heavy", perCaller: perCaller, retryAfter: ServerLimits.heavyRetry)
    }

    /// Requests that wait for their turn.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    /// One of a caller's allowed requests, running or waiting, until the object is released.
    /// - Throws: `tooManyRequests` when the caller has its maximum.
    package func place(for caller: String) throws(Failure) -> CallerPlaces.Place { try places.place(for: caller) }

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
