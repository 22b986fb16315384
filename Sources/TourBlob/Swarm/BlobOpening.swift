import TourModel

/// A file that the swarm is to know, and what is there of it.
package struct BlobOpening: Sendable {
    package var blob: BlobID
    package var shape: BlobShape
    /// Of each page: as the event of the file says, checked against the id.
    package var pageHashes: [Bytes32]
    /// The pages that are there, checked against `pageHashes`: of each the hashes of its chunks.
    package var pages: [Int: [Bytes32]]
    /// Chunks that are stored. One whose page is missing counts as missing too.
    package var have: ChunkSet
    package var role: BlobRole
    /// Links that hear of it at once; nil: all. The others hear of it when there is something to say: see
    /// `BlobMachine.tellUntold`.
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

/// What a node has to do with a file.
package enum BlobRole: Sendable {
    /// Its author: all copies begin here.
    case origin
    case wanted
    /// Given to whoever asks, and not fetched.
    case held
    /// Fetched while somebody wants it who may have no other way to it.
    case relay
}
