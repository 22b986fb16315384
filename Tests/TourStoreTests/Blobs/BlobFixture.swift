import Glibc
import TourCrypto
import TourModel
import TourStore

/// A file as its author has it, sealed by hand: what the store is given by others.
struct SampleBlob {
    let plain: [UInt8]
    let key: Bytes32
    let chunks: [[UInt8]]
    /// By page: the hashes of its chunks.
    let pages: [[Bytes32]]
    let manifest: BlobManifest

    /// - Parameter seed: files of different seeds differ.
    init(bytes: Int, seed: UInt64 = 1, author: MemberID = Sample.anna, event: EventID = .none) throws {
        var random = SplitMix64(seed: seed)
        // A piece of it, again and again: each chunk is sealed for its place.
        let piece = (0..<min(bytes, 4_099)).map { _ in UInt8.random(in: 0...255, using: &random) }
        plain = [UInt8](unsafeUninitializedCapacity: bytes) { buffer, initialized in
            for place in 0..<bytes { buffer[place] = piece[place % piece.count] }
            initialized = bytes
        }
        key = Sample.bytes(UInt8(truncatingIfNeeded: seed))
        guard let shape = BlobShape(size: UInt64(bytes)) else { throw StoreError.blobMissing }
        let seal = BlobSeal(key: key)
        let plain = plain
        chunks = (0..<shape.chunkCount).map { chunk in
            let start = chunk * Limits.blobChunkBytes
            return seal.seal(
                chunk: plain[start..<start + shape.chunkBytes(chunk)], index: chunk, isLast: shape.isLast(chunk))
        }
        let chunks = chunks
        pages = (0..<shape.pageCount).map { page in
            shape.chunks(ofPage: page).map { BlobHash.chunk(chunks[$0]) }
        }
        let hashes = pages.map { BlobHash.page($0.flatMap(\.bytes)) }
        manifest = BlobManifest(
            id: BlobID(size: shape.size, pageHashes: hashes), author: author, event: event, shape: shape,
            pageHashes: hashes)
    }

    /// The sealed file.
    var sealed: [UInt8] { chunks.flatMap { $0 } }

    /// Takes it into the store, and some of its chunks.
    func add(to store: TourStore, chunks wanted: [Int], quota: BlobQuota = .free) throws -> BlobFile {
        let file = try store.addBlob(
            manifest, to: Sample.tour, quota: quota, isAsked: false, keeping: { _ in false })
        for (page, hashes) in pages.enumerated() { try file.savePage(page, hashes) }
        for chunk in wanted { try file.write(chunk, chunks[chunk]) }
        return file
    }

    func path(in scratch: Scratch, name: String = "data") -> String {
        "\(scratch.path)/\(name)/blobs/\(Sample.tour.hex)/\(manifest.id.hex)"
    }
}

extension BlobQuota {
    /// Bounds nothing but the share of the disk.
    static let free = BlobQuota(tourBytes: .max / 2, authorBytes: .max / 2, freeBytesMin: 0)
}

extension TourStore {
    /// Stores the author's next event, so that a file may belong to it.
    func appendSampleEvent(_ author: MemberID = Sample.anna) throws -> EventID {
        let sequence = (try heads(Sample.tour)[author]?.sequence ?? 0) + 1
        _ = try append(Sample.log(author, sequence...sequence), tour: Sample.tour, durable: true)
        return Sample.id(author, sequence)
    }
}
