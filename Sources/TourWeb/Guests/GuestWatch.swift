import NIOCore
import Synchronization

/// Closes the connections of phones that let us wait for too long: for a request that comes in drops, and for room to
/// write. A phone that does not read costs itself its stream, and nobody else anything.
final class GuestWatch: Sendable {
    private let waits = Mutex(GuestWaits<any Channel>())

    /// The connection has so much time from here on, until `end`.
    func begin(_ channel: any Channel, for time: Duration = GuestLimits.transferTime) -> UInt64 {
        waits.withLock { $0.begin(channel, until: .now + time) }
    }

    func end(_ wait: UInt64) { waits.withLock { $0.end(wait) } }

    /// Closes what is overdue.
    func sweep() { for channel in waits.withLock({ $0.removeOverdue(now: .now) }) { channel.close(promise: nil) } }

    /// Closes whatever lets us wait.
    func closeAll() { for channel in waits.withLock({ $0.removeAll() }) { channel.close(promise: nil) } }
}
