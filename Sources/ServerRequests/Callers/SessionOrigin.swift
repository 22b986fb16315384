import HTTPTypes
import ServerBase

/// Where a session was last used, in words by which its owner recognises it.
package struct SessionOrigin: Hashable, Sendable {
    /// The program and system, as `Firefox, Linux`; nil where the client names neither.
    let device: String?
    /// The network: of IPv4 the first 24 bits, of IPv6 the first 48; nil where the address cannot be read. Enough to
    /// tell a hotel from home, and no person's address.
    let network: String?

    package init(_ call: Call) {
        device = DeviceWords.of(call.head.headerFields[.userAgent] ?? "")
        network = Self.network(of: call.address)
    }

    /// The network of an address; nil where that cannot be read.
    /// - Parameter address: as `ClientAddress` names it.
    package static func network(of address: String) -> String? {
        let bytes = address.split(separator: ".", omittingEmptySubsequences: false)
        if bytes.count == 4, bytes.allSatisfy({ UInt8($0) != nil }) {
            return bytes.prefix(3).joined(separator: ".") + ".0/24"
        }
        guard address.hasSuffix("::/64") else { return address == "::1" ? "::1/128" : nil }
        let groups = address.dropLast("::/64".count).split(separator: ":")
        return groups.prefix(3).joined(separator: ":") + "::/48"
    }
}

/// The program and the system that a User-Agent header names.
/// Source: RFC 9110, section 10.1.5.
package enum DeviceWords {
    /// By a mark in the header; the first that is found counts, since browsers name each other.
    private static let programs = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
        ("Macintosh", "Mac"), ("Darwin/", "Apple"), ("Linux", "Linux"),
    ]

    /// The words for a header.
    /// - Returns: at most `ServerLimits.deviceWordsMax` characters of ASCII; nil for a header that names nothing.
    package static func of(_ header: String) -> String? {
        let text = header.prefix(ServerLimits.userAgentCharactersRead)
        // Other programs begin with their own name.
        let own = text.prefix { $0 != "/" && $0 != " " && $0 != "(" }
            .filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        let program = programs.first { text.contains($0.0) }?.1 ?? (own == "Mozilla" || own.isEmpty ? nil : own)
        let system = systems.first { text.contains($0.0) }?.1
        let words = [program.map { String($0) }, system].compactMap(\.self).joined(separator: ", ")
        return words.isEmpty ? nil : String(words.prefix(ServerLimits.deviceWordsMax))
    }
}
