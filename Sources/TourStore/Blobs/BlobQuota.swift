import TourModel

/// How much of the disk files may take, in bytes.
package struct BlobQuota: Hashable, Sendable {
    /// Of one tour.
    package var tourBytes: UInt64
    /// Of one author in a tour, as far as nobody here asked for it.
    package var authorBytes: UInt64
    /// Stays free on the disk; see `Limits.diskFreeShare` too.
    package var freeBytesMin: UInt64

    package init(
        tourBytes: UInt64 = Limits.blobTourBytesMax, authorBytes: UInt64 = Limits.blobAuthorBytesMax,
        freeBytesMin: UInt64 = Limits.diskFreeBytesMin
    ) {
        self.tourBytes = tourBytes
        self.authorBytes = authorBytes
        self.freeBytesMin = freeBytesMin
    }

    /// What must be left of a disk of this size.
    package func freeBytes(ofDisk bytes: UInt64) -> UInt64 {
        max(freeBytesMin, min(bytes / Limits.diskFreeShare, Limits.diskFreeBytesEnough))
    }
}

extension BlobShape {
    /// What a file counts for: whole chunks, and one at least, so that the number of files is bounded too.
    var room: UInt64 { UInt64(max(1, chunkCount) * (Limits.blobChunkBytes + Limits.blobTagBytes)) }
}
