import TourModel

/// A member's signed claim of what it holds. Source: `Protocol/06-replication.md`.
package struct FrontierRecord: Hashable, Sendable {
    /// The member that signed the claim.
    package let member: MemberID
    /// The counter of the row; later rows have higher ones.
    package let counter: UInt64
    /// The exact bytes that were signed.
    package let bytes: [UInt8]
    /// 64 bytes, stored as given: the caller has verified it.
    package let signature: [UInt8]
    /// When it arrived, in microseconds since 1970 by this node's clock.
    package let receivedAt: Int64

    package init(member: MemberID, counter: UInt64, bytes: [UInt8], signature: [UInt8], receivedAt: Int64) {
        self.member = member
        self.counter = counter
        self.bytes = bytes
        self.signature = signature
        self.receivedAt = receivedAt
    }
}

/// How far one author's messages have got, as sequences that never decrease. Values above 2^63 - 1 are stored as that.
package struct Watermark: Hashable, Sendable {
    /// The author of the messages.
    package let author: MemberID
    /// Sent to at least one other member.
    package var sentThrough: UInt64
    /// Held by every recipient.
    package var deliveredThrough: UInt64
    /// Read by every recipient.
    package var readThrough: UInt64
    /// Held by peers, as a link last reported.
    package var syncedThrough: UInt64

    package init(
        author: MemberID, sentThrough: UInt64 = 0, deliveredThrough: UInt64 = 0, readThrough: UInt64 = 0,
        syncedThrough: UInt64 = 0
    ) {
        self.author = author
        self.sentThrough = sentThrough
        self.deliveredThrough = deliveredThrough
        self.readThrough = readThrough
        self.syncedThrough = syncedThrough
    }
}

/// An address at which a peer of a tour once answered.
package struct RememberedAddress: Hashable, Sendable {
    /// A numeric IPv4 or IPv6 address, or a host name.
    package let address: String
    /// The TCP port.
    package let port: UInt16
    /// When it was last used, in milliseconds since 1970.
    package let usedAt: Int64

    package init(address: String, port: UInt16, usedAt: Int64) {
        self.address = address
        self.port = port
        self.usedAt = usedAt
    }
}
