import TourModel

/// RFC 4648 base32, upper case, without padding, as people type it.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// - Parameter bytes: a multiple of five, so that no padding is needed.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var letters = [UInt8]()
        var pending: UInt32 = 0
        var bits = 0
        for byte in bytes {
            pending = (pending << 8 | UInt32(byte)) & 0xFFF
            bits += 8
            while bits >= 5 {
                bits -= 5
                letters.append(alphabet[Int(pending >> UInt32(bits) & 31)])
            }
        }
        precondition(bits == 0, "only whole groups of five bytes are encoded")
        return String(decoding: letters, as: UTF8.self)
    }

    /// The five-bit values of the letters. Case, white space and every kind of dash are ignored; 0, 1 and 8, which the
    /// alphabet lacks, read as the similar O, I and B.
    /// - Returns: nil when the text has any other character.
    package static func values(of text: String) -> [UInt8]? {
        var values = [UInt8]()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z": values.append(UInt8(scalar.value - 97))
            case "A"..."Z": values.append(UInt8(scalar.value - 65))
            case "2"..."7": values.append(UInt8(scalar.value - 50 + 26))
            case "0": values.append(14)
            case "1": values.append(8)
            case "8": values.append(1)
            case "-", "\u{2010}"..."\u{2015}", "\u{2212}": continue
            default: if !scalar.properties.isWhitespace, !scalar.isInvisibleMark { return nil }
            }
        }
        return values
    }

    /// - Parameter values: five bits each; their number is a multiple of eight.
    package static func bytes(of values: [UInt8]) -> [UInt8] {
        var bytes = [UInt8]()
        var pending: UInt32 = 0
        var bits = 0
        for value in values {
            pending = (pending << 5 | UInt32(value)) & 0xFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
            }
        }
        return bytes
    }
}
