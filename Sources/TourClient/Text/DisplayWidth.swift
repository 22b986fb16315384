/// How many terminal columns a text occupies: 2 for East Asian wide characters and emoji, 0 for marks, else 1.
package enum DisplayWidth {
    package static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

    package static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.value < 0x7F { return first.value < 0x20 ? 0 : emojiWidth(scalars) }
        if isZero(first) { return 0 }
        return isWide(first.value) ? 2 : emojiWidth(scalars)
    }

    /// The longest beginning of the text that fits; an ellipsis replaces the rest.
    package static func fitting(_ text: String, columns: Int) -> String {
        guard of(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var result = ""
        var used = 0
        for character in text {
            let width = of(character)
            if used + width > columns - 1 { break }
            result.append(character)
            used += width
        }
        return result + "…"
    }

    /// Lines of at most this many columns, broken at spaces where possible.
    package static func wrapped(_ text: String, columns: Int) -> [String] {
        let columns = max(columns, 2)
        var lines = [String]()
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            var width = 0
            for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
                let wordWidth = of(String(word))
                if width > 0, width + 1 + wordWidth <= columns {
                    line += " " + word
                    width += 1 + wordWidth
                    continue
                }
                if width > 0 {
                    lines.append(line)
                    (line, width) = ("", 0)
                }
                for character in word {
                    let characterWidth = of(character)
                    if width + characterWidth > columns {
                        let taken = taken(from: &line, before: character, columns: columns)
                        lines.append(line)
                        (line, width) = (taken, of(taken))
                    }
                    line.append(character)
                    width += characterWidth
                }
            }
            lines.append(line)
        }
        return lines
    }

    /// Moves the end of a line to the next one, which `character` would begin, so that no line begins with a
    /// character that closes a sentence or a bracket, and none ends with one that opens a bracket. Source: JIS X
    /// 4051, the usual part of it.
    private static func taken(from line: inout String, before character: Character, columns: Int) -> String {
        var taken = ""
        while line.count > 1, let last = line.last, of(taken) + of(last) + of(character) <= columns,
            closing.contains(taken.first ?? character) || opening.contains(last)
        {
            taken = String(line.removeLast()) + taken
        }
        guard let first = taken.first, closing.contains(first) else { return taken }
        line += taken
        return ""
    }

    private static let closing: Set<Character> = Set("。、，．！？：；）」』】〉》ーっゃゅょッャュョ")
    private static let opening: Set<Character> = Set("（「『【〈《")

    /// A text character followed by the emoji selector is drawn as an emoji.
    private static func emojiWidth(_ scalars: Character.UnicodeScalarView) -> Int {
        scalars.contains { $0.value == 0xFE0F } ? 2 : 1
    }

    private static func isZero(_ scalar: Unicode.Scalar) -> Bool {
        if (0x1160...0x11FF).contains(scalar.value) { return true }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control, .format: return scalar.value != 0xAD
        default: return false
        }
    }

    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        var low = 0
        var high = wide.count
        while low < high {
            let middle = (low + high) / 2
            if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < wide.count && wide[low].contains(value)
    }

    /// Wide and full-width ranges, and emoji drawn as such by default. Source: Unicode 16, EastAsianWidth.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
        0x25FD...0x25FE, 0x2614...0x2615, 0x2630...0x2637, 0x2648...0x2653, 0x267F...0x267F, 0x268A...0x268F,
        0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE,
        0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD,
        0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755,
        0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50,
        0x2B55...0x2B55, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08,
        0x1AFF0...0x1B2FB, 0x1D300...0x1D376, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E,
        0x1F191...0x1F19A, 0x1F1E6...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393,
        0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E,
        0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567,
        0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5,
        0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6D7, 0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC,
        0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7EB, 0x1F7F0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945,
        0x1F947...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
