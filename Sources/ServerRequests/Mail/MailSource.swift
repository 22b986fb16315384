import Foundation
import ServerBase

/// The sender of every mail, as people read it: an address, with or without a name.
package struct MailSource: Hashable, Sendable {
    /// The address.
    package let address: String
    /// The name before it; nil: none.
    package let name: String?

    /// - Parameter written: `x@example.org`, or `Tours <x@example.org>`.
    /// - Returns: nil for another form, and for a name beyond `ServerLimits.mailNameBytesMax`.
    package init?(_ written: String) {
        guard let match = written.wholeMatch(of: /\s*(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>\s]+))\s*/),
            let address = match.2 ?? match.3, EmailAddress(String(address)) != nil
        else { return nil }
        let name = match.1.map(String.init) ?? ""
        guard name.utf8.count <= ServerLimits.mailNameBytesMax,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self.address = String(address)
        self.name = name.isEmpty ? nil : name
    }

    /// The value of the field `From`.
    /// Source: RFC 5322, section 3.2.4, for names in ASCII; RFC 2047 for all others.
    var field: String {
        guard let name else { return "<\(address)>" }
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            return "\"\(name.replacing("\\", with: "\\\\"))\" <\(address)>"
        }
        return "=?UTF-8?B?\(Data(name.utf8).base64EncodedString())?= <\(address)>"
    }
}
