import TourModel

/// The plaintext of one link frame: a piece of a message, padded. Source: `Protocol/04-framing.md`, "Plaintext".
///
/// ```
/// offset size
///      0    1  flags: bit 0 more slices follow, bits 1-3 lane (0...4), others zero
///      1    2  payload length, big-endian, 0...16384; 0 only where no more slices follow
///      3    n  payload
///    3+n       zeros up to Padmé(max(256, 3 + n))
/// ```
package struct Slice: Hashable, Sendable {
    /// The length of flags and payload length in bytes.
    package static let prefixLength = 3

    /// The message's lane.
    package var lane: Lane
    /// Whether more slices of the same message follow in this lane.
    package var more: Bool
    /// The piece of the message.
    package var payload: ArraySlice<UInt8>

    package init(lane: Lane, more: Bool, payload: ArraySlice<UInt8>) {
        precondition(payload.count <= Limits.slicePayloadBytesMax, "a slice is at most 16 KiB")
        self.lane = lane
        self.more = more
        self.payload = payload
    }

    /// - Throws: `WireError.frameMalformed` (scope link).
    package init(decoding plaintext: [UInt8]) throws(WireError) {
        // A bit above those of the lane yields a number that no lane has.
        guard plaintext.count >= Self.prefixLength, let lane = Lane(rawValue: plaintext[0] >> 1) else {
            throw .frameMalformed
        }
        let length = Int(plaintext[1]) << 8 | Int(plaintext[2])
        let end = Self.prefixLength + length
        let more = plaintext[0] & 1 == 1
        // One that brings nothing and goes on would cost its reader work without end.
        guard length > 0 || !more, length <= Limits.slicePayloadBytesMax, plaintext.count == Padding.size(end),
            plaintext[end...].allSatisfy({ $0 == 0 })
        else { throw .frameMalformed }
        self.lane = lane
        self.more = more
        payload = plaintext[Self.prefixLength..<end]
    }

    /// The padded plaintext.
    package func encode() -> [UInt8] {
        let size = Padding.size(Self.prefixLength + payload.count)
        var plaintext = [UInt8]()
        plaintext.reserveCapacity(size)
        plaintext.append(lane.rawValue << 1 | (more ? 1 : 0))
        plaintext.append(bigEndian: UInt16(payload.count))
        plaintext.append(contentsOf: payload)
        plaintext.append(contentsOf: repeatElement(0, count: size - plaintext.count))
        return plaintext
    }
}
