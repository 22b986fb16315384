import TourModel
import TourWire

/// What the network does to a link while it is up. It delivers in order and whole, as TCP does: a lost packet is a
/// delay of everything behind it, or the end of the link.
package struct LinkConditions: Hashable, Sendable {
    package var latency: Duration = .milliseconds(2)
    /// On top of the latency, evenly spread.
    package var jitter: Duration = .milliseconds(3)
    package var bytesPerSecond: Int64 = 2_500_000
    /// Of a thousand messages, how many wait for a retransmission.
    package var lossPerMille = 0
    package var retransmission: Duration = .milliseconds(200)
    /// How long until a broken link is dialled again, at most.
    package var redial: Duration = .seconds(2)

    package init() {}
}

/// How quick a node's own parts are.
package struct NodeConditions: Hashable, Sendable {
    /// To verify one run or a batch of claims.
    package var verification: Duration = .microseconds(150)
    /// On top of that for each event of a run but the first.
    package var furtherEvent: Duration = .zero
    /// To verify one claim; nil: a batch of them takes what a run takes.
    package var claimVerification: Duration?
    /// To a group commit.
    package var storing: Duration = .milliseconds(4)
    package var loading: Duration = .microseconds(400)
    /// What a crash may take back of others' events: what was stored within this time before it.
    package var unsynced: Duration = .seconds(1)

    package init() {}

    func work(on run: Run) -> Duration { verification + furtherEvent * (run.events.count - 1) }

    func work(on claims: [ClaimRow]) -> Duration {
        claimVerification.map { $0 * claims.count } ?? verification
    }
}
