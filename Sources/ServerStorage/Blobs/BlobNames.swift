import TourCrypto
import TourModel

/// The hashes by which a blob's content may be named.
/// Source: `Protocol/10-server.md`, "Blobs".
package struct BlobNames: Sendable {
    /// BLAKE2b-256 of the content.
    package let content: Bytes32
    /// The id by which members name the blob, and the hashes of its chunks in order, 32 bytes each; nil for content
    /// whose length no sealed file has.
    package let sealed: (blob: BlobID, chunkHashes: [UInt8])?

    /// Hashes the bytes in one pass, chunk by chunk.
    struct Reader {
        /// One sealed chunk.
        static let pieceBytes = Limits.blobChunkBytes + Limits.blobTagBytes

        private let shape: BlobShape?
        private(set) var offset: Int64 = 0
        private var chunkHashes: [UInt8] = []

        init(sealedSize: Int64) {
            shape = UInt64(exactly: sealedSize).flatMap { BlobShape(sealedSize: $0) }
        }

        mutating func update(_ piece: [UInt8]) {
            offset += Int64(piece.count)
            if shape != nil, !piece.isEmpty { chunkHashes += BlobHash.chunk(piece).bytes }
        }

        func names(content: Bytes32) -> BlobNames {
            guard let shape, chunkHashes.count == shape.chunkCount * Bytes32.count else {
                return BlobNames(content: content, sealed: nil)
            }
            let pages = (0..<shape.pageCount).map { page in
                let chunks = shape.chunks(ofPage: page)
                return BlobHash.page(
                    chunkHashes[chunks.lowerBound * Bytes32.count..<chunks.upperBound * Bytes32.count])
            }
            return BlobNames(
                content: content, sealed: (BlobID(size: shape.size, pageHashes: pages), chunkHashes))
        }
    }
}
