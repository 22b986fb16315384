import TourModel

/// The disk space for files, in bytes.
package struct BlobQuota: Hashable, Sendable {
    /// The most bytes of one tour, counted in whole sealed chunks: a week's pictures of 20 members. So a tour has at
    /// most 32,760 files.
    private static let tourBytesMax: UInt64 = 2 * 1024 * 1024 * 1024
    /// The most bytes of one member's files that nobody here requested: one member cannot displace what all others
    /// sent.
    private static let authorBytesMax: UInt64 = 512 * 1024 * 1024
    /// The same of a member without a rank.
    private static let unrankedBytesMax: UInt64 = 64 * 1024 * 1024
    /// The largest file that is fetched though nobody here requested it.
    package static let unaskedFileBytesMax: UInt64 = 16 * 1024 * 1024
    /// The disk space that files leave free: messages, the database's log and other programs need some.
    package static let diskFreeBytesMin: UInt64 = 200 * 1024 * 1024
    /// The same as a fraction of the disk, one part of this many; on a large disk no more than `diskFreeBytesEnough`.
    private static let diskFreeShare: UInt64 = 20
    /// Free space that suffices on any disk.
    private static let diskFreeBytesEnough: UInt64 = 4 * 1024 * 1024 * 1024

    /// The most bytes of one tour.
    package var tourBytes: UInt64
    /// The most bytes of one author in a tour, for files that nobody here requested.
    package var authorBytes: UInt64
    /// The space that stays free on the disk; see also `BlobQuota.diskFreeShare`.
    package var freeBytesMin: UInt64

    package init(
        tourBytes: UInt64 = Self.tourBytesMax, authorBytes: UInt64 = Self.authorBytesMax,
        freeBytesMin: UInt64 = Self.diskFreeBytesMin
    ) {
        self.tourBytes = tourBytes
        self.authorBytes = authorBytes
        self.freeBytesMin = freeBytesMin
    }

    /// For a file of an author.
    /// - Parameters:
    ///   - isRanked: whether its author is a guide, an admin or the creator.
    ///   - isBounded: false: this device takes everything that fits.
    package static func quota(isRanked: Bool, isBounded: Bool) -> Self {
        isRanked || !isBounded ? Self() : Self(authorBytes: unrankedBytesMax)
    }

    /// The space that must stay free on a disk of this size.
    package func freeBytes(ofDisk bytes: UInt64) -> UInt64 {
        max(freeBytesMin, min(bytes / Self.diskFreeShare, Self.diskFreeBytesEnough))
    }
}

extension BlobShape {
    /// The bytes that count against quotas: whole chunks, and at least one, so that the number of files is bounded too.
    var room: UInt64 { UInt64(max(1, chunkCount) * (Limits.blobChunkBytes + Limits.blobTagBytes)) }
}
