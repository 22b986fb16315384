import Synchronization
import TourCrypto
import TourModel

/// One file that is here, whole or in part, open for reading and writing. Calls may come from any thread; each blocks
/// until it is done, writers one after the other, readers beside them. Holds one descriptor while it lives.
///
/// The order on the disk: a page's hashes are durable before `savePage` returns, and so before any chunk of it is
/// written. Chunks are written in place; after each `Limits.blobSyncBytes` at most, and after the last one, the disk
/// is waited for. Only then the row says that the file is complete. So after the end of the process every chunk that
/// was written is found again by its hash, and after a power cut those that the disk has; nothing is believed unseen
/// but a complete file, and of that each chunk is checked when it is read.
package final class BlobFile: Sendable {
    package let tour: TourID
    package let manifest: BlobManifest
    private let store: TourStore
    private let row: Int64
    private let data: BlobData
    private let known: Mutex<Known>
    /// Whoever writes holds this.
    private let unsynced = Mutex(Unsynced())

    /// Chunks that were written since the disk was waited for last.
    private struct Unsynced {
        private static let chunksMax = Limits.blobSyncBytes / Limits.blobChunkBytes

        var chunks: [Int] = []
        /// The first time sooner, by chance: all who hear a cast write the same at the same time, and those who share a
        /// disk would wait for it all at once.
        private var room = Int.random(in: 1...chunksMax)

        var isFull: Bool { chunks.count >= room }

        mutating func take() -> [Int] {
            defer { (chunks, room) = ([], Self.chunksMax) }
            return chunks
        }
    }

    private struct Known {
        var have: ChunkSet
        /// By page: the hashes of its chunks.
        var pages: [Int: [Bytes32]]
        /// As the row says.
        var isComplete: Bool
    }

    /// - Parameter data: of its right length.
    /// - Parameter isComplete: as the row says; false if the file's length showed that it is not.
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
        // Nothing is missing, and yet it was not said: the end came between the two.
        if have.isFull && !isComplete {
            try data.synchronize()
            try recordComplete()
        }
    }

    package var shape: BlobShape { manifest.shape }

    /// The chunks that are here, each checked when it came or when the file was opened. A failed read or wait for the
    /// disk takes chunks out of it.
    package var have: ChunkSet { known.withLock { $0.have } }

    /// Whether everything is here and durable.
    package var isComplete: Bool { known.withLock { $0.isComplete } }

    /// The pages that are known: the hashes of each one's chunks, in order.
    package var pages: [Int: [Bytes32]] { known.withLock { $0.pages } }

    /// Keeps a page's hashes, durably. They hash to what the manifest says of the page: whoever calls has checked it.
    package func savePage(_ page: Int, _ hashes: [Bytes32]) throws(StoreError) {
        precondition(hashes.count == shape.chunks(ofPage: page).count, "a hash for each chunk")
        guard known.withLock({ $0.pages[page] == nil }) else { return }
        try store.insertBlobPage(row: row, page: page, hashes: hashes.flatMap(\.bytes))
        known.withLock { $0.pages[page] = hashes }
    }

    /// Keeps a sealed chunk, which hashes to what its page says: whoever calls has checked it. With the last missing
    /// one the file is complete and durable when this returns. What is here already is not written again.
    /// - Throws: `blobMissing` for a chunk whose page was not kept; `diskFull` among others. `have` says what is left:
    ///   not this chunk, or, if the disk failed to take what it had been given, none since it last did. The same call
    ///   may be made again, and goes on.
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

    /// Waits until the disk has what was written so far: for a transfer that pauses.
    package func synchronize() throws(StoreError) {
        try unsynced.withLock { unsynced throws(StoreError) in try flush(&unsynced) }
    }

    /// A sealed chunk that is here, checked once more: disks forget.
    /// - Throws: `blobMissing` for a chunk that is not here; `damaged(.blob)` for one that is not what it was: it is to
    ///   be fetched again.
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

    /// Takes the room on the disk that the whole file needs.
    func reserve() throws(StoreError) { try data.reserve() }

    /// What could not be brought to the disk the system forgets, and says so once: none of it is believed.
    private func flush(_ unsynced: inout Unsynced) throws(StoreError) {
        let written = unsynced.take()
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
        // If this is not kept, the next read after a start finds it again.
        if wasComplete { try? store.setBlobComplete(row: row, false) }
    }

    private static func hash(of chunk: Int, in pages: [Int: [Bytes32]]) -> Bytes32? {
        pages[chunk / Limits.blobPageHashesMax]?[chunk % Limits.blobPageHashesMax]
    }
}
