import NIOCore

/// Addresses of connections at the door for guests, as texts.
package enum GuestAddress {
    /// An address without its port: that of a phone, by which it is counted.
    package static func host(of address: SocketAddress?) -> String { literal(address?.ipAddress ?? "") }

    /// Whether an address, without its port, is that of this machine to itself.
    package static func isThisMachine(_ host: String) -> Bool { host.hasPrefix("127.") || host == "::1" }

    /// An address with its port, as a URL has it: `10.42.0.1:8480`, `[fd00::1]:8480`.
    package static func authority(of address: SocketAddress?) -> String {
        let host = host(of: address)
        let port = address?.port ?? 0
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// A socket for both families shows IPv4 addresses inside of IPv6; URLs know no zones.
    private static func literal(_ text: String) -> String {
        let mapped = "::ffff:"
        let bare = text.lowercased().prefix { $0 != "%" }
        return String(bare.hasPrefix(mapped) && bare.contains(".") ? bare.dropFirst(mapped.count) : bare)
    }

    /// Whether a `Host` is a name of this door: where the request arrived, or a name that mDNS gives in the local
    /// network. A page of another site whose name was made to point here shows its own name. A channel needs the key
    /// of the code, and no browser adds anything to a request by itself; so this only keeps what is not for us apart.
    package static func isOurs(_ host: String?, door: String) -> Bool {
        guard let host = host?.lowercased() else { return true }
        if host == door { return true }
        let name = host.prefix { $0 != ":" }
        return name.hasSuffix(".local") && name.count > ".local".count
    }
}
