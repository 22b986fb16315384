import TourModel

/// A server's address: an origin, and perhaps a path in front of all its own. Source: `Protocol/09-mailbox.md`,
/// "Common".
package struct MailboxBase: Hashable, Sendable, CustomStringConvertible {
    /// With its default port, 443 or 80.
    package enum Scheme: String, Sendable {
        case http, https

        var port: Int { self == .http ? 80 : 443 }
    }

    package let scheme: Scheme
    /// The `Host` header: the name in lower case, with the port unless it is the scheme's default.
    package let host: String
    /// Empty, or with a slash in front and none at the end.
    package let path: String

    /// - Throws: `APIError.invalidURL` for a text that is no `https` or `http` URL, or one with a user, query or
    ///   fragment.
    package init(_ text: String) throws(APIError) {
        guard let (scheme, rest) = Self.split(text), rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            !rest.contains(where: { "@?#\\\"<>".contains($0) })
        else { throw .invalidURL }
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        var path = String(rest[end...])
        while path.hasSuffix("/") { path.removeLast() }
        self.scheme = scheme
        self.path = path
        host = try Self.host(rest[..<end].lowercased(), scheme)
    }

    private static func split(_ text: String) -> (Scheme, Substring)? {
        for scheme in [Scheme.https, .http] where text.lowercased().hasPrefix(scheme.rawValue + "://") {
            return (scheme, text.dropFirst(scheme.rawValue.count + 3))
        }
        return nil
    }

    private static func host(_ authority: String, _ scheme: Scheme) throws(APIError) -> String {
        var name = authority
        var port: Int?
        // The last colon after a bracket, or the only one, begins the port.
        let afterName = name.lastIndex(of: "]") ?? name.startIndex
        if let colon = name[afterName...].lastIndex(of: ":") {
            guard let number = UInt16(name[name.index(after: colon)...]), number > 0 else { throw .invalidURL }
            port = Int(number)
            name = String(name[..<colon])
        }
        let isBracketed = name.hasPrefix("[") && name.hasSuffix("]") && name.count > 2
        guard !name.isEmpty, isBracketed || !name.contains(where: { ":[]".contains($0) }) else { throw .invalidURL }
        return port == nil || port == scheme.port ? name : "\(name):\(port ?? 0)"
    }

    /// The full address of a path that begins with a slash.
    func address(of path: String) -> String { "\(scheme.rawValue)://\(host)\(self.path)\(path)" }

    package var description: String { "\(scheme.rawValue)://\(host)\(path)" }
}
