import TourLink
import TourModel
import TourWire

/// All of asking on one node: those who ask here, and what this node asks. Source: `Protocol/14-asking.md`.
///
/// Used on the node's loop alone.
package final class Asking {
    /// Those who ask to be let into this node's tours.
    package let askers = Askers()
    /// What this node asks; one question at a time.
    package private(set) var own: OwnAsk?
    /// When somebody last looked for tours near this node.
    package private(set) var lookedAt: Instant?
    private var nextID: UInt64 = 1

    /// How long after a look discovery goes on looking.
    private static let lookTime: Duration = .seconds(15)

    package init() {}

    /// Whether discovery should look for addresses.
    package func isSeeking(now: Instant) -> Bool {
        own?.isUnderWay == true || (lookedAt.map { now - $0 < Self.lookTime } ?? false)
    }

    /// Somebody looks for tours near this node.
    package func recordLook(now: Instant) { lookedAt = now }

    /// Begins to ask; an earlier question ends.
    package func begin(_ make: (UInt64) -> OwnAsk, _ host: some AskingHost) {
        own?.cancel(host)
        own = make(nextID)
        nextID += 1
        own?.proceed(host)
    }

    /// The user asks no more.
    package func cancel(_ host: some AskingHost) {
        own?.cancel(host)
        own = nil
    }

    /// The handshake of an ask link is complete.
    package func opened(
        _ connection: ObjectIdentifier, _ link: AskLink, from address: String, _ host: some AskingHost
    ) {
        guard link.isAsker else { return askers.opened(connection, link, from: address, host) }
        guard let own else { return host.close(connection) }
        own.opened(connection, link, host)
    }

    /// A message on an ask link.
    package func receive(
        _ message: AskMessage, on connection: ObjectIdentifier, isAsker: Bool, _ host: some AskingHost
    ) {
        guard isAsker else { return askers.receive(message, on: connection, host) }
        guard let own else { return host.close(connection) }
        own.receive(message, on: connection, host)
    }

    /// A connection has closed; it may have been an ask link.
    package func closed(_ connection: ObjectIdentifier, _ host: some AskingHost) {
        askers.closed(connection)
        own?.closed(connection, host)
    }

    /// Once a second.
    package func tick(_ host: some AskingHost) {
        askers.tick(host)
        own?.tick(host)
    }
}
