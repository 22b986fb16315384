/// A record found on the network, no more: anybody can publish one. Only the handshake proves an identity.
package struct Candidate: Sendable, Hashable {
    /// A random name of at most 63 bytes. A node with several interfaces has one for each.
    package let instance: String
    /// The local interface on which it was heard.
    package let interface: Int32
    /// The numeric address; an IPv6 link-local one ends in `%` and the interface's name.
    package let address: String
    /// The TCP port.
    package let port: UInt16
    /// The protocol version that it claims, 1…9999.
    package let version: Int
    /// At most `Limits.discoveryTagsMax`, in the order of the record.
    package let tags: [UInt64]
    /// Tours that one may ask there to join; at most `Limits.askTagsMax`, in the order of the record.
    package let asks: [UInt64]

    package init(
        instance: String, interface: Int32, address: String, port: UInt16, version: Int, tags: [UInt64],
        asks: [UInt64] = []
    ) {
        self.instance = instance
        self.interface = interface
        self.address = address
        self.port = port
        self.version = version
        self.tags = tags
        self.asks = asks
    }
}
