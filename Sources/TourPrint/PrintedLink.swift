/// An address in a text, which opens when it is clicked: `http`, `https` and `geo`. Other schemes stay plain text, so
/// that other people's text can do no more than show a page or a place.
struct PrintedLink: Hashable {
    /// Its place in the text, in bytes.
    let range: Range<Int>
    /// In ASCII.
    let target: String

    private static let schemes = ["http://", "https://", "geo:"].map { Array($0.utf8) }
    private static let quotes: Set<UInt8> = Set(#"<>"`{}|\^"#.utf8)
    private static let ends: Set<UInt8> = Set(".,;:!?'*_~".utf8)
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    /// Characters that an address contains unescaped. Source: RFC 3986, section 2; without the quote, which delimits
    /// the address in Cairo's attributes.
    private static let plain: Set<UInt8> = Set("-._~:/?#[]@!$&()*+,;=%".utf8)

    /// The links of a paragraph, in order, at most `PrintLimits.linksMax`.
    static func all(in text: [UInt8]) -> [PrintedLink] {
        var links: [PrintedLink] = []
        var place = 0
        while place < text.count, links.count < PrintLimits.linksMax {
            // Nearly every byte begins none.
            guard text[place] | 0x20 == UInt8(ascii: "h") || text[place] | 0x20 == UInt8(ascii: "g"),
                place == 0 || !isWord(text[place - 1]), let link = PrintedLink(in: text, at: place)
            else {
                place += 1
                continue
            }
            links.append(link)
            place = link.range.upperBound
        }
        return links
    }

    private init?(in text: [UInt8], at start: Int) {
        let rest = text[start...].prefix(PrintLimits.linkBytesMax + 1)
        guard let scheme = Self.schemes.first(where: { rest.prefix($0.count).map(Self.lowercased) == $0 }) else {
            return nil
        }
        var end = Self.end(of: rest)
        guard end - start <= PrintLimits.linkBytesMax else { return nil }
        end = Self.withoutPunctuation(text, start..<end)
        let first = start + scheme.count
        guard first < end else { return nil }
        if scheme.last == UInt8(ascii: ":") {
            // Numbers must follow `geo:`.
            guard Self.digits.contains(text[first]) || text[first] == UInt8(ascii: "-") else { return nil }
        }
        range = start..<end
        target = Self.escaped(text[start..<end])
    }

    /// The latest possible end of the address: at a space of any script, or a character that no address contains.
    private static func end(of text: ArraySlice<UInt8>) -> Int {
        var place = text.startIndex
        while place < text.endIndex {
            let byte = text[place]
            guard byte >= 0x80 else {
                if byte <= 0x20 || quotes.contains(byte) { return place }
                place += 1
                continue
            }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
            let next = min(place + length, text.endIndex)
            let scalar = String(decoding: text[place..<next], as: UTF8.self).unicodeScalars.first
            if let scalar, scalar.properties.isWhitespace || isFullPunctuation(scalar) { return place }
            place = next
        }
        return place
    }

    /// Punctuation of East Asian and Arabic texts, which follows an address without a space.
    private static func isFullPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Quotation marks and dots; Arabic comma, semicolon and question mark; signs of CJK; their full-width forms.
        case 0x00AB, 0x00BB, 0x2010...0x203A, 0x060C, 0x061B, 0x061F, 0x3000...0x303F, 0xFF01...0xFF0F, 0xFF1A...0xFF20,
            0xFF3B...0xFF40, 0xFF5B...0xFF65:
            true
        default: false
        }
    }

    /// Excludes a sentence's punctuation from the end; keeps a parenthesis that was opened inside the address.
    private static func withoutPunctuation(_ text: [UInt8], _ range: Range<Int>) -> Int {
        var end = range.upperBound
        var open = 0
        for byte in text[range] {
            if byte == UInt8(ascii: "(") { open += 1 }
            if byte == UInt8(ascii: ")") { open -= 1 }
        }
        while end > range.lowerBound {
            let last = text[end - 1]
            if last == UInt8(ascii: ")"), open < 0 {
                open += 1
            } else if !ends.contains(last) {
                break
            }
            end -= 1
        }
        return end
    }

    private static func escaped(_ address: ArraySlice<UInt8>) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in address {
            if isLetterOrDigit(byte) || plain.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isWord(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || byte == UInt8(ascii: "_") }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        digits.contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
