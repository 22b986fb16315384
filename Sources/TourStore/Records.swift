import TourModel

/// A member's signed claim about what it holds. Source: `Protocol/06-replication.md`.
package struct FrontierRecord: Hashable, Sendable {
    /// Whose claim it is.
    package let member: MemberID
    /// The member's clock when it made the row; a later one is higher.
    package let counter: UInt64
    /// The exact bytes that were signed.
    package let bytes: [UInt8]
    /// 64 bytes, kept as given: whoever hands the row in has checked it.
    package let signature: [UInt8]
    /// Microseconds since 1970 when it came, by this node's clock.
    package let receivedAt: Int64

    package init(member: MemberID, counter: UInt64, bytes: [UInt8], signature: [UInt8], receivedAt: Int64) {
        self.member = member
        self.counter = counter
        self.bytes = bytes
        self.signature = signature
        self.receivedAt = receivedAt
    }
}

/// How far one author's messages got, as sequences; none ever goes down. Values above 2^63 - 1 are kept as that.
package struct Watermark: Hashable, Sendable {
    /// Whose messages.
    package let author: MemberID
    /// Handed to at least one other member.
    package var sentThrough: UInt64
    /// Held by everyone it is meant for.
    package var deliveredThrough: UInt64
    /// Read by everyone it is meant for.
    package var readThrough: UInt64
    /// Known to be held by peers when a link last said so.
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

/// Where a peer of a tour once answered.
package struct RememberedAddress: Hashable, Sendable {
    /// A numeric IPv4 or IPv6 address, or a host name.
    package let address: String
    /// TCP.
    package let port: UInt16
    /// Milliseconds since 1970.
    package let usedAt: Int64

    package init(address: String, port: UInt16, usedAt: Int64) {
        self.address = address
        self.port = port
        self.usedAt = usedAt
    }
}
