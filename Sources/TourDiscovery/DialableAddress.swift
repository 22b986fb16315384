import Glibc

/// The text of an address in a record, if it may be dialled: a record can contain any address.
package enum DialableAddress {
    /// - Parameters:
    ///   - bytes: 4 or 16 bytes as on the wire.
    ///   - zone: the name of the interface on which it was heard; appended to an IPv6 link-local address.
    ///   - isLoopback: whether that interface is the loopback; only there a loopback address is valid.
    /// - Returns: nil for anything but a single host's address: unspecified, multicast, broadcast, IPv4 embedded in
    ///   IPv6, and this machine's own loopback.
    package static func text(_ bytes: [UInt8], zone: String, isLoopback: Bool) -> String? {
        switch bytes.count {
        case 4:
            guard bytes[0] != 0, bytes[0] < 224, isLoopback || bytes[0] != 127 else { return nil }
            return numeric(AF_INET, bytes)
        case 16:
            let isLoopbackAddress = bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
            let isEmbedded = bytes.prefix(10).allSatisfy { $0 == 0 } && !isLoopbackAddress
            guard bytes[0] != 0xff, !isEmbedded, isLoopback || !isLoopbackAddress else { return nil }
            let isLinkLocal = bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80
            return numeric(AF_INET6, bytes).map { isLinkLocal ? "\($0)%\(zone)" : $0 }
        default: return nil
        }
    }

    private static func numeric(_ family: Int32, _ bytes: [UInt8]) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            inet_ntop(family, bytes, buffer.baseAddress, socklen_t(buffer.count)).map { String(cString: $0) }
        }
    }
}
