import Foundation
import HTTPTypes

/// The address by which clients reach the server, for answers that contain whole addresses.
package struct ServedAddress: Sendable {
    /// The operator's setting, without a slash at the end.
    private let fixed: String?
    private let isSecure: Bool
    private let isBehindProxy: Bool
    /// The server's own names, in lower case; empty: any.
    private let names: Set<String>

    /// - Parameter publicURL: nil: each answer uses the host that its request names.
    /// - Parameter isSecure: whether this process itself speaks TLS.
    /// - Parameter isBehindProxy: whether X-Forwarded-Proto is the word of the operator's proxy.
    /// - Parameter names: the server's own names; empty: any.
    package init(
        publicURL: String? = nil, isSecure: Bool = false, isBehindProxy: Bool = false, names: [String] = []
    ) {
        fixed = publicURL.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        self.isSecure = isSecure
        self.isBehindProxy = isBehindProxy
        self.names = Set(names.map { $0.lowercased() })
    }

    /// - Parameter host: in lower case.
    func isOwn(_ host: String) -> Bool { names.isEmpty || names.contains(host) }

    /// `https://example.org`: the operator's setting, else the host of the request. Empty for a request without a valid
    /// host: addresses are then relative.
    package func base(of head: HTTPRequest) -> String {
        if let fixed { return fixed }
        let host = head.authority ?? ""
        guard !host.isEmpty, host.utf8.allSatisfy(Self.isHost) else { return "" }
        let proxied = isBehindProxy ? head.headerFields[.forwardedProto]?.lowercased() : nil
        return (isSecure || proxied == "https" ? "https://" : "http://") + host
    }

    /// `example.org:8443`: the host of `base`, with its port if that is no default.
    package func host(of head: HTTPRequest) -> String {
        let address = base(of: head)
        guard let start = address.range(of: "://")?.upperBound else { return "" }
        return String(address[start...].prefix { $0 != "/" })
    }

    private static func isHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: ".-_:[]".utf8.contains(byte)
        }
    }
}

extension HTTPField.Name {
    static let forwardedProto = Self("X-Forwarded-Proto")!
}
