import SwiftProtobuf
import TourModel

/// A file or picture, as its author states it: how to find, verify and open its bytes, and what to show until they are
/// here.
/// Source: `Protocol/11-blobs.md`, "Content".
package struct FileContent: Hashable, Sendable {
    /// The key that seals the chunks: anybody who has it can read the file. 32 random bytes.
    package var key: Bytes32
    /// The size, and the chunks and pages that follow from it.
    package var shape: BlobShape
    /// One hash for each page of chunk hashes: with the size they determine the id.
    package var pageHashes: [Bytes32]
    /// The author's name for it, 1…`Limits.fileNameBytesMax` bytes of any UTF-8: never use it unchecked as a file name.
    package var name: String
    /// The media type that the author states, such as image/jpeg; nil: not stated.
    package var media: String?
    /// A JPEG of at most `Limits.thumbnailBytesMax` bytes, as the author states.
    package var thumbnail: [UInt8]?
    /// A picture's width in pixels, 0…`Limits.imageSideMax`; 0: not stated.
    package var width: UInt32
    /// A picture's height in pixels, likewise.
    package var height: UInt32
    /// The author's words about it.
    package var caption: String?
    /// The message that it answers.
    package var replyTo: EventID?

    package init(
        key: Bytes32, shape: BlobShape, pageHashes: [Bytes32], name: String, media: String?, thumbnail: [UInt8]?,
        width: UInt32, height: UInt32, caption: String?, replyTo: EventID?
    ) {
        self.key = key
        self.shape = shape
        self.pageHashes = pageHashes
        self.name = name
        self.media = media
        self.thumbnail = thumbnail
        self.width = width
        self.height = height
        self.caption = caption
        self.replyTo = replyTo
    }

    /// For people: the caption, otherwise the name.
    package var text: String { caption ?? name }

    /// Whether everything is within the limits that receivers enforce.
    package var isWithinBounds: Bool {
        pageHashes.count == shape.pageCount && name.fits(Limits.fileNameBytesMax)
            && media.map(Self.isMediaType) ?? true && thumbnail?.count ?? 0 <= Limits.thumbnailBytesMax
            && max(width, height) <= Limits.imageSideMax && caption?.utf8.count ?? 0 <= Limits.fileCaptionBytesMax
    }

    /// Accepts only visible ASCII characters.
    private static func isMediaType(_ text: String) -> Bool {
        text.fits(Limits.mediaTypeBytesMax) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension FileContent {
    /// - Returns: nil for a value out of bounds.
    init?(_ wire: WireFile) {
        guard let key = Bytes32(wire.key.array), let shape = BlobShape(size: wire.size),
            wire.pages.count == shape.pageCount * Bytes32.count, let replyTo = wire.replyTo.optionalEventID
        else { return nil }
        let pages = wire.pages.array
        self.init(
            key: key, shape: shape,
            pageHashes: (0..<shape.pageCount).compactMap {
                Bytes32(pages[$0 * Bytes32.count..<($0 + 1) * Bytes32.count])
            },
            name: wire.name, media: wire.media.isEmpty ? nil : wire.media,
            thumbnail: wire.thumbnail.isEmpty ? nil : wire.thumbnail.array, width: wire.width, height: wire.height,
            caption: wire.caption.isEmpty ? nil : wire.caption, replyTo: replyTo)
        guard isWithinBounds else { return nil }
    }

    var wire: WireFile {
        .with {
            $0.key = wireData(key.bytes)
            $0.size = shape.size
            $0.pages = wireData(pageHashes.flatMap(\.bytes))
            $0.name = name
            $0.media = media ?? ""
            $0.thumbnail = wireData(thumbnail ?? [])
            $0.width = width
            $0.height = height
            $0.caption = caption ?? ""
            if let replyTo { $0.replyTo = replyTo.data }
        }
    }
}
