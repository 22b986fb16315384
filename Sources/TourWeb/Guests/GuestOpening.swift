import Synchronization

/// Where one attempt to open the door for guests came to.
final class GuestOpening: Sendable {
    private let opened = Mutex<UInt16?>(nil)

    /// Nil: the port is not available.
    var port: UInt16? { opened.withLock { $0 } }

    func open(_ port: UInt16) { opened.withLock { $0 = port } }
}
