import FuzzDriver
import FuzzSupport
import TourCrypto
import TourModel
import TourWire

/// An event's exact bytes: what is read is written as it was, byte for byte.
enum EventHarness {
    static func run(_ bytes: [UInt8]) {
        let event = roundTrip(bytes, decode: { try? RawEvent(decoding: $0) }, encode: { $0.encode() })
        guard let event else { return }
        check(event.encode() == bytes, "an event is not written as it was read")
        let identity = SigningKeyPair(seed: SecretBytes([UInt8](repeating: 1, count: 32))).publicKey
        _ = try? VerifiedRun(header: event.header, bytes: bytes, identity: identity)
    }
}

/// What a control event says.
enum ControlBodyHarness {
    static func run(_ bytes: [UInt8]) {
        let body = roundTrip(
            bytes, memoryFactor: listMemoryFactor, decode: { try? ControlBody(decoding: $0) },
            encode: { $0 == .unknown ? nil : $0.encode() })
        guard case .admit(let request) = body else { return }
        check(!request.isSigned(tour: .none), "a request of nobody is signed")
    }
}

/// What a sealed event says, once opened.
enum ContentHarness {
    private static let secret = SecretBytes([UInt8](repeating: 1, count: SeatKeys.secretBytes))

    static func run(_ bytes: [UInt8]) {
        let content = roundTrip(
            bytes, decode: { try? Content(decoding: $0) }, encode: { $0 == .unsupported ? nil : $0.encode() })
        switch content {
        case .seat(let record):
            check(record.keys.count == SeatRecord.keysBytes, "keys of \(record.keys.count) bytes")
            let pair = try? SeatKeys.open(record.keys, under: secret, tour: .none, member: record.host)
            check(pair == nil, "a secret opens what nobody sealed under it")
        case .seatHost(let host):
            check(
                host.addresses.count <= SeatHost.addressesMax
                    && host.addresses.allSatisfy { (1...SeatHost.addressBytesMax).contains($0.utf8.count) },
                "a host's addresses are beyond their bounds")
        default: break
        }
    }
}
