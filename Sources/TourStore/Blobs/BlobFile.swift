import Synchronization
import TourCrypto
import TourModel

/// One file that is here, whole or in part, open for reading and writing. Calls may come from any thread; each blocks
/// until it is done, writers one after the other, readers beside them. Holds one descriptor while it exists.
///
/// The order on the disk: a page's hashes are durable before `savePage` returns, and so before any chunk of it is
/// written. Chunks are written in place; at most every `BlobFile.syncBytes`, and after the last one, the writer waits
/// for the disk. Only then the row records the file as complete. So after the end of the process every written chunk is
/// found again by its hash, and after a power cut those that the disk has. Only a complete file is trusted without a
/// scan, and each of its chunks is verified when it is read.
package final class BlobFile: Sendable {
    /// The bytes written between two waits for the disk: the most that a power cut costs, and few enough for a memory
    /// card.
    static let syncBytes = 1024 * 1024

    /// The tour of the file.
    package let tour: TourID
    /// The file's author, event, size and hashes.
    package let manifest: BlobManifest
    private let store: TourStore
    private let row: Int64
    private let data: BlobData
    private let known: Mutex<Known>
    /// The lock that a writer holds.
    private let unsynced = Mutex(Unsynced())

    /// The chunks written since the last wait for the disk.
    private struct Unsynced {
        private static let chunksMax = BlobFile.syncBytes / Limits.blobChunkBytes

        var chunks: [Int] = []
        /// The first wait comes sooner, at random: all receivers of a cast write the same chunks at the same time, and
        /// those that share a disk would otherwise wait for it together.
        private var room = Int.random(in: 1...chunksMax)

        var isFull: Bool { chunks.count >= room }

        mutating func drain() -> [Int] {
            defer { (chunks, room) = ([], Self.chunksMax) }
            return chunks
        }
    }

    private struct Known {
        var have: ChunkSet
        /// The hashes of each page's chunks.
        var pages: [Int: [Bytes32]]
        /// Whether the row records the file as complete.
        var isComplete: Bool
    }

    /// - Parameter data: already of the right length.
    /// - Parameter isComplete: as recorded in the row; false if the file's length disproves it.
    init(
        store: TourStore, record: BlobRecord, row: Int64, pages: [Int: [Bytes32]], data: BlobData, isComplete: Bool
    ) throws(StoreError) {
        self.store = store
        self.row = row
        self.data = data
        tour = record.tour
        manifest = record.manifest
        let have =
            isComplete
            ? ChunkSet.all(manifest.shape.chunkCount)
            : try data.scan { Self.hash(of: $0, in: pages) }
        known = Mutex(Known(have: have, pages: pages, isComplete: isComplete))
        // Nothing is missing, yet the row does not record it: the process ended between the two.
        if have.isFull && !isComplete {
            try data.synchronize()
            try recordComplete()
        }
    }

    /// The file's size, and its chunks and pages.
    package var shape: BlobShape { manifest.shape }

    /// The chunks that are here, each verified when it arrived or when the file was opened. A failed read or
    /// synchronisation removes chunks from it.
    package var have: ChunkSet { known.withLock { $0.have } }

    /// Whether all chunks are here and durable.
    package var isComplete: Bool { known.withLock { $0.isComplete } }

    /// The known pages: the hashes of each one's chunks, in order.
    package var pages: [Int: [Bytes32]] { known.withLock { $0.pages } }

    /// Stores a page's hashes durably. The caller has verified them against the manifest's hash of the page.
    package func savePage(_ page: Int, _ hashes: [Bytes32]) throws(StoreError) {
        precondition(hashes.count == shape.chunks(ofPage: page).count, "a hash for each chunk")
        guard known.withLock({ $0.pages[page] == nil }) else { return }
        try store.insertBlobPage(row: row, page: page, hashes: hashes.flatMap(\.bytes))
        known.withLock { $0.pages[page] = hashes }
    }

    /// Stores a sealed chunk, which the caller has verified against its page. When the last missing chunk is written,
    /// the file is complete and durable on return. A chunk that is already here is not written again.
    /// - Throws: `blobMissing` for a chunk whose page is not stored; `diskFull` among others. Then `have` lists what is
    ///   left: not this chunk, and if the disk failed to write earlier data, none since its last success. The caller
    ///   may repeat the call.
    package func write(_ chunk: Int, _ sealed: [UInt8]) throws(StoreError) {
        try unsynced.withLock { unsynced throws(StoreError) in
            if !known.withLock({ $0.have.contains(chunk) }) {
                guard known.withLock({ Self.hash(of: chunk, in: $0.pages) }) != nil else { throw .blobMissing }
                try data.write(sealed, chunk: chunk)
                unsynced.chunks.append(chunk)
                known.withLock { _ = $0.have.insert(chunk) }
            }
            let isFull = known.withLock { $0.have.isFull && !$0.isComplete }
            if isFull || unsynced.isFull { try flush(&unsynced) }
            if isFull { try recordComplete() }
        }
    }

    /// Waits until the disk has everything written so far: for a transfer that pauses.
    package func synchronize() throws(StoreError) {
        try unsynced.withLock { unsynced throws(StoreError) in try flush(&unsynced) }
    }

    /// Reads a sealed chunk and verifies it once more: disks fail.
    /// - Throws: `blobMissing` for a chunk that is not here; `damaged(.blob)` for one that has changed: fetch it again.
    package func read(_ chunk: Int) throws(StoreError) -> [UInt8] {
        let hash = known.withLock { $0.have.contains(chunk) ? Self.hash(of: chunk, in: $0.pages) : nil }
        guard let hash else { throw .blobMissing }
        let sealed = try data.read(chunk: chunk)
        guard sealed.count == shape.sealedBytes(chunk), BlobHash.chunk(sealed) == hash else {
            forget(chunk)
            throw .damaged(.blob)
        }
        return sealed
    }

    /// Reserves the disk space for the whole file.
    func reserve() throws(StoreError) { try data.reserve() }

    /// Waits for the disk. The system discards data that it fails to write, and reports that once: trust none of it.
    private func flush(_ unsynced: inout Unsynced) throws(StoreError) {
        let written = unsynced.drain()
        guard !written.isEmpty else { return }
        do {
            try data.synchronize()
        } catch {
            known.withLock { for chunk in written { $0.have.remove(chunk) } }
            throw error
        }
    }

    private func recordComplete() throws(StoreError) {
        try store.setBlobComplete(row: row, true)
        known.withLock { $0.isComplete = true }
    }

    private func forget(_ chunk: Int) {
        let wasComplete = known.withLock { known in
            known.have.remove(chunk)
            defer { known.isComplete = false }
            return known.isComplete
        }
        // If this cannot be recorded, the next read after a start finds it again.
        if wasComplete { try? store.setBlobComplete(row: row, false) }
    }

    private static func hash(of chunk: Int, in pages: [Int: [Bytes32]]) -> Bytes32? {
        pages[chunk / Limits.blobPageHashesMax]?[chunk % Limits.blobPageHashesMax]
    }
}
