import TourAPI
import TourWords

/// The words about a file.
package enum FileWords {
    /// Safe for a terminal: the name and the size, and the author's words with it, including line breaks.
    package static func words(_ name: String, size: UInt64, caption: String?) -> Phrase {
        let (name, size) = (TerminalText.safe(name), ByteCount.shown(size))
        guard let caption else { return Phrase("\(name) (\(size))") }
        return Phrase("\(name) (\(size)) — \(TerminalText.safe(caption, keepsNewlines: true))")
    }
}

extension FileView {
    /// Safe for a terminal.
    package var words: Phrase { FileWords.words(name, size: size, caption: caption) }

    /// How much of it is here; nil where all is.
    package var progress: Phrase? {
        guard !complete else { return nil }
        return have > 0 && size > 0 ? Phrase("\(min(have, size) * 100 / size) % here") : Phrase("not here yet")
    }
}
