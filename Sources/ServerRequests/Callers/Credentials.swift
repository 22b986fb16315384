import Foundation
import ServerBase

/// An e-mail address, trimmed and in lower case, so that each address belongs to one account.
package struct EmailAddress: Hashable, Sendable {
    /// The address, trimmed and in lower case.
    package let text: String

    /// - Returns: nil unless exactly one `@` separates two nonempty parts, without white space or control characters,
    ///   in at most `ServerLimits.emailBytesMax` bytes.
    package init?(_ written: String) {
        let text = written.trimmed.lowercased()
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= ServerLimits.emailBytesMax, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
            !text.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7F })
        else { return nil }
        self.text = text
    }
}

/// A phone number as ITU-T E.164 writes it: `+` and digits.
package struct PhoneNumber: Hashable, Sendable {
    /// `+` and the digits alone.
    package let text: String

    /// - Returns: nil unless a `+` and 8 to 15 digits are left, the first not 0, once spaces, dashes, dots and
    ///   parentheses are removed.
    package init?(_ written: String) {
        let kept = written.filter { !" -.()".contains($0) }
        let digits = kept.dropFirst()
        guard written.utf8.count <= 40, kept.hasPrefix("+"), digits.first != "0",
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            ServerLimits.phoneDigits.contains(digits.utf8.count)
        else { return nil }
        text = kept
    }
}

/// A password normalised to one form, so that every keyboard produces the same bytes. Never printed, never stored.
/// Source: RFC 8265, section 4.2, without the check for unassigned code points.
package struct Password: Sendable, CustomStringConvertible {
    let bytes: [UInt8]
    /// The bytes as they were typed, where they differ from `bytes`: earlier versions hashed passwords without
    /// normalising.
    let typed: [UInt8]?

    /// - Returns: nil for fewer than 8 characters or more than 256 bytes.
    package init?(_ text: String) {
        guard text.count >= ServerLimits.passwordCharactersMin, text.utf8.count <= ServerLimits.passwordBytesMax else {
            return nil
        }
        let spaces = String(text.map { $0.unicodeScalars.count == 1 && $0.isSpace ? " " : $0 })
        bytes = Array(spaces.precomposedStringWithCanonicalMapping.utf8)
        typed = bytes == Array(text.utf8) ? nil : Array(text.utf8)
    }

    package var description: String { "a password" }
}

/// Six digits that the server sent to a phone or an e-mail address.
package struct SMSCode: Sendable, CustomStringConvertible {
    /// The six digits.
    package let digits: String

    package init(exactly digits: String) { self.digits = digits }

    package init?(_ written: String) {
        let kept = written.trimmed
        guard kept.utf8.count == 6,
            kept.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        digits = kept
    }

    package var description: String { "a code" }
}

/// A value that clients write as one string and the server may reject: a decoder then names the field.
package protocol WrittenValue: Decodable {
    init?(_ written: String)
}

extension WrittenValue {
    /// - Throws: a data-corrupted error at the field whose string is not valid.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not valid")
        }
        self = value
    }
}

extension EmailAddress: WrittenValue {}
extension PhoneNumber: WrittenValue {}
extension Password: WrittenValue {}
extension SMSCode: WrittenValue {}

extension Character {
    /// A space of any width. Source: Unicode, general category Zs.
    fileprivate var isSpace: Bool { unicodeScalars.first?.properties.generalCategory == .spaceSeparator }
}

extension String {
    fileprivate var trimmed: String {
        let rest = drop { $0.isWhitespace }
        return String(rest[..<(rest.lastIndex { !$0.isWhitespace }.map(rest.index(after:)) ?? rest.startIndex)])
    }
}
