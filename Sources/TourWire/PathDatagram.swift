import SwiftProtobuf
import TourModel

/// The contents of one datagram to one neighbour: messages of the link, and an acknowledgement.
/// Source: `Protocol/08-datagrams.md`, "Paths".
package struct PathDatagram: Hashable, Sendable {
    /// Counts from 1, and stays the same when the datagram is sent again; 0 where there is nothing to acknowledge.
    package var number: UInt64
    /// How long the receiver may hold the acknowledgement back, in milliseconds, at most `Limits.pathPatienceMax`.
    package var patience = 0
    /// The messages.
    package var messages: [LinkMessage] = []
    /// The highest number received from the peer; 0 before any was.
    package var acknowledged: UInt64 = 0
    /// Bit i is set if the number `acknowledged` - 1 - i has not arrived.
    package var missing: UInt64 = 0
    /// The number that has just arrived and is acknowledged at once; 0: none. The peer measures the round trip with it.
    package var answered: UInt64 = 0
    /// Whether the receiver should acknowledge at once.
    package var asks = false

    package init(number: UInt64) { self.number = number }

    /// Padded like a multicast datagram, except for the minimum size: an acknowledgement is short, and its timing
    /// reveals it whatever its size.
    /// - Returns: nil when it does not fit `Limits.pathPlaintextBytesMax`.
    package func encode() -> [UInt8]? {
        PaddedPayload.encode(payload, atLeast: Limits.paddedPathBytesMin, atMost: Limits.pathPlaintextBytesMax)
    }

    /// - Throws: `WireError.datagramMalformed` (scope record).
    package init(decoding plaintext: [UInt8]) throws(WireError) {
        guard
            let payload = PaddedPayload.decode(
                plaintext, atLeast: Limits.paddedPathBytesMin, atMost: Limits.pathPlaintextBytesMax),
            let value = PathDatagram(payload: payload)
        else { throw .datagramMalformed }
        self = value
    }

    private var payload: [UInt8] {
        encoded(
            WirePathDatagram.with {
                $0.number = number
                $0.patience = UInt32(clamping: patience)
                $0.messages = messages.map(\.wire)
                $0.acknowledged = acknowledged
                $0.missing = missing
                $0.answered = answered
                $0.asks = asks
            })
    }

    private init?(payload: ArraySlice<UInt8>) {
        guard let wire = decoded(WirePathDatagram.self, payload), wire.patience <= Limits.pathPatienceMax else {
            return nil
        }
        self.init(number: wire.number)
        patience = Int(wire.patience)
        acknowledged = wire.acknowledged
        missing = wire.missing
        answered = wire.answered
        asks = wire.asks
        for message in wire.messages {
            // Kinds that this version does not know are ignored.
            guard message.kind != nil else { continue }
            guard let value = LinkMessage(message), value.mayGoByDatagram else { return nil }
            messages.append(value)
        }
    }
}

extension LinkMessage {
    /// Whether a datagram suits this kind, if it is short enough. All other kinds are long or rare, and use the
    /// connection.
    package var mayGoByDatagram: Bool {
        switch self {
        case .run(let run): run.pushed
        case .rows, .have, .want, .prune: true
        default: false
        }
    }
}

/// A payload preceded by its length, with zeros up to a padded size.
enum PaddedPayload {
    private static let prefixLength = 2

    /// - Returns: nil when the payload does not fit.
    static func encode(_ payload: [UInt8], atLeast least: Int, atMost most: Int) -> [UInt8]? {
        let size = Padding.size(prefixLength + payload.count, atLeast: least)
        guard size <= most else { return nil }
        var plaintext = [UInt8]()
        plaintext.reserveCapacity(size)
        plaintext.append(bigEndian: UInt16(payload.count))
        plaintext += payload
        plaintext.append(contentsOf: repeatElement(0, count: size - plaintext.count))
        return plaintext
    }

    /// - Returns: nil unless the plaintext is exactly what `encode` makes of the payload.
    static func decode(_ plaintext: [UInt8], atLeast least: Int, atMost most: Int) -> ArraySlice<UInt8>? {
        guard plaintext.count >= prefixLength, plaintext.count <= most else { return nil }
        let end = prefixLength + (Int(plaintext[0]) << 8 | Int(plaintext[1]))
        guard plaintext.count == Padding.size(end, atLeast: least), plaintext[end...].allSatisfy({ $0 == 0 }) else {
            return nil
        }
        return plaintext[prefixLength..<end]
    }
}
