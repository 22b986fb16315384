/// The place of a string in a JSON text whose scanner has read it.
package struct JSONText: Hashable, Sendable {
    /// The bytes between the quotes.
    let range: Range<Int>
    /// Whether the string has no escapes: then its bytes are the text itself.
    let isPlain: Bool

    /// The character behind a backslash, and the byte that it stands for.
    static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 0x08,
        UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]

    static func unit(_ digits: ArraySlice<UInt8>) -> UInt16? {
        var unit: UInt16 = 0
        for digit in digits {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(value)
        }
        return unit
    }

    /// The text in UTF-8, with its escapes resolved.
    /// - Parameter bytes: those of the scanner that read the string.
    package func content(in bytes: [UInt8]) -> ArraySlice<UInt8> {
        guard !isPlain else { return bytes[range] }
        var content = [UInt8]()
        var units = [UInt16]()
        var rest = bytes[range]
        func close() {
            content += String(decoding: units, as: UTF16.self).utf8
            units = []
        }
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let sign = rest.popFirst() else {
                close()
                content.append(byte)
                continue
            }
            if let unit = Self.unit(rest.prefix(4)), sign == UInt8(ascii: "u") {
                units.append(unit)
                rest = rest.dropFirst(4)
            } else {
                close()
                content.append(Self.escapes[sign] ?? sign)
            }
        }
        close()
        return content[...]
    }
}
