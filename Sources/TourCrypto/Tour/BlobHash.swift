import TourModel

/// The hashes that name a file's sealed bytes. Source: `Protocol/11-blobs.md`, "Names".
package enum BlobHash {
    /// H("blob-chunk", sealed chunk).
    package static func chunk(_ sealed: some Collection<UInt8>) -> Bytes32 { Hash.of(.blobChunk, sealed) }

    /// H("blob-page", page).
    /// - Parameter hashes: the page: 32 bytes for each of its chunks, in order.
    package static func page(_ hashes: some Collection<UInt8>) -> Bytes32 { Hash.of(.blobPage, hashes) }
}

extension BlobID {
    /// H("blob", size || page hashes).
    /// - Parameter size: the file's size before sealing.
    package init(size: UInt64, pageHashes: [Bytes32]) {
        self.init(raw: Hash.of(.blob, size.bigEndianBytes + pageHashes.flatMap(\.bytes)))
    }
}
