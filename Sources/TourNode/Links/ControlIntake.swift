import TourGossip
import TourModel
import TourWire

/// Control events that came and are not taken yet, and when they are. Each time some are taken the roster is worked out
/// from all that are held, which may be many: then what comes meanwhile is gathered.
package struct ControlIntake: Sendable {
    /// What is taken at one time.
    package struct Batch: Sendable {
        /// Of runs.
        package fileprivate(set) var verified: [Event] = []
        /// Without their logs, in exact bytes, by the links that brought them.
        fileprivate var parts: [(source: LinkID?, events: [[UInt8]])] = []

        package var isEmpty: Bool { verified.isEmpty && parts.isEmpty }
        package var controls: [[UInt8]] { parts.flatMap(\.events) }
        package var sources: Set<LinkID> { Set(parts.compactMap(\.source)) }

        /// What this link brought: nobody has to tell it.
        package func told(by link: LinkID) -> Set<[UInt8]> {
            parts.reduce(into: []) { if $1.source == link { $0.formUnion($1.events) } }
        }
    }

    private var batch = Batch()
    private var bytes: [LinkID: Int] = [:]
    private var dueAt = Instant(microseconds: 0)
    /// Somebody will take it when it is time.
    package var isScheduled = false

    /// Work of a time is followed by so many times that for everything else.
    private static let restFactor = 4
    /// A link that brought this much is not read until it is taken.
    private static let linkBytesMax = 512 * 1024
    /// What is taken at one time, if it need not be all: each event costs some checks of signatures, and the loop
    /// stands still for the time of all together.
    private static let turnBytesMax = 64 * 1024
    private static let turnVerifiedMax = 128

    package init() {}

    package mutating func add(_ events: [[UInt8]], from source: LinkID?) {
        batch.parts.append((source, events))
        if let source { bytes[source, default: 0] += events.reduce(0) { $0 + $1.count } }
    }

    package mutating func add(verified events: [Event]) { batch.verified += events }

    package func isFull(of source: LinkID) -> Bool { bytes[source, default: 0] >= Self.linkBytesMax }

    /// How long what came waits; zero: it is taken now.
    package func pause(at now: Instant) -> Duration { max(dueAt - now, .zero) }

    package var isEmpty: Bool { batch.isEmpty }

    package mutating func take() -> Batch {
        defer { (batch, bytes) = (Batch(), [:]) }
        return batch
    }

    /// The first of what came, as much as one turn of the loop is for.
    package mutating func takeTurn() -> Batch {
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

    /// What was taken took this time.
    package mutating func worked(from start: Instant, to end: Instant) {
        dueAt = end + (end - start) * Self.restFactor
    }
}
