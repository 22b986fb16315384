import TourModel

/// A name under which a file may be saved: one component of a path, never hidden, never what a shell, another system
/// or a reader's eye takes for something else. Source: `Protocol/11-blobs.md`, "Keeping".
package struct SafeFileName: Hashable, Sendable {
    /// 1…`Limits.fileNameBytesMax` bytes.
    package let text: String

    /// What a peer calls a file, made safe; "file" if nothing of it is left.
    package init(_ proposed: String) {
        var scalars = String.UnicodeScalarView()
        for scalar in proposed.unicodeScalars {
            guard let kept = Self.kept(scalar) else { continue }
            // Spaces in a row push the end of a name out of sight.
            if kept == " ", scalars.last == " " { continue }
            scalars.append(kept)
        }
        let trimmed = Self.trimmed(scalars)
        let name = trimmed.isEmpty ? "file" : Self.isReserved(trimmed) ? "_" + trimmed : trimmed
        let short = Self.shortened(name, bytesMax: Limits.fileNameBytesMax)
        // A cut may have come behind a space.
        text = Self.trimmed(short.unicodeScalars)
    }

    /// What the user of this machine calls it, as it is.
    /// - Returns: nil for what is no single component of a path, or too long for one.
    package init?(exactly name: String) {
        guard !["", ".", ".."].contains(name), !name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") }),
            name.utf8.count <= Limits.fileNameBytesMax
        else { return nil }
        text = name
    }

    /// The same, told apart from others of that name: "photo (2).jpg".
    func numbered(_ number: Int) -> SafeFileName {
        let (stem, end) = Self.parts(text)
        let tail = " (\(number))" + end
        let room = Limits.fileNameBytesMax - tail.utf8.count
        return SafeFileName(checked: Self.cut(stem, bytesMax: room) + tail)
    }

    private init(checked text: String) { self.text = text }

    /// What stands in a character's place; nil for none.
    private static func kept(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        // Separators of paths here and elsewhere, and what other file systems refuse.
        case "/", "\\", ":", "*", "?", "\"", "<", ">", "|": return "_"
        // They join letters of some scripts, and pictures.
        case "\u{200C}", "\u{200D}": return scalar
        default: break
        }
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: return " "
        case .control: return scalar.value == 9 || scalar.value == 10 || scalar.value == 13 ? " " : nil
        // Direction, invisible and language marks: "photo.\u{202E}gpj.exe" is read as a picture.
        case .format, .unassigned, .privateUse, .surrogate: return nil
        default: return scalar
        }
    }

    /// Dots in front hide a file, a dash makes it an option and a tilde a home; dots and spaces at the end get lost.
    private static func trimmed(_ text: String.UnicodeScalarView) -> String {
        var rest = text[...]
        while let first = rest.first, ". -~".unicodeScalars.contains(first) { rest.removeFirst() }
        while let last = rest.last, ". ".unicodeScalars.contains(last) { rest.removeLast() }
        return String(rest)
    }

    /// Devices, whatever follows the dot.
    private static func isReserved(_ name: String) -> Bool {
        let stem = name.prefix { $0 != "." && $0 != " " }.uppercased()
        if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(stem) { return true }
        let isPort = stem.hasPrefix("COM") || stem.hasPrefix("LPT")
        return isPort && stem.count == 4 && stem.last?.isNumber == true
    }

    /// The end stays: it says what kind of file it is.
    private static func shortened(_ name: String, bytesMax: Int) -> String {
        guard name.utf8.count > bytesMax else { return name }
        let (stem, end) = parts(name)
        return cut(stem, bytesMax: bytesMax - end.utf8.count) + end
    }

    /// The end begins with its dot, and is short; it is empty if there is none.
    private static func parts(_ name: String) -> (stem: String, end: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name[dot...].utf8.count <= endBytesMax else {
            return (name, "")
        }
        return (String(name[..<dot]), String(name[dot...]))
    }

    private static let endBytesMax = 16

    /// Whole characters only, unless one alone is too long.
    private static func cut(_ text: String, bytesMax: Int) -> String {
        var kept = text[...]
        while kept.utf8.count > bytesMax, kept.count > 1 { kept.removeLast() }
        while kept.utf8.count > bytesMax { kept.unicodeScalars.removeLast() }
        return String(kept)
    }
}
