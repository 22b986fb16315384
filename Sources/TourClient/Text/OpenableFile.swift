/// The kinds of files that may be handed to the desktop's programs: those that are only viewed, read or played. Files
/// that can run, or contain something that runs (programs, scripts, starters, pages, drawings with scripts, office
/// documents, archives), are never among them.
package enum OpenableFile: Sendable {
    case picture, text, document
    /// A sound or video; the names of many formats do not say which.
    case recording

    /// By the endings of names, in lower case, since desktops go by them.
    private static let kinds: [String: OpenableFile] = [
        "jpg": .picture, "jpeg": .picture, "png": .picture, "gif": .picture, "webp": .picture, "bmp": .picture,
        "tif": .picture, "tiff": .picture, "heic": .picture, "heif": .picture, "avif": .picture, "jxl": .picture,
        "mp3": .recording, "m4a": .recording, "aac": .recording, "ogg": .recording, "oga": .recording,
        "opus": .recording, "flac": .recording, "wav": .recording, "mp4": .recording, "m4v": .recording,
        "mov": .recording, "webm": .recording, "mkv": .recording, "avi": .recording, "ogv": .recording,
        "3gp": .recording,
        "txt": .text, "pdf": .document,
    ]

    /// - Parameters:
    ///   - name: the name under which it is saved.
    ///   - media: the media type that its author gave.
    /// - Returns: nil unless both mean the same kind, and it is one of these.
    package init?(name: String, media: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
            let kind = Self.kinds[name[name.index(after: dot)...].lowercased()], kind.covers(media.lowercased())
        else { return nil }
        self = kind
    }

    private func covers(_ media: String) -> Bool {
        switch self {
        case .picture: media.hasPrefix("image/")
        case .recording: media.hasPrefix("audio/") || media.hasPrefix("video/") || media == "application/ogg"
        case .text: media == "text/plain"
        case .document: media == "application/pdf"
        }
    }

    /// How many first bytes of a file `agrees` examines.
    package static let startBytes = 32

    /// Whether a file begins like its supposed kind: some desktops go by that. All formats of pictures and recordings
    /// have bytes there that no text has, and a text must not begin like one that a program would run.
    package func agrees(with start: some Collection<UInt8>) -> Bool {
        switch self {
        case .picture, .recording: start.contains { $0 >= 0x7F || ($0 < 0x20 && !"\t\n\r".utf8.contains($0)) }
        case .document: start.starts(with: "%PDF-".utf8)
        case .text: !start.starts(with: "#!".utf8) && !start.contains(0) && !start.starts(with: "[Desktop Entry".utf8)
        }
    }
}
