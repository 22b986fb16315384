import TourModel

/// Decides which inbound connections may begin a handshake. Source: `Protocol/03-handshake.md`, "Limits".
package struct InboundLimits<ID: Hashable> {
    /// A connection that has not finished its handshake.
    package struct Waiting {
        var id: ID
        var address: String
        var openedAt: Instant
        /// Its peer has not shown a secret yet.
        package var isStranger: Bool

        package init(id: ID, address: String, openedAt: Instant, isStranger: Bool) {
            self.id = id
            self.address = address
            self.openedAt = openedAt
            self.isStranger = isStranger
        }
    }

    /// The decision on a new connection.
    package enum Verdict: Equatable {
        case admitted
        /// Admitted in place of this connection, which must be closed.
        case admittedFor(ID)
        case refused
    }

    private var waiting: [Waiting]

    package init(_ waiting: [Waiting]) { self.waiting = waiting }

    /// A peer that knows a secret shows it with its first bytes: the connection that has been silent for longest
    /// makes room. So an attacker with many addresses who fills all places with silent connections keeps nobody out.
    package func verdict(on address: String) -> Verdict {
        guard waiting.count(where: { $0.address == address }) < Limits.handshakesPerAddressMax else { return .refused }
        guard waiting.count >= Limits.handshakesMax else { return .admitted }
        let oldest = waiting.filter(\.isStranger).min { $0.openedAt < $1.openedAt }
        return oldest.map { .admittedFor($0.id) } ?? .refused
    }
}
