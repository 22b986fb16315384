/// The kinds of pictures that the server accepts, recognised by their first bytes: a client's word for them proves
/// nothing.
package enum PictureKind: String, CaseIterable, Sendable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case gif = "image/gif"
    case webp = "image/webp"
    case heic = "image/heic"

    /// The number of bytes that suffices to recognise a kind.
    static let headBytes = 12

    /// The kind of this media type; nil for any other.
    package init?(media: String) { self.init(rawValue: media) }

    /// - Parameter head: the first bytes of the file; all of them in a shorter file.
    package init?(head: some Collection<UInt8>) {
        let bytes = Array(head.prefix(Self.headBytes))
        let brand = String(decoding: bytes.dropFirst(8), as: UTF8.self)
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) {
            self = .gif
        } else if bytes.starts(with: Array("RIFF".utf8)), brand == "WEBP" {
            self = .webp
        } else if bytes.dropFirst(4).starts(with: Array("ftyp".utf8)), Self.heifBrands.contains(brand) {
            self = .heic
        } else {
            return nil
        }
    }

    /// The brands that count as HEIC.
    /// Source: ISO/IEC 23008-12, annex B.4, and the brands of the format's first still pictures.
    private static let heifBrands: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
}
