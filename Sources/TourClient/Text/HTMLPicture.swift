import TourModel

/// A picture inside a page: an address that holds all of it. What the sender calls it counts for nothing: its first
/// bytes say what it is.
package enum HTMLPicture {
    private static let kinds: [(beginning: [UInt8], media: String)] = [
        ([0xFF, 0xD8, 0xFF], "image/jpeg"), ([0x89, 0x50, 0x4E, 0x47], "image/png"),
        (Array("GIF8".utf8), "image/gif"), (Array("RIFF".utf8), "image/webp"),
    ]

    /// - Returns: nil for bytes that no browser shows as a picture.
    package static func source(_ bytes: [UInt8]) -> String? {
        guard let media = kinds.first(where: { bytes.starts(with: $0.beginning) })?.media else { return nil }
        let text = Base64URL.text(of: bytes).map { letter -> Character in
            switch letter {
            case "-": "+"
            case "_": "/"
            default: letter
            }
        }
        return "data:\(media);base64,\(String(text))\(String(repeating: "=", count: (4 - text.count % 4) % 4))"
    }

    /// - Parameter text: a small JPEG in base64, as a message brings it.
    /// - Returns: nil for anything else.
    package static func source(preview text: String?) -> String? {
        guard let text, !text.isEmpty, text.utf8.allSatisfy(isLetter) else { return nil }
        return "data:image/jpeg;base64,\(text)"
    }

    /// Whether it may stand in base64: nothing that ends an attribute does.
    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
