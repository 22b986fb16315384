import Foundation
import GRDB
import TourCrypto
import TourModel

extension TourStore {
    /// A file that is sealed and kept, and not sent yet.
    package struct SealedFile: Hashable, Sendable {
        /// Without an event.
        package let manifest: BlobManifest
        /// Opens it; kept nowhere here.
        package let key: Bytes32
    }

    /// Seals a file of the user's under a new key, chunk by chunk, and keeps it: complete and durable when this
    /// returns. Its event follows: see `claimBlob`. What is cut short leaves nothing behind, if need be from the next
    /// start on.
    ///
    /// - Parameter isKept: as in `addBlob`.
    /// - Parameter progress: bytes read so far and all of them, after each chunk, on this thread; false ends it.
    /// - Throws: `badPath` for what is no file that can be sent; `noRoom`, `diskFull`, `cancelled`.
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

    /// - Returns: the chunks' hashes by page; the disk has all of it.
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
            // Little by little: a wait for a gigabyte at once would hold up every commit.
            if (chunk + 1) * Limits.blobChunkBytes % Limits.blobSyncBytes == 0 { try data.synchronize() }
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
