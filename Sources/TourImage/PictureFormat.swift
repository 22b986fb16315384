/// The picture formats that we decode. No others: each decoder is one more that a stranger's file can attack.
package enum PictureFormat: String, Hashable, Sendable, CaseIterable {
    case jpeg, png, webp, heic

    /// The brands of files that hold a still picture coded with HEVC. Source: ISO/IEC 23008-12, annex B.
    private static let heicBrands: Set<String> = ["heic", "heix", "heim", "heis", "mif1"]

    /// By the first bytes of a file; its name is ignored.
    package init?(signature bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        func text(_ range: Range<Int>) -> String {
            String(decoding: bytes.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
        }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if text(0..<4) == "RIFF", text(8..<12) == "WEBP" {
            self = .webp
        } else if text(4..<8) == "ftyp", Self.heicBrands.contains(text(8..<12)) {
            self = .heic
        } else {
            return nil
        }
    }

    /// The media type.
    package var mediaType: String { "image/\(rawValue)" }

    /// The ending of a file's name, without the dot.
    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// The beginning of the name of libvips' reader for this format.
    var loader: String { self == .heic ? "heifload" : rawValue + "load" }

    /// The first bytes of a file show its format.
    package static let signatureBytes = 12
}
