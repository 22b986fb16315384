import TourModel

/// When a commit may run on the event loop itself. A write into the system's cache takes less time than waking another
/// thread and being woken; a disk that turns out slow, or a queue that has formed, sends commits back to the thread.
struct LoopCommits {
    /// More events are worth the other core.
    private static let eventsMax = 4
    /// A commit on the loop that takes longer than this keeps the next ones away for `pause`.
    private static let slow: Duration = .milliseconds(4)
    private static let pause: Duration = .seconds(10)
    /// The write-ahead log is moved into the database on the thread after so many commits on the loop, at about three
    /// pages each: well before SQLite would do so by itself, which waits for the disk.
    private static let perCheckpoint = 512

    /// Jobs that the thread has and whose end the loop does not know yet: none may overtake them.
    var away = 0
    private var pausedUntil: Instant?
    private var sinceCheckpoint = 0

    func takes(_ events: Int, now: Instant) -> Bool {
        guard away == 0, events <= Self.eventsMax else { return false }
        return pausedUntil.map { now >= $0 } ?? true
    }

    mutating func note(took: Duration, now: Instant) {
        sinceCheckpoint += 1
        pausedUntil = took > Self.slow ? now + Self.pause : nil
    }

    var isCheckpointDue: Bool { sinceCheckpoint >= Self.perCheckpoint }

    mutating func noteCheckpoint() { sinceCheckpoint = 0 }
}
