/// The address of gpsd.
package struct GpsdAddress: Hashable, Sendable {
    /// The host.
    package let host: String
    /// The TCP port.
    package let port: Int

    /// This machine, at gpsd's default port. Source: gpsd(8).
    package static let usual = GpsdAddress(host: "127.0.0.1", port: 2947)

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// - Parameter text: `HOST:PORT`, with an IPv6 address in brackets.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("[") {
            guard host.hasSuffix("]") else { return nil }
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { return nil }
        self.init(host: String(host), port: Int(port))
    }
}

extension GpsdAddress: CustomStringConvertible {
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
