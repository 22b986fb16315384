import Synchronization

/// The streams that are open in this process: each holds a connection.
final class Listeners: Sendable {
    /// A stream's place. It is free again once nothing holds it, however the request ended: also where the client was
    /// gone before the first byte, or asked for the head alone.
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

    /// - Parameter caller: an account or a member, as rates count it.
    /// - Throws: `tooManyRequests` where this caller has as many as it may have, `unavailable` where all have.
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
