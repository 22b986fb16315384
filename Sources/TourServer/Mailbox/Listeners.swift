import Synchronization

/// Counts the event streams that are open in this process: each holds a connection.
final class Listeners: Sendable {
    /// A stream's place, free again once the last reference is gone, however the request ended: even if the client left
    /// before the first byte, or asked for the head alone.
    final class Place: Sendable {
        private let listeners: Listeners
        private let caller: String

        fileprivate init(_ listeners: Listeners, _ caller: String) {
            self.listeners = listeners
            self.caller = caller
        }

        deinit { listeners.leave(caller) }
    }

    private struct State {
        var count = 0
        var ofCaller: [String: Int] = [:]
    }

    private let state = Mutex(State())

    /// - Parameter caller: the account or member, as rate limits name it.
    /// - Throws: `tooManyRequests` when this caller has its maximum; `unavailable` when all callers together have
    ///   theirs.
    func place(for caller: String) throws(Failure) -> Place {
        let refusal = state.withLock { state -> FailureCode? in
            guard state.ofCaller[caller, default: 0] < ServerLimits.listenersPerCaller else { return .tooManyRequests }
            guard state.count < ServerLimits.listenersMax else { return .unavailable }
            state.count += 1
            state.ofCaller[caller, default: 0] += 1
            return nil
        }
        if let refusal { throw Failure(refusal, retryAfter: ServerLimits.listenersRetry) }
        return Place(self, caller)
    }

    private func leave(_ caller: String) {
        state.withLock { state in
            state.count -= 1
            let left = state.ofCaller[caller, default: 1] - 1
            state.ofCaller[caller] = left > 0 ? left : nil
        }
    }
}
