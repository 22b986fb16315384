import SwiftProtobuf
import TourModel

/// What one datagram to one neighbour says: messages as they go on the link to it, and which of its datagrams came.
/// Source: `Protocol/08-datagrams.md`, "Paths".
package struct PathDatagram: Hashable, Sendable {
    /// From 1, the same when it is sent again; 0 where there is nothing to acknowledge.
    package var number: UInt64
    /// How long the acknowledgement may be held back for others, in milliseconds, at most `Limits.pathPatienceMax`.
    package var patience = 0
    package var messages: [LinkMessage] = []
    /// The highest number that came of the peer; 0 before any did.
    package var acknowledged: UInt64 = 0
    /// Bit i: the number `acknowledged` - 1 - i did not come.
    package var missing: UInt64 = 0
    /// The number that came just now and is acknowledged at once; 0: none. From it the peer learns how long that takes.
    package var answered: UInt64 = 0
    /// A question: what came is to be said at once.
    package var asks = false

    package init(number: UInt64) { self.number = number }

    /// Padded as a multicast datagram is, but for the smallest size: an acknowledgement is short, and shows as one by
    /// the time at which it goes out whatever its size.
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
            // A kind that this version does not know is passed over.
            guard message.kind != nil else { continue }
            guard let value = LinkMessage(message), value.mayGoByDatagram else { return nil }
            messages.append(value)
        }
    }
}

extension LinkMessage {
    /// What is worth a datagram when it is short enough. All else goes over the connection: it is long or seldom.
    package var mayGoByDatagram: Bool {
        switch self {
        case .run(let run): run.pushed
        case .rows, .have, .want, .prune: true
        default: false
        }
    }
}

/// A payload behind its length, with zeros up to a padded size.
enum PaddedPayload {
    private static let prefixLength = 2

    /// - Returns: nil when it does not fit.
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
