import Foundation
import ServerBase
import ServerStorage
import TourModel

/// An e-mail address in one form, however it was typed, so that each address belongs to one account.
/// Source: `Protocol/10-server.md`, "E-mail addresses".
package struct EmailAddress: Sendable {
    /// The address, trimmed, in lower case and in `typedForm`.
    package let text: String
    /// The form of earlier versions, where it differs: trimmed and in lower case alone. It only finds what is stored.
    package let olderText: String?

    /// - Returns: nil unless exactly one `@` separates two nonempty parts, without white space or control characters,
    ///   in at most `ServerLimits.emailBytesMax` bytes.
    package init?(_ written: String) {
        let text = written.typedForm.trimmed.lowercased().precomposedStringWithCanonicalMapping
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= ServerLimits.emailBytesMax, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
            !text.unicodeScalars.contains(where: {
                $0.properties.isWhitespace || [.control, .format].contains($0.properties.generalCategory)
            })
        else { return nil }
        self.text = text
        let older = written.trimmed.lowercased()
        // Two strings that look alike are equal here, and their bytes are not.
        olderText = older.utf8.elementsEqual(text.utf8) ? nil : older
    }

    /// Brings the addresses of a table into today's form. Where another row has that form already, be it of before, a
    /// row stays as it is.
    /// - Parameter column: has the addresses, and perhaps other texts.
    /// - Parameter scope: the column within whose equal values an address is unique; nil: in the whole table.
    /// - Parameter order: which row comes first.
    package static func rewrite(
        _ column: String = "email", of holder: String, within scope: String? = nil, key: String, order: String,
        in sql: any SQL
    ) throws(Failure) {
        let rows = try sql.rows(
            "SELECT \(key), \(column) FROM \(holder) WHERE \(column) LIKE '%@%' ORDER BY \(order)", [])
        let isSame = scope.map { " AND other.\($0) = \(holder).\($0)" } ?? ""
        for row in rows {
            let stored = try row.text(1)
            guard let address = EmailAddress(stored), !address.text.utf8.elementsEqual(stored.utf8) else { continue }
            try sql.run(
                """
                UPDATE \(holder) SET \(column) = $1 WHERE \(key) = $2 AND NOT EXISTS (
                    SELECT 1 FROM \(holder) AS other WHERE other.\(column) = $3\(isSame))
                """, [.text(address.text), .integer(try row.integer(0)), .text(address.text)])
        }
    }
}

extension EmailAddress: Hashable {
    package static func == (one: Self, other: Self) -> Bool { one.text == other.text }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A phone number as ITU-T E.164 writes it: `+` and digits.
package struct PhoneNumber: Hashable, Sendable {
    /// `+` and the digits alone.
    package let text: String

    /// - Returns: nil unless a `+` and 8 to 15 digits are left, the first not 0, once spaces, dashes, dots,
    ///   parentheses and invisible marks are removed.
    package init?(_ written: String) {
        let kept = written.typedDigits.filter { !$0.isSpace && !$0.isDash && !".()".contains($0) }
        let digits = kept.dropFirst()
        guard written.unicodeScalars.count <= ServerLimits.phoneCharactersMax, kept.hasPrefix("+"), digits.first != "0",
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
        let kept = written.typedDigits.trimmed
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
    /// A hyphen or dash of any length. Source: Unicode, general category Pd.
    fileprivate var isDash: Bool { unicodeScalars.first?.properties.generalCategory == .dashPunctuation }
}

extension String {
    /// One form of what keyboards and clipboards make of a text: no characters that nobody sees (of zero width, marks
    /// of direction), letters, digits and signs of full width as those of ASCII, the full stops of East Asia as `.`,
    /// NFC.
    /// Source: UAX #44, Default_Ignorable_Code_Point; UAX #15; RFC 3490, section 3.1, for full stops.
    package var typedForm: String {
        var kept = String.UnicodeScalarView()
        for scalar in withoutInvisibleMarks.unicodeScalars {
            kept.append(["\u{3002}", "\u{FF61}"].contains(scalar) ? "." : scalar.narrow)
        }
        return String(kept).precomposedStringWithCanonicalMapping
    }

    /// `typedForm` with the decimal digits of every script as 0 to 9.
    package var typedDigits: String {
        String(String.UnicodeScalarView(typedForm.unicodeScalars.map { $0.digit ?? $0 }))
    }

    fileprivate var trimmed: String {
        let rest = drop { $0.isWhitespace }
        return String(rest[..<(rest.lastIndex { !$0.isWhitespace }.map(rest.index(after:)) ?? rest.startIndex)])
    }
}
