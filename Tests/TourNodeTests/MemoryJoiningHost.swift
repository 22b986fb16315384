import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourNode
import TourRuntime

/// A node around its joins, in memory: a network on which everything waits until a test moves it on.
final class MemoryJoiningHost: JoiningHost {
    var now = Instant(microseconds: 1_000_000_000)
    var wallMilliseconds: Int64 = 1_767_225_600_000
    var rng = SplitMix64(seed: 1)

    /// The tour that this node has.
    var group: TourGroup?
    var own = MemberID(raw: Bytes32.zero)
    var discovered: [Dialer.Address] = []
    /// What the joins asked for, in order.
    private(set) var dials: [(address: Dialer.Address, ticket: JoinTicket, attempt: UInt64)] = []
    private(set) var closed: [ObjectIdentifier] = []
    private(set) var sent: [[UInt8]] = []
    private(set) var unreachable: [Dialer.Address] = []
    private(set) var expiries: Set<UInt64> = []
    private(set) var dueAnswers: [SigningKey] = []
    private(set) var entered: [TourID] = []
    private(set) var tries = 0
    /// Calls of `dialSoon`.
    private(set) var dialRequests = 0
    /// Called by `dialDue`.
    var joining: Joining?

    let segments = [SegmentID(value: 1)]
    let port = 4_000

    func facts(of tour: TourID) -> JoiningFacts? {
        group.map { JoiningFacts(own: own, roster: $0.roster, isActive: true) }
    }

    func joinSecret(of invite: InviteState, in tour: TourID) -> SecretBytes? { group?.joinSecret(of: invite) }

    func enter(
        _ group: TourGroup, keys: MemberKeys, secret: InviteSecret, through address: Dialer.Address
    ) throws -> TourID {
        entered.append(group.tour)
        return group.tour
    }

    func addresses(announcing secret: SecretBytes) -> [Dialer.Address] { discovered }

    func dial(_ address: Dialer.Address, with ticket: JoinTicket, for attempt: UInt64) {
        dials.append((address, ticket, attempt))
    }

    func dialDue() { joining?.dial(self) }

    func dialSoon() { dialRequests += 1 }

    func reportUnreachable(_ address: Dialer.Address) { unreachable.append(address) }

    func close(_ connection: ObjectIdentifier) {
        guard !closed.contains(connection) else { return }
        closed.append(connection)
        joining?.connectionClosed(connection, hasPeer: true, nil, self)
    }

    func multicast(_ sealed: [UInt8], on segment: SegmentID) { sent.append(sealed) }

    func recordOpened(_ sealed: [UInt8]) {}

    func address(of sender: SocketAddress, port: Int, on segment: SegmentID) -> Dialer.Address? {
        sender.ipAddress.map { Dialer.Address(host: $0, port: UInt16(clamping: port)) }
    }

    func triesInvites(now: Instant) -> Bool { true }

    func recordTries(_ count: Int, now: Instant) { tries += count }

    func setExpiry(of attempt: UInt64, in delay: Duration) -> () -> Void {
        expiries.insert(attempt)
        return { self.expiries.remove(attempt) }
    }

    func setAnswer(to invite: SigningKey, of tour: TourID, in delay: Duration) { dueAnswers.append(invite) }

    /// - Returns: what was sent since the last call.
    func drainSent() -> [[UInt8]] {
        defer { sent = [] }
        return sent
    }
}
