import TourModel

/// The disk space for files, in bytes.
package struct BlobQuota: Hashable, Sendable {
    /// The most bytes of one tour.
    package var tourBytes: UInt64
    /// The most bytes of one author in a tour, for files that nobody here requested.
    package var authorBytes: UInt64
    /// The space that stays free on the disk; see also `Limits.diskFreeShare`.
    package var freeBytesMin: UInt64

    package init(
        tourBytes: UInt64 = Limits.blobTourBytesMax, authorBytes: UInt64 = Limits.blobAuthorBytesMax,
        freeBytesMin: UInt64 = Limits.diskFreeBytesMin
    ) {
        self.tourBytes = tourBytes
        self.authorBytes = authorBytes
        self.freeBytesMin = freeBytesMin
    }

    /// The space that must stay free on a disk of this size.
    package func freeBytes(ofDisk bytes: UInt64) -> UInt64 {
        max(freeBytesMin, min(bytes / Limits.diskFreeShare, Limits.diskFreeBytesEnough))
    }
}

extension BlobShape {
    /// The bytes that count against quotas: whole chunks, and at least one, so that the number of files is bounded too.
    var room: UInt64 { UInt64(max(1, chunkCount) * (Limits.blobChunkBytes + Limits.blobTagBytes)) }
}
