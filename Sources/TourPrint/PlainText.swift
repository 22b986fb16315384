/// A text for printing: paragraphs of UTF-8 in which every character can be drawn or skipped.
struct PlainText {
    /// One for each line of the text, without its line break.
    private(set) var paragraphs: [[UInt8]] = [[]]

    init(_ text: String) {
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A where isAfterReturn: break
            // Every kind of line break. Source: Unicode, section 5.8.
            case 0x0A...0x0D, 0x85, 0x2028, 0x2029: paragraphs.append([])
            case 0x09: append(" ")
            case 0x00..<0x20, 0x7F...0x9F: append("\u{FFFD}")
            // Noncharacters: Cairo refuses them, and the whole file with them. Source: Unicode, section 23.7.
            case 0xFDD0...0xFDEF: append("\u{FFFD}")
            default: append(scalar.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : scalar)
            }
            isAfterReturn = scalar.value == 0x0D
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        paragraphs[paragraphs.count - 1].append(contentsOf: scalar.utf8)
    }

    /// All paragraphs on one line.
    var line: String { String(decoding: Array(paragraphs.joined(separator: [UInt8(ascii: " ")])), as: UTF8.self) }
}
