import TourCrypto
import TourGossip
import TourLink
import TourModel
import TourNode
import TourWire

/// A host of asking in memory: a clock that stands, and a network that only notes what goes out.
final class MemoryAskingHost: AskingHost {
    var now = Instant(microseconds: 1_000_000_000)
    var mayInvite = true
    var announced: [Dialer.Address] = []
    private(set) var sent: [ObjectIdentifier: [AskMessage]] = [:]
    private(set) var closed: Set<ObjectIdentifier> = []
    private(set) var dialled: [Dialer.Address] = []
    private(set) var faults: [AskFault] = []
    /// Gets an asker whose code is to be written.
    var whenWritten: (UInt64) -> Void = { _ in }
    /// Gets what closing a connection leads to, as the node's links do.
    var whenClosed: (ObjectIdentifier) -> Void = { _ in }

    func mayInvite(to tour: TourID) -> Bool { mayInvite }

    func name(of tour: TourID) -> String { "Museum" }

    func send(_ message: AskMessage, on connection: ObjectIdentifier) { sent[connection, default: []].append(message) }

    func writeCode(for asker: UInt64, to tour: TourID) { whenWritten(asker) }

    func count(_ fault: AskFault) { faults.append(fault) }

    func close(_ connection: ObjectIdentifier) {
        guard closed.insert(connection).inserted else { return }
        whenClosed(connection)
    }

    func addresses(announcing tag: DiscoveryTag) -> [Dialer.Address] { announced }

    func dial(_ address: Dialer.Address, with ticket: AskTicket, for ask: UInt64) { dialled.append(address) }

    /// What went out on a connection since the last look.
    func take(from connection: ObjectIdentifier) -> [AskMessage] {
        defer { sent[connection] = [] }
        return sent[connection] ?? []
    }
}
