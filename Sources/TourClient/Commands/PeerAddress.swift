/// `HOST:PORT`, with an IPv6 address in brackets.
package enum PeerAddress {
    package static func isValid(_ text: String) -> Bool {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
            return false
        }
        let host = text[..<colon]
        if host.hasPrefix("[") { return host.hasSuffix("]") && host.count > 2 }
        return !host.isEmpty && !host.contains(":") && !host.contains(where: \.isWhitespace)
    }
}
