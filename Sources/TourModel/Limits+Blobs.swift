/// Files and pictures. Source: `Protocol/11-blobs.md`.
extension Limits {
    /// Of a file's bytes, what is sealed, named and sent as one: small enough to be fetched anew, and a gigabyte has
    /// 16,384 of them.
    package static let blobChunkBytes = 64 * 1024
    /// What the seal adds to each.
    package static let blobTagBytes = 16
    /// The longest file: as much as `blobPagesMax` pages name.
    package static let blobBytesMax: UInt64 = 1024 * 1024 * 1024
    /// Chunk hashes of one page: 32 KiB, one message.
    package static let blobPageHashesMax = 1_024
    /// Pages of one file: their hashes stand in its event.
    package static let blobPagesMax = 16
    /// The name of a file, UTF-8: what file systems take.
    package static let fileNameBytesMax = 255
    /// What kind of file its author says it is, as in RFC 6838, section 4.2.
    package static let mediaTypeBytesMax = 127
    /// What its author says of a file, UTF-8: with a thumbnail beside it a sealed body has room.
    package static let fileCaptionBytesMax = 4 * 1024
    /// How wide or high its author may say a picture is, in pixels: as far as JPEG goes. Shown, never reserved for.
    package static let imageSideMax: UInt32 = 65_535
    /// A picture of a picture, inside its event.
    package static let thumbnailBytesMax = 8 * 1024
}
