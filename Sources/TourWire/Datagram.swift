import TourModel

/// What one multicast datagram says. Only runs and rows prove themselves, by their signatures; the rest are hints of
/// whoever holds the epoch's key. Source: `Protocol/08-datagrams.md`.
package struct Datagram: Hashable, Sendable {
    /// Events asked for, by the author's prefix.
    package struct Gap: Hashable, Sendable {
        package var author: UInt64
        package var first: UInt64
        /// Inclusive.
        package var last: UInt64

        package init(author: UInt64, first: UInt64, last: UInt64) {
            self.author = author
            self.first = first
            self.last = last
        }
    }

    /// The prefix of the sender's member id.
    package var sender: UInt64
    /// One more with each datagram of this sender on this segment.
    package var counter: UInt64
    package var runs: [Run] = []
    package var rows: [ClaimRow] = []
    /// Short prefixes of members that the sender heard on this segment lately.
    package var heard: [UInt16] = []
    /// What the sender has stored, as far as there is room.
    package var heads: [PrefixedHead] = []
    package var gaps: [Gap] = []
    /// At most `Limits.castAsksMax`.
    package var castAsks: [CastAsk] = []
    /// Where the sender can be dialled, at the address that the datagram came from; 0 when it does not say.
    package var port = 0
    /// Of a thousand datagrams of others, how many the sender missed.
    package var lossPerMille = 0

    package init(sender: UInt64, counter: UInt64) {
        self.sender = sender
        self.counter = counter
    }

    /// The plaintext: payload length (2 bytes, big-endian), payload, zeros up to the padded size.
    /// - Returns: nil when it does not fit `Limits.datagramPlaintextBytesMax`.
    package func encode() -> [UInt8]? {
        PaddedPayload.encode(
            payload, atLeast: Limits.paddedDatagramBytesMin, atMost: Limits.datagramPlaintextBytesMax)
    }

    /// - Throws: `WireError.datagramMalformed` (scope record).
    package init(decoding plaintext: [UInt8]) throws(WireError) {
        guard
            let payload = PaddedPayload.decode(
                plaintext, atLeast: Limits.paddedDatagramBytesMin, atMost: Limits.datagramPlaintextBytesMax),
            let value = Datagram(payload: payload)
        else { throw .datagramMalformed }
        self = value
    }
}
