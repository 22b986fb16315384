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
