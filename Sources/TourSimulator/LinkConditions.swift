import TourModel
import TourWire

/// The network's effect on an open link. It delivers in order and completely, as TCP does: a lost packet delays
/// everything after it, or ends the link.
package struct LinkConditions: Hashable, Sendable {
    /// From one end to the other.
    package var latency: Duration = .milliseconds(2)
    /// Added to the latency, evenly distributed.
    package var jitter: Duration = .milliseconds(3)
    /// In each direction.
    package var bytesPerSecond: Int64 = 2_500_000
    /// How many of a thousand messages wait for a retransmission.
    package var lossPerMille = 0
    /// How long a lost message takes longer.
    package var retransmission: Duration = .milliseconds(200)
    /// The longest time until a broken link is dialled again.
    package var redial: Duration = .seconds(2)

    package init() {}
}

/// The speed of a node's own parts.
package struct NodeConditions: Hashable, Sendable {
    /// The time to verify one run or a batch of claims.
    package var verification: Duration = .microseconds(150)
    /// In addition, for each event of a run after the first.
    package var furtherEvent: Duration = .zero
    /// The time to verify one claim; nil: a batch of them takes as long as a run.
    package var claimVerification: Duration?
    /// The time until a group commit.
    package var storing: Duration = .milliseconds(4)
    /// The time to read events from the store.
    package var loading: Duration = .microseconds(400)
    /// Applying control events to the roster, once.
    package var applying: Duration = .milliseconds(1)
    /// A crash may lose others' events that were stored within this time before it.
    package var unsynced: Duration = .seconds(1)

    package init() {}

    func work(on run: Run) -> Duration { verification + furtherEvent * (run.events.count - 1) }

    func work(on claims: [ClaimRow]) -> Duration {
        claimVerification.map { $0 * claims.count } ?? verification
    }
}
