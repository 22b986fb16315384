import Synchronization

/// How many streams are open in this process: each holds a connection.
final class Listeners: Sendable {
    private let count = Mutex(0)

    /// - Returns: false when there are as many as there may be.
    func enter() -> Bool {
        count.withLock { count in
            guard count < ServerLimits.listenersMax else { return false }
            count += 1
            return true
        }
    }

    func leave() { count.withLock { $0 -= 1 } }
}
