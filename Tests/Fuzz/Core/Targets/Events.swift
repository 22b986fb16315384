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
    static func run(_ bytes: [UInt8]) {
        roundTrip(bytes, decode: { try? Content(decoding: $0) }, encode: { $0 == .unsupported ? nil : $0.encode() })
    }
}
