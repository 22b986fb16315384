import TourGossip
import TourModel
import TourWire

/// Control events that arrived and are not applied yet, and when to apply them. Applying any computes the roster from
/// all that we hold, which may be many: events that arrive meanwhile are gathered.
package struct ControlIntake: Sendable {
    /// The control events applied at one time.
    package struct Batch: Sendable {
        /// From verified runs.
        package fileprivate(set) var verified: [Event] = []
        /// Control events without their logs, in exact bytes, by the links that sent them.
        fileprivate var parts: [(source: LinkID?, events: [[UInt8]])] = []

        /// Whether there is nothing to apply.
        package var isEmpty: Bool { verified.isEmpty && parts.isEmpty }
        /// All control events without their logs, in exact bytes.
        package var controls: [[UInt8]] { parts.flatMap(\.events) }
        /// The links that sent them.
        package var sources: Set<LinkID> { Set(parts.compactMap(\.source)) }

        /// Events that this link sent, and that its peer therefore need not be sent.
        package func events(sentBy link: LinkID) -> Set<[UInt8]> {
            parts.reduce(into: []) { if $1.source == link { $0.formUnion($1.events) } }
        }
    }

    private var batch = Batch()
    private var bytes: [LinkID: Int] = [:]
    private var dueAt = Instant(microseconds: 0)
    /// A batch was handed out, and how long applying it took is not known yet: none follows before that.
    private var isAtWork = false
    /// The batch waits for its turn.
    package var isScheduled = false

    /// After work of some length, other work gets the loop for this many times that length.
    private static let restFactor = 4
    /// A link that sent this much is not read until the batch is applied.
    private static let linkBytesMax = 512 * 1024
    /// Bytes to apply in one turn, if it need not be all: each event costs some signature checks, and the loop blocks
    /// for all of them.
    private static let turnBytesMax = 64 * 1024
    private static let turnVerifiedMax = 128

    package init() {}

    /// Adds control events that arrived without their logs; `source` is nil for a server's.
    package mutating func add(_ events: [[UInt8]], from source: LinkID?) {
        batch.parts.append((source, events))
        if let source { bytes[source, default: 0] += events.reduce(0) { $0 + $1.count } }
    }

    /// Adds the control events of a verified run.
    package mutating func add(verified events: [Event]) { batch.verified += events }

    /// Whether to stop reading this link until the batch is applied.
    package func isFull(of source: LinkID) -> Bool { bytes[source, default: 0] >= Self.linkBytesMax }

    /// How long the batch waits; zero: apply it now.
    package func pause(at now: Instant) -> Duration { max(dueAt - now, .zero) }

    /// When the batch is to be applied, if it waits for its turn.
    var deadline: Instant? { isScheduled && !isAtWork ? dueAt : nil }

    /// Whether nothing waits.
    package var isEmpty: Bool { batch.isEmpty }

    /// Removes and returns everything that waits.
    package mutating func drain() -> Batch {
        defer { (batch, bytes, isAtWork) = (Batch(), [:], true) }
        return batch
    }

    /// Removes and returns the oldest events, as much as fits into one turn of the loop.
    package mutating func dequeueTurn() -> Batch {
        isAtWork = true
        var turn = Batch()
        let verified = batch.verified.prefix(Self.turnVerifiedMax)
        turn.verified = Array(verified)
        batch.verified.removeFirst(verified.count)
        var (size, count) = (0, 0)
        for part in batch.parts where size < Self.turnBytesMax {
            let added = part.events.reduce(0) { $0 + $1.count }
            if let source = part.source { bytes[source, default: added] -= added }
            turn.parts.append(part)
            (size, count) = (size + added, count + 1)
        }
        batch.parts.removeFirst(count)
        return turn
    }

    /// If a batch was handed out, applying it took this time: sets when the next one is due.
    package mutating func worked(from start: Instant, to end: Instant) {
        guard isAtWork else { return }
        isAtWork = false
        dueAt = end + (end - start) * Self.restFactor
    }
}
