import NIOCore
import Synchronization

/// Closes the connections of phones that let us wait for too long: for a request that comes in drops, and for room to
/// write. A phone that does not read costs itself its stream, and nobody else anything.
final class GuestWatch: Sendable {
    private struct State {
        var waits: [UInt64: (channel: any Channel, until: ContinuousClock.Instant)] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The connection has `GuestLimits.transferTime` from here on, until `end`.
    func begin(_ channel: any Channel) -> UInt64 {
        state.withLock { state in
            state.next += 1
            state.waits[state.next] = (channel, .now + GuestLimits.transferTime)
            return state.next
        }
    }

    func end(_ wait: UInt64) { state.withLock { $0.waits[wait] = nil } }

    /// Closes what is overdue.
    func sweep() {
        let now = ContinuousClock.now
        close { $0 <= now }
    }

    /// Closes whatever lets us wait.
    func closeAll() { close { _ in true } }

    private func close(_ isDue: (ContinuousClock.Instant) -> Bool) {
        let overdue = state.withLock { state in
            let overdue = state.waits.filter { isDue($0.value.until) }
            for wait in overdue.keys { state.waits[wait] = nil }
            return overdue.values.map(\.channel)
        }
        for channel in overdue { channel.close(promise: nil) }
    }
}
