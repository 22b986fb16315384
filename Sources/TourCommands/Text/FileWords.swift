import TourJSON
import TourWeb
import TourWords

/// A file in a message, as people read it.
package struct FileWords: Hashable, Sendable {
    private let name: String
    private let size: UInt64
    private let caption: String?
    /// Bytes that are here.
    private let have: UInt64
    /// Whether all of it is here; nil where the node did not say.
    package let isComplete: Bool?

    /// - Parameter json: with the fields of `File` of the local API.
    /// - Returns: nil without a name.
    package init?(_ json: JSON) {
        guard let name = json["name"]?.text else { return nil }
        self.name = name
        size = UInt64(clamping: json["size"]?.integer ?? 0)
        caption = json["caption"]?.text
        have = UInt64(clamping: json["have"]?.integer ?? 0)
        isComplete = json["complete"]?.flag
    }

    /// Safe for a terminal: the name and the size, and the author's words with it, including line breaks.
    package var words: Phrase {
        let (name, size) = (TerminalText.safe(name), ByteCount.shown(size))
        guard let caption else { return Phrase("\(name) (\(size))") }
        return Phrase("\(name) (\(size)) — \(TerminalText.safe(caption, keepsNewlines: true))")
    }

    /// How much of it is here; nil where all is, and where the node did not say.
    package var progress: Phrase? {
        guard isComplete == false else { return nil }
        return have > 0 && size > 0 ? Phrase("\(min(have, size) * 100 / size) % here") : Phrase("not here yet")
    }
}
