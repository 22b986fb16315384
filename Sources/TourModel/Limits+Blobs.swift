/// Files and pictures. Source: `Protocol/11-blobs.md`.
extension Limits {
    /// The bytes of a file that are sealed, named and sent together: small enough to fetch again, and a gigabyte has
    /// 16,384 such chunks.
    package static let blobChunkBytes = 64 * 1024
    /// The bytes that the seal adds to each chunk.
    package static let blobTagBytes = 16
    /// The longest file: as long as `blobPagesMax` pages can list.
    package static let blobBytesMax: UInt64 = 1024 * 1024 * 1024
    /// The most chunk hashes in one page: 32 KiB, one message.
    package static let blobPageHashesMax = 1_024
    /// The most pages of one file: its event contains their hashes.
    package static let blobPagesMax = 16
    /// The longest name of a file, UTF-8: what file systems accept.
    package static let fileNameBytesMax = 255
    /// The longest media type of a file, as in RFC 6838, section 4.2.
    package static let mediaTypeBytesMax = 127
    /// The longest caption, UTF-8: a sealed body has room for it beside a thumbnail.
    package static let fileCaptionBytesMax = 4 * 1024
    /// The largest width or height stated for a picture, in pixels: the limit of JPEG. Only shown, never used to
    /// reserve memory.
    package static let imageSideMax: UInt32 = 65_535
    /// The largest thumbnail inside a picture's event.
    package static let thumbnailBytesMax = 8 * 1024
}
