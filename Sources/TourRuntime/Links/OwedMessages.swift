import TourModel
import TourWire

/// Messages that a link is still to be sent: a long answer of control events, with a joiner's keys behind them; and
/// news of the roster, which goes first. Parts are queued one at a time, the next when the queue has drained, since a
/// link whose queue grows too long is closed.
/// Source: `Protocol/06-replication.md`, "Control first".
package struct OwedMessages: Sendable {
    /// The least time between two answers to a link's indexes of control events: each answer examines all of them.
    private static let indexAnswerInterval: Duration = .seconds(1)

    private var waiting: [LinkMessage] = []
    /// By id: a link that sends nothing for long does not make us hold the events themselves.
    private var news: [EventID] = []
    private var answeredAt: Instant?

    package init() {}

    /// Whether nothing is owed.
    package var isEmpty: Bool { waiting.isEmpty && news.isEmpty }

    /// Whether to answer an index now: at most once a second, and not while the last answer is being sent.
    package mutating func answers(at now: Instant) -> Bool {
        if let answeredAt, now - answeredAt < Self.indexAnswerInterval { return false }
        guard waiting.isEmpty else { return false }
        answeredAt = now
        return true
    }

    /// Adds the messages of an answer.
    package mutating func add(_ messages: [LinkMessage]) { waiting += messages }

    /// Adds control events that are new here.
    package mutating func add(news events: [EventID]) { news += events }

    /// The next message, while the queue holds less than a share of its limit.
    /// - Parameter queuedBytes: what the link has queued now.
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
