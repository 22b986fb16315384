import TourModel

/// A file to open in the swarm, and the parts of it that this node has.
package struct BlobOpening: Sendable {
    /// The file.
    package var blob: BlobID
    /// The file's chunks and pages.
    package var shape: BlobShape
    /// The hash of each page, from the file's event, checked against the id.
    package var pageHashes: [Bytes32]
    /// The pages present, checked against `pageHashes`: for each the hashes of its chunks.
    package var pages: [Int: [Bytes32]]
    /// The stored chunks. A chunk whose page is missing counts as missing too.
    package var have: ChunkSet
    /// The part that this node plays for the file.
    package var role: BlobRole
    /// Links that learn of it at once; nil: all. The others learn of it when there is a reason: see
    /// `BlobMachine.sendFirstStates`.
    package var toldFirst: Set<LinkID>?

    package init(
        blob: BlobID, shape: BlobShape, pageHashes: [Bytes32], pages: [Int: [Bytes32]], have: ChunkSet, role: BlobRole,
        toldFirst: Set<LinkID>? = nil
    ) {
        self.blob = blob
        self.shape = shape
        self.pageHashes = pageHashes
        self.pages = pages
        self.have = have
        self.role = role
        self.toldFirst = toldFirst
    }
}

/// The part that a node plays for a file.
package enum BlobRole: Sendable {
    /// It is the author: all copies start here.
    case origin
    /// It fetches the file.
    case wanted
    /// It sends the file to peers that ask, and fetches nothing.
    case held
    /// It fetches the file while a peer wants it that may have no other path to it.
    case relay
}
