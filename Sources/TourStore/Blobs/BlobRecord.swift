import TourModel

/// One file of one tour.
struct BlobPlace: Hashable, Sendable {
    var tour: TourID
    var id: BlobID
}

/// What its event says of a file, as far as the store needs it: not its name, and not its key.
package struct BlobManifest: Hashable, Sendable {
    package let id: BlobID
    package let author: MemberID
    /// The event that the file belongs to; none while there is no such event yet.
    package let event: EventID
    package let shape: BlobShape
    /// One for each page of chunk hashes.
    package let pageHashes: [Bytes32]

    /// - Parameter pageHashes: as many as the shape has pages; they and the size make the id.
    package init(id: BlobID, author: MemberID, event: EventID, shape: BlobShape, pageHashes: [Bytes32]) {
        precondition(pageHashes.count == shape.pageCount, "a hash for each page")
        self.id = id
        self.author = author
        self.event = event
        self.shape = shape
        self.pageHashes = pageHashes
    }
}

/// A file that is here, or is to be.
package struct BlobRecord: Hashable, Sendable {
    package let tour: TourID
    package let manifest: BlobManifest
    /// All chunks are on the disk, for as long as nobody damages them.
    package let isComplete: Bool
    /// Its user sent it or asked for it: it does not count against its author, and makes room for others last.
    package let isAsked: Bool
    /// Microseconds since 1970: when it came to the store, and when it was opened last.
    package let addedAt: Int64
    package let usedAt: Int64
}

// How size and page hashes lie in their column, before they are sealed: size u64, big-endian | hashes, 32 bytes each.
extension BlobManifest {
    var details: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: shape.size)
        for hash in pageHashes { hash.append(to: &bytes) }
        return bytes
    }

    /// - Throws: `damaged` for what is no such column.
    init(id: BlobID, author: MemberID, event: EventID, details: [UInt8]) throws(StoreError) {
        let size = details.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let shape = BlobShape(size: size), details.count == 8 + shape.pageCount * Bytes32.count else {
            throw .damaged(.database)
        }
        let hashes = (0..<shape.pageCount).compactMap { Bytes32(details[(8 + $0 * Bytes32.count)...].prefix(32)) }
        self.init(id: id, author: author, event: event, shape: shape, pageHashes: hashes)
    }
}
