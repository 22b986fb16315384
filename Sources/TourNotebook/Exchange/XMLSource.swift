/// The text of an XML document as the parser reads it: in UTF-8, from its first mark on, and with numbers in place of
/// HTML's names of characters, of which XML knows five. Source: Extensible Markup Language 1.0, 4.3.3 and appendix F.
struct XMLSource {
    /// The text.
    private(set) var utf8: [UInt8]
    /// The lines before its first one, which were passed over.
    private(set) var linesBefore = 0

    /// - Throws: `encoding` for one that is not read, `malformed` for bytes that are not what they begin as.
    init(_ bytes: [UInt8]) throws(ImportFault) {
        let marked = Self.isUTF16WithoutMark(bytes).map { ($0 ? [0xFF, 0xFE] : [0xFE, 0xFF]) + bytes } ?? bytes
        let wide = try FileText.utf16(marked)
        utf8 = wide ?? bytes
        if utf8.starts(with: FileText.mark) { utf8.removeFirst(FileText.mark.count) }
        let space = utf8.prefix { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        linesBefore = space.count { $0 == 0x0A }
        utf8.removeFirst(space.count)
        if wide == nil, let name = Self.encoding(of: utf8) {
            switch name.lowercased() {
            case "utf-8", "utf8", "utf-16", "us-ascii", "ascii": break
            case "windows-1252", "cp1252", "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1":
                utf8 = FileText.windows1252(utf8)
            default: throw .encoding(name: name)
            }
        }
        utf8 = Self.numbered(utf8)
    }

    /// - Returns: whether the low byte is first; nil for anything else than `<` and another character in UTF-16.
    private static func isUTF16WithoutMark(_ bytes: [UInt8]) -> Bool? {
        guard bytes.count >= 4 else { return nil }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0x3C, 0, 1..., 0): return true
        case (0, 0x3C, 0, 1...): return false
        default: return nil
        }
    }

    /// The encoding that the declaration names, at most 40 letters of it.
    private static func encoding(of bytes: [UInt8]) -> String? {
        guard bytes.starts(with: Array("<?xml".utf8)) else { return nil }
        let head = String(decoding: bytes.prefix(256).prefix { $0 != UInt8(ascii: ">") && $0 < 0x80 }, as: UTF8.self)
        let words = head.split { $0 == "=" || $0.isWhitespace || $0 == "\"" || $0 == "'" || $0 == "?" }
        guard let mark = words.firstIndex(of: "encoding"), mark + 1 < words.count else { return nil }
        return String(words[mark + 1].prefix(40))
    }

    private static func numbered(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "&")) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 16)
        var rest = bytes[...]
        while let mark = rest.firstIndex(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) {
            result += rest[..<mark]
            rest = rest[mark...]
            if let end = raw.first(where: { rest.starts(with: $0.start) })?.end {
                // In these a mark is itself.
                let length = rest.length(through: end)
                result += rest.prefix(length)
                rest = rest.dropFirst(length)
            } else if let (scalar, length) = entity(rest) {
                result += "&#\(scalar.value);".utf8
                rest = rest.dropFirst(length)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result + rest
    }

    private static let raw: [(start: [UInt8], end: [UInt8])] = [
        (Array("<![CDATA[".utf8), Array("]]>".utf8)), (Array("<!--".utf8), Array("-->".utf8)),
    ]

    private static func entity(_ bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
        guard bytes.first == UInt8(ascii: "&") else { return nil }
        let name = bytes.dropFirst().prefix(HTMLEntity.nameBytesMax + 1).prefix { $0 != UInt8(ascii: ";") }
        guard bytes.dropFirst(name.count + 1).first == UInt8(ascii: ";") else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        guard !HTMLEntity.ofXML.contains(text), let scalar = HTMLEntity.scalar(named: text) else { return nil }
        return (scalar, name.count + 2)
    }
}

extension ArraySlice<UInt8> {
    /// The bytes through the first place where others stand, or all of them.
    fileprivate func length(through end: [UInt8]) -> Int {
        var rest = self
        while let mark = rest.firstIndex(of: end[0]) {
            rest = rest[mark...]
            if rest.starts(with: end) { return mark - startIndex + end.count }
            rest = rest.dropFirst()
        }
        return count
    }
}
