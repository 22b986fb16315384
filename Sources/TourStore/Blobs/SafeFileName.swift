import TourModel

/// A name under which a file may be saved: one component of a path, never hidden, and never mistaken for something else
/// by a shell, another system or a reader. Source: `Protocol/11-blobs.md`, "Keeping".
package struct SafeFileName: Hashable, Sendable {
    /// 1…`Limits.fileNameBytesMax` bytes.
    package let text: String

    /// Makes a peer's name for a file safe; "file" if nothing of it remains.
    package init(_ proposed: String) {
        var scalars = String.UnicodeScalarView()
        for scalar in proposed.unicodeScalars {
            guard let kept = Self.kept(scalar) else { continue }
            // Consecutive spaces push the end of a name out of sight.
            if kept == " ", scalars.last == " " { continue }
            scalars.append(kept)
        }
        let trimmed = Self.trimmed(scalars)
        let name = trimmed.isEmpty ? "file" : Self.isReserved(trimmed) ? "_" + trimmed : trimmed
        let short = Self.shortened(name, bytesMax: Limits.fileNameBytesMax)
        // The cut may have come after a space.
        text = Self.trimmed(short.unicodeScalars)
    }

    /// The name that this machine's user chose, unchanged.
    /// - Returns: nil for a name that is no single component of a path, or too long for one.
    package init?(exactly name: String) {
        guard !["", ".", ".."].contains(name), !name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") }),
            name.utf8.count <= Limits.fileNameBytesMax
        else { return nil }
        text = name
    }

    /// The same name, with a number that distinguishes it: "photo (2).jpg".
    func numbered(_ number: Int) -> SafeFileName {
        let (stem, end) = Self.parts(text)
        let tail = " (\(number))" + end
        let room = Limits.fileNameBytesMax - tail.utf8.count
        return SafeFileName(checked: Self.cut(stem, bytesMax: room) + tail)
    }

    private init(checked text: String) { self.text = text }

    /// The replacement of a character; nil to drop it.
    private static func kept(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        // Path separators here and elsewhere, and characters that other file systems reject.
        case "/", "\\", ":", "*", "?", "\"", "<", ">", "|": return "_"
        // These join letters of some scripts, and pictures.
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

    /// Leading dots hide a file, a dash makes it an option and a tilde a home; trailing dots and spaces get lost.
    private static func trimmed(_ text: String.UnicodeScalarView) -> String {
        var rest = text[...]
        while let first = rest.first, ". -~".unicodeScalars.contains(first) { rest.removeFirst() }
        while let last = rest.last, ". ".unicodeScalars.contains(last) { rest.removeLast() }
        return String(rest)
    }

    /// Whether the name is that of a device, whatever follows the dot.
    private static func isReserved(_ name: String) -> Bool {
        let stem = name.prefix { $0 != "." && $0 != " " }.uppercased()
        if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(stem) { return true }
        let isPort = stem.hasPrefix("COM") || stem.hasPrefix("LPT")
        return isPort && stem.count == 4 && stem.last?.isNumber == true
    }

    /// Shortens the stem and keeps the extension, which shows the kind of file.
    private static func shortened(_ name: String, bytesMax: Int) -> String {
        guard name.utf8.count > bytesMax else { return name }
        let (stem, end) = parts(name)
        return cut(stem, bytesMax: bytesMax - end.utf8.count) + end
    }

    /// Splits off a short extension with its dot; empty if there is none.
    private static func parts(_ name: String) -> (stem: String, end: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name[dot...].utf8.count <= endBytesMax else {
            return (name, "")
        }
        return (String(name[..<dot]), String(name[dot...]))
    }

    private static let endBytesMax = 16

    /// Cuts whole characters, unless a single one is too long.
    private static func cut(_ text: String, bytesMax: Int) -> String {
        var kept = text[...]
        while kept.utf8.count > bytesMax, kept.count > 1 { kept.removeLast() }
        while kept.utf8.count > bytesMax { kept.unicodeScalars.removeLast() }
        return String(kept)
    }
}
