import TourCrypto
import TourModel
import TourWire

/// A link on which messages flow.
struct OpenLink: ~Copyable {
    var transport: TransportState
    var reassembly: Reassembly
    var outbox = Outbox()
    private(set) var audience: LinkAudience
    /// The peer sent something, and nothing went out since; then: a message of ours waits that the peer should answer.
    /// Keep-alives do not count: two machines would answer each other for ever.
    private(set) var owesAnswer = false
    private(set) var wantsAnswer = false
    private var restrictedBytes = 0

    init(transport: consuming TransportState, reassembly: consuming Reassembly, audience: LinkAudience) {
        self.transport = transport
        self.reassembly = reassembly
        self.audience = audience
    }

    /// The peer's key is not in our roster: only control messages pass.
    var isRestricted: Bool { audience == .restricted }

    mutating func recognise() {
        if isRestricted { audience = .member }
    }

    mutating func add(_ message: LinkMessage) {
        outbox.add(message)
        if message != .pong { wantsAnswer = true }
    }

    /// Records that a queued slice went out.
    mutating func recordSent() {
        owesAnswer = false
        if outbox.isEmpty { wantsAnswer = false }
    }

    consuming func receive(
        _ frame: [UInt8], _ outputs: inout [LinkMachine.Output]
    ) throws(LinkFault) -> LinkMachine.State {
        if let bytesMax = audience.bytesMax {
            restrictedBytes += frame.count
            guard restrictedBytes <= bytesMax else { throw .restrictedLimit }
        }
        let message = try transport.open(frame, &reassembly)
        if message != .ping, message != .pong { owesAnswer = true }
        if let message {
            switch audience.verdict(on: message) {
            case .isRefused: throw .unexpectedMessage
            case .isDropped: break
            case .passes: accept(message, &outputs)
            }
        }
        return .open(self)
    }

    private mutating func accept(_ message: LinkMessage, _ outputs: inout [LinkMachine.Output]) {
        switch message {
        case .ping: outbox.add(.pong)
        case .pong: break
        default: outputs.append(.message(message))
        }
    }
}
