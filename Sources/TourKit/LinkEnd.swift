import TourLink
import TourModel
import TourWire

/// This device's end of one connection.
final class LinkEnd {
    /// What the connection is for, on the side that dialled.
    enum Purpose {
        /// A link to a member.
        case tour
        /// An attempt to join.
        case join(JoinAttempt)
        /// The peer dialled, and says what for.
        case accepted
    }

    let connection: Connection
    let purpose: Purpose
    /// The peer's numeric address, or what the app says in its place.
    let address: String
    let openedAt: Instant
    var machine: LinkMachine
    /// Set once the link is open.
    var peer: LinkPeer?
    /// The link's number in its tour; nil before it is one of a tour.
    var link: LinkID?
    /// Why the peer, or we, ended the link.
    var ending: ByeReason?
    /// The control events of the answer to our request to join.
    var controls: [[UInt8]] = []
    var controlBytes = 0
    /// The writes that the app has not reported as taken yet.
    var writesUnderWay = 0
    var isLagging = false

    init(
        _ connection: Connection, _ purpose: Purpose, address: String, openedAt: Instant,
        _ machine: consuming LinkMachine
    ) {
        self.connection = connection
        self.purpose = purpose
        self.address = address
        self.openedAt = openedAt
        self.machine = machine
    }

    /// The member behind an open link, whether our roster names it or not.
    var member: MemberID? {
        switch peer?.kind {
        case .member(let member), .restricted(let member): member
        default: nil
        }
    }

    /// The tour, if the link is one of a tour.
    var tour: TourID? { link == nil ? nil : peer?.tour }

    /// A join is one question and its answer: a joiner that keeps the link for longer occupies a place that others
    /// need.
    func isOverdue(now: Instant) -> Bool {
        switch peer?.kind {
        case .joiner, .host: now - openedAt > Limits.joinLinkLifetime
        default: false
        }
    }
}
