import TourGroup
import TourLink
import TourModel
import TourWire

/// One open link of a tour, between the handshake and the end: who the peer is, what it may learn, and what it is still
/// owed.
struct OpenLink: Sendable {
    /// At most one answer and one question a second.
    private static let compareInterval: Duration = .seconds(1)

    private(set) var peer: LinkPeer
    /// Both sides have a port for datagrams.
    let hasPath: Bool
    private(set) var owed = OwedMessages()
    private var comparedAt: Instant?
    /// The peer's index, kept while the peer may not receive the control events that it lacks.
    private var heldBack: [EventName]?

    init(_ peer: LinkPeer, hasPath: Bool) {
        self.peer = peer
        self.hasPath = hasPath
    }

    /// The member behind the link, whether or not the roster names it; nil for a joiner, a host, a former member.
    var member: MemberID? {
        switch peer.kind {
        case .member(let member), .restricted(let member): member
        case .former, .joiner, .host: nil
        }
    }

    /// The roster names the peer.
    var isMember: Bool {
        if case .member = peer.kind { true } else { false }
    }

    /// Only control messages pass.
    var isRestricted: Bool {
        if case .restricted = peer.kind { true } else { false }
    }

    /// Whether the peer may learn of the tour's control events.
    func maySendControls(in group: TourGroup) -> Bool {
        switch peer.kind {
        case .member: true
        case .restricted(let device): group.hearing(of: device, through: peer.epoch) == .all
        case .former, .joiner, .host: false
        }
    }

    /// The roster names the peer from now on.
    mutating func recognise(_ member: MemberID) { peer.kind = .member(member) }

    /// - Returns: whether to send our index now.
    mutating func mayCompare(now: Instant) -> Bool {
        if let comparedAt, now - comparedAt < Self.compareInterval { return false }
        comparedAt = now
        return true
    }

    mutating func holdBack(_ index: [EventName]) { heldBack = index }

    mutating func drainHeldBack() -> [EventName]? {
        defer { heldBack = nil }
        return heldBack
    }

    /// Whether to answer an index that arrived.
    mutating func answersIndex(now: Instant) -> Bool { owed.answers(at: now) }

    /// - Returns: whether nothing was owed before: the shell begins to send then.
    mutating func owe(_ messages: [LinkMessage]) -> Bool {
        defer { owed.add(messages) }
        return owed.isEmpty
    }

    mutating func owe(news events: [EventID]) -> Bool {
        defer { owed.add(news: events) }
        return owed.isEmpty
    }

    mutating func nextOwed(queuedBytes: Int, event: (EventID) -> [UInt8]?) -> LinkMessage? {
        owed.next(queuedBytes: queuedBytes, event: event)
    }
}
