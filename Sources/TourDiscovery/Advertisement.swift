/// A node's announcement on the local network: its port, and tags that only insiders can read.
package struct Advertisement: Sendable, Equatable {
    /// The TCP port of the listener; 0 is never published.
    package var port: UInt16
    /// At most `Limits.discoveryTagsMax`; any more are left out. Source: `Protocol/02-discovery.md`.
    package var tags: [UInt64]
    /// Tours that anybody may ask here to join; at most `Limits.askTagsMax`. Source: `Protocol/14-asking.md`.
    package var asks: [UInt64]

    /// A name of this machine beside those of the service, its first label: for browsers, which know no service. The
    /// domain is `local`.
    package var host: String?

    package init(port: UInt16, tags: [UInt64] = [], asks: [UInt64] = [], host: String? = nil) {
        self.port = port
        self.tags = tags
        self.asks = asks
        self.host = host
    }
}
