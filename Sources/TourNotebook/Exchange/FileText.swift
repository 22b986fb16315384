/// The text of a file, from the encodings in which spreadsheets and maps write: UTF-8, UTF-16 with a byte order mark,
/// and Windows-1252. Source: Encoding Standard, "index-windows-1252"; the Unicode Standard, 3.10.
struct FileText {
    /// The text in UTF-8, without a byte order mark.
    let utf8: [UInt8]
    /// Whether nothing but the lack of another explanation says that the file is in Windows-1252.
    let isGuessed: Bool

    /// - Throws: `unreadable` for bytes that are no text.
    init(_ bytes: some Collection<UInt8>) throws(ImportFault) {
        let bytes = Array(bytes)
        if let text = try Self.utf16(bytes) {
            (utf8, isGuessed) = (text, false)
            return
        }
        let rest = bytes.starts(with: Self.mark) ? Array(bytes.dropFirst(Self.mark.count)) : bytes
        // A text has no null characters; other files do.
        guard !rest.contains(0) else { throw .unreadable }
        isGuessed = String(validating: rest, as: UTF8.self) == nil
        utf8 = isGuessed ? Self.windows1252(rest) : rest
    }

    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// - Returns: nil for bytes without UTF-16's mark.
    /// - Throws: `malformed` for bytes with it that are no UTF-16.
    static func utf16(_ bytes: [UInt8]) throws(ImportFault) -> [UInt8]? {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return nil }
        let (low, high) = isLittle ? (0, 1) : (1, 0)
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + low])
        }
        guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
            throw .malformed(line: 1 + units.count { $0 == 0x0A })
        }
        return Array(text.utf8)
    }

    static func windows1252(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            guard byte >= 0x80 else {
                result.append(byte)
                continue
            }
            let scalar = byte < 0xA0 ? upper[Int(byte - 0x80)] : Unicode.Scalar(byte)
            result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        return result
    }

    /// The characters of the bytes 0x80 to 0x9F; five of these mean nothing.
    private static let upper = Array(
        "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)
}
