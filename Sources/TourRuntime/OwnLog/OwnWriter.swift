import TourGossip
import TourGroup
import TourModel
import TourWire

/// Events of our own on their way to the disk; the shell stores them and answers by `TourInput.wrote`.
package struct OwnEvents: Sendable {
    /// Chained and signed, at least one.
    package let events: [Event]
    /// What they add to our log.
    let size: LogSize
}

/// Why nothing can be written to our log now.
package enum WriteRefusal: Error, Hashable, Sendable {
    /// Our log may not be written, or not yet.
    case ownLog(OwnLogState)
    /// A commit failed: those in progress end first.
    case busy
    /// Our share of the tour is used up, or its part for control events (`isControl`).
    case shareFull(isControl: Bool)
}

/// The writing end of our own log: what is signed and not yet stored, and how to go on after a commit failed.
struct OwnWriter: Sendable {
    private var author: Author
    /// Where our own log ends on the disk; the author is ahead of it while commits are in progress.
    private(set) var durableTail: Author.Tail
    private var commits = 0
    /// How much the commits in progress add to our log.
    private(set) var unstoredSize = LogSize.zero
    /// A commit of ours failed: nothing new is written until all commits in progress have ended.
    private(set) var isPoisoned = false

    init(_ author: Author) {
        self.author = author
        durableTail = author.tail
    }

    /// Whether commits are in progress.
    var isWriting: Bool { commits > 0 }

    /// The member that writes.
    var id: MemberID { author.id }

    /// The clock of the last event written or witnessed.
    var clock: LogicalClock { author.clock }

    /// Composes events behind all that were composed before.
    /// - Parameters:
    ///   - stored: the size of our log as far as it is stored.
    ///   - share: the part of our share that the events may use.
    /// - Returns: nil if `compose` makes no events; nothing is changed then, nor when an error is thrown.
    mutating func compose(
        after stored: LogSize, within share: LogShare, wallMilliseconds: Int64,
        _ compose: (inout Author, _ wallMilliseconds: Int64) -> [Event]
    ) throws(WriteRefusal) -> OwnEvents? {
        guard !isPoisoned else { throw .busy }
        var writer = author
        let events = compose(&writer, wallMilliseconds)
        guard !events.isEmpty else { return nil }
        var before = stored
        before.add(unstoredSize)
        var size = before
        guard size.add(events[...], within: share) == events.count else {
            throw .shareFull(isControl: events.contains { $0.header.eventClass == .control })
        }
        size.subtract(before)
        author = writer
        unstoredSize.add(size)
        commits += 1
        return OwnEvents(events: events, size: size)
    }

    /// A commit has ended.
    mutating func record(_ own: OwnEvents, isStored: Bool) {
        commits -= 1
        unstoredSize.subtract(own.size)
        if isStored, let last = own.events.last {
            durableTail = Author.Tail(sequence: last.header.sequence, id: last.id)
        } else {
            isPoisoned = true
        }
        guard isPoisoned, commits == 0 else { return }
        // Events signed after the failure were never sent: the log continues from its end on the disk.
        author.rewind(to: durableTail)
        isPoisoned = false
    }

    /// A peer sent back an event that we wrote before our store was restored: our log continues after it. An event that
    /// is being written meanwhile has another predecessor, and fails.
    mutating func adopt(_ event: Event) {
        guard event.header.sequence > durableTail.sequence else { return }
        durableTail = Author.Tail(sequence: event.header.sequence, id: event.id)
        if commits == 0 { author.adopt(event) } else { isPoisoned = true }
    }

    /// Others' events arrived: ours come after them.
    mutating func witness(_ events: [Event], wallMilliseconds: Int64) {
        for event in events { author.witness(event.header.clock, wallMilliseconds: wallMilliseconds) }
    }
}
