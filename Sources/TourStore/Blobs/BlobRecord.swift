import TourModel

/// One file of one tour.
struct BlobPlace: Hashable, Sendable {
    var tour: TourID
    var id: BlobID
}

/// The part of a file's event that the store needs: neither its name nor its key.
package struct BlobManifest: Hashable, Sendable {
    /// The file's id.
    package let id: BlobID
    /// The member that sent it.
    package let author: MemberID
    /// The event of the file; none while there is no such event yet.
    package let event: EventID
    /// The file's size, and its chunks and pages.
    package let shape: BlobShape
    /// One for each page of chunk hashes.
    package let pageHashes: [Bytes32]

    /// - Parameter pageHashes: one for each page of the shape; together with the size they determine the id.
    package init(id: BlobID, author: MemberID, event: EventID, shape: BlobShape, pageHashes: [Bytes32]) {
        precondition(pageHashes.count == shape.pageCount, "a hash for each page")
        self.id = id
        self.author = author
        self.event = event
        self.shape = shape
        self.pageHashes = pageHashes
    }
}

/// A file that is here, or is being fetched.
package struct BlobRecord: Hashable, Sendable {
    /// The tour of the file.
    package let tour: TourID
    /// The file's author, event, size and hashes.
    package let manifest: BlobManifest
    /// Whether all chunks are on the disk, unless they get damaged there.
    package let isComplete: Bool
    /// Whether the user sent it or requested it: it then does not count against its author, and is evicted last.
    package let isAsked: Bool
    /// When it was added to the store, in microseconds since 1970.
    package let addedAt: Int64
    /// When it was last opened, in microseconds since 1970.
    package let usedAt: Int64
}

// The column with size and page hashes, before sealing: size u64, big-endian | hashes, 32 bytes each.
extension BlobManifest {
    var details: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: shape.size)
        for hash in pageHashes { hash.append(to: &bytes) }
        return bytes
    }

    /// - Throws: `damaged` for bytes that are no such column.
    init(id: BlobID, author: MemberID, event: EventID, details: [UInt8]) throws(StoreError) {
        let size = details.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let shape = BlobShape(size: size), details.count == 8 + shape.pageCount * Bytes32.count else {
            throw .damaged(.database)
        }
        let hashes = (0..<shape.pageCount).compactMap { Bytes32(details[(8 + $0 * Bytes32.count)...].prefix(32)) }
        self.init(id: id, author: author, event: event, shape: shape, pageHashes: hashes)
    }
}
