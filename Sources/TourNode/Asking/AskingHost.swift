import TourCrypto
import TourGossip
import TourLink
import TourModel
import TourWire

/// What asking needs of the node around it. A connection is named by its object's identifier.
package protocol AskingHost {
    /// The clock that never steps.
    var now: Instant { get }
    /// Whether this node's user may let people into the tour now.
    func mayInvite(to tour: TourID) -> Bool
    /// What the tour is called.
    func name(of tour: TourID) -> String
    /// Sends on an ask link.
    func send(_ message: AskMessage, on connection: ObjectIdentifier)
    /// Writes the code of an asker who knew the digits. `Askers.endAdmission` follows.
    func writeCode(for asker: UInt64, to tour: TourID)
    /// Counts why an exchange ended.
    func count(_ fault: AskFault)
    /// Closes a connection, if it is still open, once everything is out.
    func close(_ connection: ObjectIdentifier)
    /// Where nodes announce this tag.
    func addresses(announcing tag: DiscoveryTag) -> [Dialer.Address]
    /// Dials for our own ask. `OwnAsk.connected` or `OwnAsk.dialFailed` follows.
    func dial(_ address: Dialer.Address, with ticket: AskTicket, for ask: UInt64)
}
