import TourCrypto
import TourGossip
import TourModel

/// What a guide passes on: a code, bare or in a `tour-chat://join/…` link with addresses of members.
package struct InviteLink {
    /// The code.
    package let code: InviteCode
    /// The addresses in the link.
    package let addresses: [Dialer.Address]

    private static let start = "tour-chat://join/"
    /// A code and eight addresses take a third of it.
    private static let bytesMax = 2_048
    private static let addressesMax = 8

    package init(code: InviteCode, addresses: [Dialer.Address]) {
        self.code = code
        self.addresses = Array(addresses.prefix(Self.addressesMax))
    }

    /// The link: `tour-chat://join/CODE?a=HOST:PORT&a=…`.
    package var text: String {
        let places = addresses.map { "a=\($0)" }
        return Self.start + code.compact + (places.isEmpty ? "" : "?" + places.joined(separator: "&"))
    }

    /// - Throws: `InviteCodeError` for a malformed code.
    package init(parsing typed: String) throws {
        let text = typed.withoutInvisibleMarks
        guard text.lowercased().hasPrefix(Self.start) else {
            code = try InviteCode(parsing: text)
            addresses = []
            return
        }
        let rest = text.dropFirst(Self.start.count)
        let parts = rest.split(separator: "?", maxSplits: 1)
        code = try InviteCode(parsing: String(parts.first ?? ""))
        addresses = (parts.count > 1 ? parts[1].split(separator: "&") : [])
            .filter { $0.hasPrefix("a=") }
            .prefix(Self.addressesMax)
            .compactMap { Dialer.Address(String($0.dropFirst(2))) }
    }

    /// Whether this is a link with a code that was copied correctly; a bare code is none.
    package static func isLink(_ text: String) -> Bool {
        text.utf8.count <= bytesMax && text.withoutInvisibleMarks.lowercased().hasPrefix(start)
            && (try? InviteLink(parsing: text)) != nil
    }
}
