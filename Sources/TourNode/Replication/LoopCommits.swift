import TourModel

/// When a commit may run on the event loop itself. A write into the system's cache, and one that waits for a quick
/// disk, take less time than waking another thread and being woken; a disk that turns out slow, or a queue that has
/// formed, sends commits back to the thread.
package struct LoopCommits {
    /// More events are worth the other core.
    private static let eventsMax = 4
    /// A commit on the loop that takes longer than this keeps the next ones away: for `pause` if it is the only one,
    /// since the processor was busy then, and for twice as long for each slow one that no quick one has made up for;
    /// but for ten times as long as the loop stood still.
    private static let slow: Duration = .milliseconds(4)
    private static let pause: Duration = .milliseconds(100)
    private static let pausePerTime = 10
    /// So `pause` grows to 12.8 seconds.
    private static let doublingsMax = 7
    /// A disk is quick that took no longer than this for each of the last `quickInARow` commits that waited for it. An
    /// SD card or a disk that turns never does.
    private static let quick: Duration = .milliseconds(2)
    package static let quickInARow = 4
    /// The write-ahead log is moved into the database on the thread after so many commits on the loop, at about three
    /// pages each: well before SQLite would do so by itself, which waits for the disk.
    private static let perCheckpoint = 512

    /// Jobs that the thread has and whose end the loop does not know yet: none may overtake them.
    package var away = 0
    private var pausedUntil: Instant?
    /// Slow commits on the loop, less the quick ones.
    private var slowCommits = 0
    private var sinceCheckpoint = 0
    /// How many commits in a row the disk was quick for.
    private var quickCommits = 0

    package init() {}

    /// - Parameter isDurable: whether the commit waits for the disk.
    package func takes(_ events: Int, isDurable: Bool, now: Instant) -> Bool {
        guard away == 0, events <= Self.eventsMax, !isDurable || quickCommits >= Self.quickInARow else { return false }
        return pausedUntil.map { now >= $0 } ?? true
    }

    /// - Parameter now: when it had ended.
    package mutating func note(took: Duration, isDurable: Bool, now: Instant) {
        sinceCheckpoint += 1
        if isDurable { return noteDisk(took: took) }
        slowCommits = took > Self.slow ? min(slowCommits, Self.doublingsMax) + 1 : max(0, slowCommits - 1)
        guard took > Self.slow else { return pausedUntil = nil }
        pausedUntil = now + max(Self.pause * (1 << (slowCommits - 1)), took * Self.pausePerTime)
    }

    /// A commit waited for the disk, here or on the thread.
    package mutating func noteDisk(took: Duration) {
        quickCommits = took > Self.quick ? 0 : quickCommits + 1
        isLogRoomDue = true
    }

    /// A commit waited for the disk: the log's file may have become too short. Whoever never waits needs no room.
    private var isLogRoomDue = false

    /// - Returns: whether to look at it now.
    package mutating func takeLogRoomDue() -> Bool {
        defer { isLogRoomDue = false }
        return isLogRoomDue
    }

    package var isCheckpointDue: Bool { sinceCheckpoint >= Self.perCheckpoint }

    package mutating func noteCheckpoint() { sinceCheckpoint = 0 }
}
