import TourLink
import TourModel
import TourWire

/// One link as on the wire: the production link machines of its two ends.
final class Wire {
    let edge: Topology.Edge
    private let low: WireEnd
    private let high: WireEnd

    init(edge: Topology.Edge, low: WireEnd, high: WireEnd) {
        self.edge = edge
        self.low = low
        self.high = high
    }

    subscript(node: Int) -> WireEnd { node == edge.low ? low : high }

    func peer(of node: Int) -> Int { node == edge.low ? edge.high : edge.low }

    var isOpen: Bool { low.isOpen && high.isOpen }
}

/// One end of a link: the production machine, and a model of the socket below it.
final class WireEnd {
    /// The member at this end, and the one at the other.
    struct Party {
        let credential: LinkCredential
        let peer: MemberID
        let peerKey: LinkKey
    }

    private let party: Party
    private var machine: LinkMachine
    private var salts = HelloGuard()
    /// Bytes of the handshake that were not sent yet.
    private var written: [UInt8] = []
    /// When the last byte given to the socket has been sent.
    var freeAt = Instant(microseconds: 0)
    /// When the last of them arrives: nothing overtakes it.
    var arrivesAt = Instant(microseconds: 0)
    var isPumpPlanned = false
    var isLagging = false

    /// The side that is dialled.
    init(accepting party: Party, now: Instant) {
        self.party = party
        machine = LinkMachine(acceptedAt: now, from: party.peer.hex)
    }

    init(dialling party: Party, salt: [UInt8], now: Instant) {
        self.party = party
        var outputs = [LinkMachine.Output]()
        machine = LinkMachine(dialling: .member(party.credential), salt: salt, now: now, into: &outputs)
        written = Self.bytes(of: outputs)
    }

    var isOpen: Bool { machine.isOpen }
    var queuedBytes: Int { machine.queuedBytes }
    var hasBytes: Bool { !written.isEmpty || machine.queuedBytes > 0 }

    func enqueue(_ message: LinkMessage) { machine.enqueue(message) }

    func recordLifeElsewhere(at now: Instant, quietMax: Duration = Limits.heardQuietMax) {
        machine.recordLifeElsewhere(at: now, quietMax: quietMax)
    }

    /// Keep-alive and deadlines, once a second.
    func tick(now: Instant) throws(LinkFault) { try machine.tick(now: now) }

    /// The bytes for the socket now: the most urgent first, about this many.
    func drain(budget: Int, now: Instant) throws(LinkFault) -> [UInt8] {
        var outputs = [LinkMachine.Output]()
        try machine.drain(budget: budget, now: now, into: &outputs)
        let bytes = written + Self.bytes(of: outputs)
        written = []
        return bytes
    }

    /// Reads bytes from the other end.
    func receive(_ bytes: [UInt8], now: Instant) throws(LinkFault) -> [LinkMessage] {
        let party = party
        let credentials = [party.credential]
        let surroundings = LinkMachine.Surroundings(
            now: now, standing: { _, key in key == party.peerKey ? .members([party.peer]) : .unknown },
            credentials: { credentials })
        var outputs = [LinkMachine.Output]()
        try machine.receive(bytes, in: surroundings, guarding: &salts, into: &outputs)
        written += Self.bytes(of: outputs)
        return outputs.compactMap { output -> LinkMessage? in
            guard case .message(let message) = output else { return nil }
            return message
        }
    }

    private static func bytes(of outputs: [LinkMachine.Output]) -> [UInt8] {
        outputs.flatMap { output -> [UInt8] in
            guard case .write(let bytes) = output else { return [] }
            return bytes
        }
    }
}
