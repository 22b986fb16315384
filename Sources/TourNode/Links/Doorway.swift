import TourModel

/// Which connections of others may begin a handshake. Source: `Protocol/03-handshake.md`, "Limits".
package struct Doorway<ID: Hashable> {
    /// A connection that has not finished its handshake.
    package struct Waiting {
        var id: ID
        var address: String
        var openedAt: Instant
        /// It has shown no secret yet.
        package var isStranger: Bool

        package init(id: ID, address: String, openedAt: Instant, isStranger: Bool) {
            self.id = id
            self.address = address
            self.openedAt = openedAt
            self.isStranger = isStranger
        }
    }

    package enum Verdict: Equatable {
        case admitted
        /// There was no room: this one goes.
        case admittedFor(ID)
        case refused
    }

    private var waiting: [Waiting]

    package init(_ waiting: [Waiting]) { self.waiting = waiting }

    /// Who knows a secret shows it with its first bytes: whoever has kept silent for longest makes room. So somebody
    /// with many addresses, who fills all places with connections that say nothing, keeps nobody out.
    package func verdict(on address: String) -> Verdict {
        guard waiting.count(where: { $0.address == address }) < Limits.handshakesPerAddressMax else { return .refused }
        guard waiting.count >= Limits.handshakesMax else { return .admitted }
        let oldest = waiting.filter(\.isStranger).min { $0.openedAt < $1.openedAt }
        return oldest.map { .admittedFor($0.id) } ?? .refused
    }
}
