import TourModel
import TourWire

/// What a link is still to be sent: a long answer of control events, and a joiner's keys behind them; and news of the
/// roster, which goes first. A part goes into the queue at a time, and the next when that has drained: a link whose
/// queue is too long is closed.
/// Source: `Protocol/06-replication.md`, "Control first".
package struct OwedMessages: Sendable {
    private var waiting: [LinkMessage] = []
    /// By name: a link that takes nothing for long makes nobody hold the events themselves.
    private var news: [EventID] = []
    private var answeredAt: Instant?

    package init() {}

    package var isEmpty: Bool { waiting.isEmpty && news.isEmpty }

    /// Whether an index is answered now: at most once a second, and not while the last answer is under way.
    package mutating func answers(at now: Instant) -> Bool {
        if let answeredAt, now - answeredAt < Limits.indexAnswerInterval { return false }
        guard waiting.isEmpty else { return false }
        answeredAt = now
        return true
    }

    package mutating func add(_ messages: [LinkMessage]) { waiting += messages }

    package mutating func add(news events: [EventID]) { news += events }

    /// What goes next, while less than a share of the queue's bound is in it.
    /// - Parameter queuedBytes: those that the link has queued now.
    /// - Parameter event: the bytes of a control event, if it is still held.
    package mutating func next(queuedBytes: Int, event: (EventID) -> [UInt8]?) -> LinkMessage? {
        guard queuedBytes < Limits.linkQueueBytesMax / 2 else { return nil }
        if let part = nextNews(event) { return .control(part) }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    private mutating func nextNews(_ event: (EventID) -> [UInt8]?) -> [[UInt8]]? {
        var (part, bytes, taken) = ([[UInt8]](), 0, 0)
        while taken < news.count, bytes < Limits.linkMessageBytesMax / 4, part.count < Limits.controlsPerMessageMax {
            if let found = event(news[taken]) {
                part.append(found)
                bytes += found.count
            }
            taken += 1
        }
        news.removeFirst(taken)
        return part.isEmpty ? nil : part
    }
}
