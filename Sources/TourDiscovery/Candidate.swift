/// A record found on the network, nothing more: anybody can publish one. Identity comes from the handshake only.
package struct Candidate: Sendable, Hashable {
    /// A random name of at most 63 bytes. A node with several interfaces has one for each.
    package let instance: String
    /// The local interface it was heard on.
    package let interface: Int32
    /// Numeric; an IPv6 link-local address ends in `%` and the interface's name.
    package let address: String
    package let port: UInt16
    /// The protocol version it claims, 1…9999.
    package let version: Int
    /// At most `Limits.discoveryTagsMax`, in the order of the record.
    package let tags: [UInt64]

    package init(
        instance: String, interface: Int32, address: String, port: UInt16, version: Int, tags: [UInt64]
    ) {
        self.instance = instance
        self.interface = interface
        self.address = address
        self.port = port
        self.version = version
        self.tags = tags
    }
}
