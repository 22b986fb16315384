import FuzzDriver
import FuzzSupport
import TourCrypto
import TourModel
import TourWire

/// A message of a link; a run in it is rebuilt as if a known author had written it.
enum LinkMessageHarness {
    private static let identity = SigningKeyPair(seed: SecretBytes([UInt8](repeating: 1, count: 32))).publicKey

    static func run(_ bytes: [UInt8]) {
        let message = roundTrip(
            bytes, memoryFactor: listMemoryFactor, decode: { try? LinkMessage.decode($0) }, encode: { $0.encode() })
        guard let message else { return }
        check(message.encode().count <= bytes.count + 64, "a message grows when it is written again")
        guard case .run(var run) = message else { return }
        run.author = MemberID(identity: identity)
        check(run.last >= run.first, "a run ends before it begins")
        if let verified = try? VerifiedRun(run, tour: .none, identity: identity) {
            check(verified.suffix(from: run.last)?.events.count == 1, "the end of a run is one event")
        }
    }
}

/// A datagram on the wire, and its plaintext.
enum DatagramHarness {
    private static let seal = DatagramSeal(joinSecret: SecretBytes([UInt8](repeating: 1, count: 32)))

    static func run(_ bytes: [UInt8]) {
        var window = ReplayWindow()
        check(!window.contains(bytes) && window.insert(bytes) && window.contains(bytes), "a datagram is heard once")
        if let plaintext = seal.open(bytes) { _ = try? Datagram(decoding: plaintext) }
        let datagram = roundTrip(bytes, decode: { try? Datagram(decoding: $0) }, encode: { $0.encode() })
        guard let datagram else { return }
        guard let again = datagram.encode() else { return check(false, "a datagram grows when it is written again") }
        check(seal.open(seal.seal(again)) == again, "what is sealed opens")
    }
}

/// What goes to one neighbour by datagram.
enum PathDatagramHarness {
    static func run(_ bytes: [UInt8]) {
        roundTrip(
            bytes, memoryFactor: listMemoryFactor, decode: { try? PathDatagram(decoding: $0) }, encode: { $0.encode() })
    }
}

/// What a server answers to a pull: runs, or control events.
enum MailboxAnswerHarness {
    static func run(_ bytes: [UInt8]) {
        roundTrip(
            bytes, memoryFactor: listMemoryFactor, decode: { try? MailboxEvents.decode($0) }, encode: { $0.encode() })
        roundTrip(
            bytes, memoryFactor: listMemoryFactor, decode: { try? MailboxControls.decode($0) }, encode: { $0.encode() })
    }
}

/// A claim's row and a position row, of a member who is known.
enum ClaimHarness {
    static func run(_ bytes: [UInt8]) {
        roundTrip(bytes, decode: { try? FrontierClaim.decode($0, named: member) }, encode: { $0.encode() })
        roundTrip(bytes, decode: { try? PositionClaim.decode($0, named: member) }, encode: { $0.encode() })
    }

    private static func member(_ prefix: UInt64) -> MemberID? {
        var id = [UInt8]()
        id.append(bigEndian: prefix)
        return MemberID(id + [UInt8](repeating: 0, count: 24))
    }
}
