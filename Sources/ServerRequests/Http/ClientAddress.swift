import Glibc
import HTTPTypes
import NIOCore

/// The address of a client, and the name under which rate limits count it.
package enum ClientAddress {
    /// - Parameter isBehindProxy: whether the operator runs a proxy in front, which appends the client's address to
    ///   X-Forwarded-For; the client may have written anything before that last entry.
    /// - Returns: nil where it cannot be read.
    static func address(of head: HTTPRequest, from remote: SocketAddress?, isBehindProxy: Bool) -> SocketAddress? {
        guard isBehindProxy, let header = head.headerFields[.forwardedFor] else { return remote }
        // The request came through the proxy: whatever the header says, the proxy's own machine is not the client.
        let last = header.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
        return try? SocketAddress(ipAddress: bare(last), port: 0)
    }

    /// All clients whose address cannot be read share one name.
    static let unknown = "unknown"

    /// An address as proxies write it, which may have a port, brackets or quotation marks.
    /// Source: RFC 7239, section 6.
    private static func bare(_ written: Substring) -> String {
        let text = written.filter { !$0.isWhitespace && $0 != "\"" }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            return String(text[text.index(after: text.startIndex)..<end])
        }
        // More than one colon: IPv6 without a port.
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? String(parts[0]) : text
    }

    /// Whether a client's address, as `name` has it, is one of this machine's own loopback.
    package static func isThisMachine(_ name: String) -> Bool { name.hasPrefix("127.") || name == loopback6 }

    private static let loopback6 = "::1"

    /// IPv4 addresses whole, also those mapped into IPv6; the first 64 bits of other IPv6 addresses, since one client
    /// holds all addresses of a prefix.
    static func name(of address: SocketAddress) -> String {
        guard let text = address.ipAddress else { return unknown }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return text }
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return bytes[12...].map { String($0) }.joined(separator: ".")
        }
        if bytes.dropLast().allSatisfy({ $0 == 0 }), bytes.last == 1 { return loopback6 }
        return stride(from: 0, to: 8, by: 2)
            .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":") + "::/64"
    }
}

extension ClientAddress {
    /// A network around a client.
    struct Network: Hashable, Sendable {
        let name: String
        /// How many times as much as one client it may have.
        let times: Int64
    }

    /// The first 56 and 48 bits of an IPv6 client: what providers give to households, and to companies; none for
    /// other clients.
    /// - Parameter client: as `name(of:)` has it.
    /// Source: RFC 6177, sections 2 and 3.
    static func networks(of client: String) -> [Network] {
        let groups = client.split(separator: ":", omittingEmptySubsequences: false)
        guard client.hasSuffix("::/64"), groups.count == 6, let fourth = UInt16(groups[3], radix: 16) else { return [] }
        let site = groups[..<3].joined(separator: ":")
        return [
            Network(name: site + ":" + String(fourth & 0xFF00, radix: 16) + "::/56", times: 4),
            Network(name: site + "::/48", times: 16),
        ]
    }
}

extension HTTPField.Name {
    static let forwardedFor = Self("X-Forwarded-For")!
    static let requestID = Self("X-Request-Id")!
    static let idempotencyKey = Self("Idempotency-Key")!
    static let idempotencyReplayed = Self("Idempotency-Replayed")!
}
