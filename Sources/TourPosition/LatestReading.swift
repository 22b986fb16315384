import Synchronization

/// The receiver's last report, shared by the task that reads and the one that waits.
final class LatestReading: Sendable {
    private let reading: Mutex<Reading>

    init(_ reading: Reading) { self.reading = Mutex(reading) }

    var value: Reading { reading.withLock { $0 } }

    func set(_ reading: Reading) { self.reading.withLock { $0 = reading } }
}
