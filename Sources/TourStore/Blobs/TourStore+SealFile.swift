import Foundation
import GRDB
import TourCrypto
import TourModel

extension TourStore {
    /// A file that is sealed and stored, and not sent yet.
    package struct SealedFile: Hashable, Sendable {
        /// The manifest, still without an event.
        package let manifest: BlobManifest
        /// The key that opens it; the store does not keep it.
        package let key: Bytes32
    }

    /// Seals one of the user's files under a new key, chunk by chunk, and stores it: it is complete and durable when
    /// this returns. Its event follows: see `claimBlob`. An interrupted call leaves nothing behind, at the latest after
    /// the next start.
    ///
    /// - Parameter isKept: as in `addBlob`.
    /// - Parameter progress: receives the bytes read and the total after each chunk, on this thread; false stops.
    /// - Throws: `badPath` for a path that is no file to send; `noRoom`, `diskFull`, `cancelled`.
    package func sealFile(
        at path: String, author: MemberID, in tour: TourID, quota: BlobQuota, keeping isKept: (BlobRecord) -> Bool,
        progress: (_ done: UInt64, _ total: UInt64) -> Bool
    ) throws(StoreError) -> SealedFile {
        let source = try SourceFile(path)
        guard let shape = BlobShape(size: source.size) else { throw .badPath(path, .tooLong) }
        let disk = try blobDirectory.disk()
        let request = RoomRequest(tour: tour, author: author, shape: shape, isAsked: true)
        drop(try write(durable: true) { db in try makeRoom(request, quota, disk, isKept, db) })
        let key = BlobSeal.randomKey()
        let (descriptor, name) = try blobDirectory.makeTemporary(in: tour)
        do throws(StoreError) {
            let data = BlobData(shape, descriptor: descriptor)
            let pages = try Self.seal(source, BlobSeal(key: key), into: data, progress)
            let hashes = pages.map { BlobHash.page($0) }
            let manifest = BlobManifest(
                id: BlobID(size: shape.size, pageHashes: hashes), author: author, event: .none, shape: shape,
                pageHashes: hashes)
            let place = BlobPlace(tour: tour, id: manifest.id)
            try blobDirectory.keep(temporary: name, as: place)
            do {
                try insert(manifest, pages, in: tour)
            } catch {
                drop([place])
                throw error
            }
            return SealedFile(manifest: manifest, key: key)
        } catch {
            blobDirectory.discard(temporary: name, in: tour)
            throw error
        }
    }

    /// - Returns: the chunks' hashes by page; the disk then has all chunks.
    private static func seal(
        _ source: SourceFile, _ seal: BlobSeal, into data: BlobData, _ progress: (UInt64, UInt64) -> Bool
    ) throws(StoreError) -> [[UInt8]] {
        let shape = data.shape
        _ = try data.setSize()
        try data.reserve()
        var pages = [[UInt8]](repeating: [], count: shape.pageCount)
        var done: UInt64 = 0
        for chunk in 0..<shape.chunkCount {
            let plain = try source.read(count: shape.chunkBytes(chunk))
            let sealed = seal.seal(chunk: plain, index: chunk, isLast: shape.isLast(chunk))
            try data.write(sealed, chunk: chunk)
            BlobHash.chunk(sealed).append(to: &pages[shape.page(ofChunk: chunk)])
            done += UInt64(plain.count)
            // In small steps: one wait for a whole gigabyte would delay every commit.
            if (chunk + 1) * Limits.blobChunkBytes % BlobFile.syncBytes == 0 { try data.synchronize() }
            guard progress(done, shape.size) else { throw .cancelled }
        }
        try source.checkUnchanged()
        try data.synchronize()
        return pages
    }

    private func insert(_ manifest: BlobManifest, _ pages: [[UInt8]], in tour: TourID) throws(StoreError) {
        try write(durable: true) { db in
            let row = try insertBlob(manifest, to: tour, isComplete: true, isAsked: true, db)
            for (page, hashes) in pages.enumerated() {
                try db.cachedStatement(sql: "INSERT INTO blob_page (blob, page, hashes) VALUES (?, ?, ?)")
                    .execute(arguments: [row, page, Data(hashes)])
            }
        }
    }
}
