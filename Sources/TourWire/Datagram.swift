import TourModel

/// The contents of one multicast datagram. Signatures prove only runs and rows; the rest are hints from anybody that
/// holds the epoch's key. Source: `Protocol/08-datagrams.md`.
package struct Datagram: Hashable, Sendable {
    /// Events that the sender asks for.
    package struct Gap: Hashable, Sendable {
        /// The prefix of the log's author.
        package var author: UInt64
        /// The first sequence.
        package var first: UInt64
        /// The last sequence, inclusive.
        package var last: UInt64

        package init(author: UInt64, first: UInt64, last: UInt64) {
            self.author = author
            self.first = first
            self.last = last
        }
    }

    /// The prefix of the sender's member id.
    package var sender: UInt64
    /// Increases by one with each datagram of this sender on this segment.
    package var counter: UInt64
    /// Live events.
    package var runs: [Run] = []
    /// Claim rows.
    package var rows: [ClaimRow] = []
    /// Short prefixes of members that the sender heard lately on this segment.
    package var heard: [UInt16] = []
    /// The sender's stored heads, as far as there is room.
    package var heads: [PrefixedHead] = []
    /// Events that the sender asks for.
    package var gaps: [Gap] = []
    /// The sender's needs of casts, at most `Limits.castAsksMax`.
    package var castAsks: [CastAsk] = []
    /// The port on which the sender can be dialled, at the datagram's source address; 0 if it does not say.
    package var port = 0
    /// How many of a thousand datagrams of others the sender missed.
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
