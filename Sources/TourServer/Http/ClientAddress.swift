import Glibc
import HTTPTypes
import NIOCore

/// By which name rates count a client.
enum ClientAddress {
    /// - Parameter isBehindProxy: whether a proxy of the operator stands in front, which writes the client's address at
    ///   the end of X-Forwarded-For; what stands before it is the client's own word.
    static func name(of head: HTTPRequest, from remote: SocketAddress?, isBehindProxy: Bool) -> String {
        if isBehindProxy, let header = head.headerFields[.forwardedFor],
            let last = header.split(separator: ",").last?.filter({ !$0.isWhitespace }),
            let address = try? SocketAddress(ipAddress: last, port: 0)
        {
            return name(of: address)
        }
        return remote.map(name(of:)) ?? "unknown"
    }

    static func isThisMachine(_ name: String) -> Bool { name.hasPrefix("127.") || name == loopback6 }

    private static let loopback6 = "::1"

    /// IPv4 whole, also inside IPv6; of IPv6 the first 64 bits, since a client has all addresses below them.
    private static func name(of address: SocketAddress) -> String {
        guard let text = address.ipAddress else { return "unknown" }
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

extension HTTPField.Name {
    static let forwardedFor = Self("X-Forwarded-For")!
    static let requestID = Self("X-Request-Id")!
    static let idempotencyKey = Self("Idempotency-Key")!
    static let idempotencyReplayed = Self("Idempotency-Replayed")!
}
