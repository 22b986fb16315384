import Glibc

/// A network of IPv4 or IPv6, or one address as the network of its own. IPv4 mapped into IPv6 is IPv4 here: a socket
/// for both has the one client under either form.
/// Source: RFC 4291, sections 2.3 and 2.5.5.2; RFC 4632, section 3.1.
package struct IPNetwork: Hashable, Sendable {
    /// 4 bytes or 16, with zeros behind the prefix.
    package let bytes: [UInt8]
    /// Bits of the prefix.
    package let length: Int

    /// - Parameter written: `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/32`; bits behind the prefix do not count.
    /// - Returns: nil for anything else.
    package init?(_ written: String) {
        let parts = written.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let bytes = Self.bytes(of: String(parts[0])) else { return nil }
        var length = bytes.count * 8
        if parts.count == 2 {
            guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let count = Int(parts[1]), count <= length
            else { return nil }
            length = count
        }
        self.init(bytes, length: length)
    }

    private init(_ bytes: [UInt8], length: Int) {
        let isMapped = bytes.count == 16 && length >= 96 && bytes.starts(with: Self.mapped)
        self.length = isMapped ? length - 96 : length
        var kept = isMapped ? Array(bytes[12...]) : bytes
        for index in kept.indices {
            let bits = min(max(self.length - index * 8, 0), 8)
            kept[index] &= ~UInt8(truncatingIfNeeded: 0xFF >> bits)
        }
        self.bytes = kept
    }

    /// The network of this length that it is in; nil if it is larger than that.
    package func within(_ length: Int) -> IPNetwork? {
        length <= self.length ? IPNetwork(bytes, length: length) : nil
    }

    /// Whether it is IPv6.
    package var isIPv6: Bool { bytes.count == 16 }

    private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    private static func bytes(of address: String) -> [UInt8]? {
        // A zero would end the text for inet_pton.
        guard !address.utf8.contains(0) else { return nil }
        var (four, sixteen) = ([UInt8](repeating: 0, count: 4), [UInt8](repeating: 0, count: 16))
        if inet_pton(AF_INET, address, &four) == 1 { return four }
        return inet_pton(AF_INET6, address, &sixteen) == 1 ? sixteen : nil
    }
}

extension IPNetwork: CustomStringConvertible {
    /// In the one form of RFC 5952; without the length for one address.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return length == bytes.count * 8 ? address : "\(address)/\(length)"
    }
}
