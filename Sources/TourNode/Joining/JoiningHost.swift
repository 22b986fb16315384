import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime

/// What joining needs of the node around it. A connection is named by its object's identifier, a tour by its id, so
/// that nothing here keeps one that has ended.
package protocol JoiningHost {
    /// The clock that never steps.
    var now: Instant { get }
    /// Milliseconds since 1970.
    var wallMilliseconds: Int64 { get }
    /// Spreads answers; makes no secrets.
    var rng: SplitMix64 { get nonmutating set }

    /// - Returns: nil for a tour that this node does not have.
    func facts(of tour: TourID) -> JoiningFacts?
    /// - Returns: nil for a secret that is sealed under a key that this node does not have.
    func joinSecret(of invite: InviteState, in tour: TourID) -> SecretBytes?
    /// Stores a tour that admitted us.
    /// - Parameter address: where the member that admitted us was dialled.
    /// - Throws: `NodeError`.
    func enter(
        _ group: TourGroup, keys: MemberKeys, secret: InviteSecret, through address: Dialer.Address
    ) throws -> TourID

    /// Where other nodes may be: first those that announce this secret.
    func addresses(announcing secret: SecretBytes) -> [Dialer.Address]
    /// Dials for an attempt. `Joining.connected` or `Joining.dialFailed` follows.
    func dial(_ address: Dialer.Address, with ticket: JoinTicket, for attempt: UInt64)
    /// Dials now whatever is due, for members and joins.
    func dialDue()
    /// The same in a moment, together with what others ask for until then.
    func dialSoon()
    /// No member answers at this address.
    func reportUnreachable(_ address: Dialer.Address)
    /// Closes a connection, if it is still open.
    func close(_ connection: ObjectIdentifier)

    /// The networks on which this node can send to everybody.
    var segments: [SegmentID] { get }
    /// The port where this node can be dialled.
    var port: Int { get }
    /// Sends a sealed datagram to everybody on a network.
    func multicast(_ sealed: [UInt8], on segment: SegmentID)
    /// A key of ours opened this datagram: no repetition of it is tried again.
    func recordOpened(_ sealed: [UInt8])
    /// - Returns: where the sender of a datagram can be dialled.
    func address(of sender: SocketAddress, port: Int, on segment: SegmentID) -> Dialer.Address?
    /// Whether the budget allows trying the keys of invites.
    func triesInvites(now: Instant) -> Bool
    /// Charges the budget for this many tries.
    func recordTries(_ count: Int, now: Instant)

    /// Calls `Joining.expire` after this time.
    /// - Returns: cancels the timer.
    func setExpiry(of attempt: UInt64, in delay: Duration) -> () -> Void
    /// Calls `TourJoiners.answer` after this time.
    func setAnswer(to invite: SigningKey, of tour: TourID, in delay: Duration)
}
