import SwiftProtobuf
import TourModel

/// A file or a picture, by the word of its author: how to find, check and open its bytes, and how to show it until they
/// are there. Source: `Protocol/11-blobs.md`, "Content".
package struct FileContent: Hashable, Sendable {
    /// Seals the chunks: whoever has it reads the file. 32 random bytes.
    package var key: Bytes32
    package var shape: BlobShape
    /// One for each page of chunk hashes: with the size they make the id.
    package var pageHashes: [Bytes32]
    /// As its author calls it, 1…`Limits.fileNameBytesMax` bytes of any UTF-8: nothing that may go to a disk as it is.
    package var name: String
    /// The author's word for what it is, as image/jpeg; nil: not said.
    package var media: String?
    /// A JPEG of at most `Limits.thumbnailBytesMax` bytes, by the author's word.
    package var thumbnail: [UInt8]?
    /// Of a picture, in pixels, 0…`Limits.imageSideMax`; 0: not said.
    package var width: UInt32
    package var height: UInt32
    package var caption: String?
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

    /// For people: what the author says of it, else what it is called.
    package var text: String { caption ?? name }

    /// What others take: everything within its limits.
    package var isWithinBounds: Bool {
        pageHashes.count == shape.pageCount && name.fits(Limits.fileNameBytesMax)
            && media.map(Self.isMediaType) ?? true && thumbnail?.count ?? 0 <= Limits.thumbnailBytesMax
            && max(width, height) <= Limits.imageSideMax && caption?.utf8.count ?? 0 <= Limits.fileCaptionBytesMax
    }

    /// Characters of ASCII that are seen.
    private static func isMediaType(_ text: String) -> Bool {
        text.fits(Limits.mediaTypeBytesMax) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension FileContent {
    /// - Returns: nil for what is out of bounds.
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
