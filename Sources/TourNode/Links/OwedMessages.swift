import TourModel
import TourWire

/// What a link is still to be sent of a long answer: control events, and a joiner's keys behind them. A part goes into
/// the queue at a time, and the next when that has drained: a link whose queue is too long is closed.
/// Source: `Protocol/06-replication.md`, "Control first".
package struct OwedMessages: Sendable {
    private var waiting: [LinkMessage] = []
    private var answeredAt: Instant?

    package init() {}

    package var isEmpty: Bool { waiting.isEmpty }

    /// Whether an index is answered now: at most once a second, and not while the last answer is under way.
    package mutating func answers(at now: Instant) -> Bool {
        if let answeredAt, now - answeredAt < Limits.indexAnswerInterval { return false }
        guard isEmpty else { return false }
        answeredAt = now
        return true
    }

    package mutating func add(_ messages: [LinkMessage]) { waiting += messages }

    /// What goes next, while less than a share of the queue's bound is in it.
    /// - Parameter queuedBytes: those that the link has queued now.
    package mutating func next(queuedBytes: Int) -> LinkMessage? {
        guard !waiting.isEmpty, queuedBytes < Limits.linkQueueBytesMax / 2 else { return nil }
        return waiting.removeFirst()
    }
}
