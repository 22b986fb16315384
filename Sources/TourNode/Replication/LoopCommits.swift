import TourModel

/// Decides when a commit may run on the event loop itself. A write into the system's cache, or one that waits for a
/// quick disk, takes less time than waking another thread and being woken by it. Once the disk is slow, or a queue
/// has formed, commits go to the thread again.
package struct LoopCommits {
    /// More events are worth using the other core.
    private static let eventsMax = 4
    /// A commit on the loop that takes longer than this keeps the next ones off the loop: for `pause` after the
    /// first, since the processor may have been busy, and twice as long for each further slow commit that no quick
    /// one made up for; but at least ten times as long as the loop was blocked.
    private static let slow: Duration = .milliseconds(4)
    private static let pause: Duration = .milliseconds(100)
    private static let pausePerTime = 10
    /// Doublings of `pause`, which thus grows to at most 12.8 seconds.
    private static let doublingsMax = 7
    /// A disk is quick if each of the last `quickInARow` commits that waited for it took no longer than this. An SD
    /// card or a spinning disk never is.
    private static let quick: Duration = .milliseconds(2)
    /// How many quick commits in a row make a disk quick.
    package static let quickInARow = 4
    /// After this many commits on the loop, at about three pages each, the thread moves the write-ahead log into the
    /// database: well before SQLite would do so by itself on the loop, waiting for the disk.
    private static let perCheckpoint = 512

    /// Jobs given to the thread that the loop has not seen finished: no commit may overtake them.
    package var away = 0
    private var pausedUntil: Instant?
    /// Slow commits on the loop, less the quick ones.
    private var slowCommits = 0
    private var sinceCheckpoint = 0
    /// How many commits in a row found the disk quick.
    private var quickCommits = 0

    package init() {}

    /// Whether a commit of this many events may run on the loop.
    /// - Parameter isDurable: whether the commit waits for the disk.
    package func accepts(_ events: Int, isDurable: Bool, now: Instant) -> Bool {
        guard away == 0, events <= Self.eventsMax, !isDurable || quickCommits >= Self.quickInARow else { return false }
        return pausedUntil.map { now >= $0 } ?? true
    }

    /// Records how long a commit on the loop took.
    /// - Parameter now: when it had ended.
    package mutating func recordCommit(took: Duration, isDurable: Bool, now: Instant) {
        sinceCheckpoint += 1
        if isDurable { return recordDisk(took: took) }
        slowCommits = took > Self.slow ? min(slowCommits, Self.doublingsMax) + 1 : max(0, slowCommits - 1)
        guard took > Self.slow else { return pausedUntil = nil }
        pausedUntil = now + max(Self.pause * (1 << (slowCommits - 1)), took * Self.pausePerTime)
    }

    /// A commit waited for the disk, on the loop or on the thread.
    package mutating func recordDisk(took: Duration) {
        quickCommits = took > Self.quick ? 0 : quickCommits + 1
        isLogRoomDue = true
    }

    /// A commit waited for the disk, so the log's file may have become too short. A node whose commits never wait
    /// needs no room there.
    private var isLogRoomDue = false

    /// - Returns: whether to check the room of the log's file now.
    package mutating func consumeLogRoomDue() -> Bool {
        defer { isLogRoomDue = false }
        return isLogRoomDue
    }

    /// Whether the write-ahead log is to be moved into the database.
    package var isCheckpointDue: Bool { sinceCheckpoint >= Self.perCheckpoint }

    /// The write-ahead log was moved into the database.
    package mutating func recordCheckpoint() { sinceCheckpoint = 0 }
}
