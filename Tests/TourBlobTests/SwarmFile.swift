import TourBlob
import TourCrypto
import TourModel
import TourWire

/// A file of made-up sealed bytes, with its pages and its name.
struct SwarmFile {
    let number: UInt8
    let shape: BlobShape
    let pages: [[Bytes32]]
    let pageHashes: [Bytes32]
    let blob: BlobID

    init(_ number: UInt8, size: Int) {
        guard let shape = BlobShape(size: UInt64(size)) else { preconditionFailure("a file that is not too long") }
        self.number = number
        self.shape = shape
        pages = (0..<shape.pageCount).map { page in
            shape.chunks(ofPage: page).map { BlobHash.chunk(Self.chunk($0, number, shape)) }
        }
        pageHashes = pages.map { BlobHash.page($0.flatMap(\.bytes)) }
        blob = BlobID(size: UInt64(size), pageHashes: pageHashes)
    }

    func chunk(_ chunk: Int) -> [UInt8] { Self.chunk(chunk, number, shape) }

    private static func chunk(_ chunk: Int, _ number: UInt8, _ shape: BlobShape) -> [UInt8] {
        var bytes = [UInt8](repeating: number, count: shape.sealedBytes(chunk))
        for place in 0..<4 { bytes[place] = UInt8(truncatingIfNeeded: chunk >> (24 - 8 * place)) }
        return bytes
    }

    /// - Parameter have: nil for all of it, which for a node that has none of it is said by an empty set.
    func opening(_ role: BlobRole, have: ChunkSet? = nil) -> BlobOpening {
        let have = have ?? .all(shape.chunkCount)
        let known = have.isEmpty ? [:] : Dictionary(uniqueKeysWithValues: pages.enumerated().map { ($0, $1) })
        return BlobOpening(
            blob: blob, shape: shape, pageHashes: pageHashes, pages: known, have: have, role: role)
    }

    var nothing: ChunkSet { ChunkSet(limit: shape.chunkCount) }
}
