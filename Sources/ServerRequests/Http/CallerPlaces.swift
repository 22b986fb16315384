import ServerBase
import Synchronization

/// A bounded number of places, of which each caller may hold a few.
package final class CallerPlaces: Sendable {
    /// Free again once the last reference is gone, however its request ended: even if the client left before the first
    /// byte, or asked for the head alone.
    package final class Place: Sendable {
        private let places: CallerPlaces
        private let caller: String

        fileprivate init(_ places: CallerPlaces, _ caller: String) {
            self.places = places
            self.caller = caller
        }

        deinit { places.leave(caller) }
    }

    private struct State {
        var count = 0
        var ofCaller: [String: Int] = [:]
    }

    private let name: String
    private let inAll: Int
    private let perCaller: Int
    private let retryAfter: Int
    private let state = Mutex(State())

    /// - Parameter name: what the places are for, in the metrics.
    /// - Parameter inAll: how many places all callers together have.
    /// - Parameter retryAfter: seconds after which a refused caller may ask again.
    init(_ name: String, inAll: Int = .max, perCaller: Int, retryAfter: Int) {
        self.name = name
        self.inAll = inAll
        self.perCaller = perCaller
        self.retryAfter = retryAfter
    }

    /// The places that are taken.
    package var count: Int { state.withLock { $0.count } }

    /// - Parameter caller: the account, member or address, as rate limits name it.
    /// - Throws: `tooManyRequests` when this caller has its maximum; `unavailable` when all callers together have
    ///   theirs.
    package func place(for caller: String) throws(Failure) -> Place {
        let refusal = state.withLock { state -> FailureCode? in
            guard state.ofCaller[caller, default: 0] < perCaller else { return .tooManyRequests }
            guard state.count < inAll else { return .unavailable }
            state.count += 1
            state.ofCaller[caller, default: 0] += 1
            return nil
        }
        if let refusal { throw Failure(refusal, retryAfter: retryAfter, limit: name) }
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
