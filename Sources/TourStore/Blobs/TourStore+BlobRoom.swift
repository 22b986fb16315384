import Foundation
import GRDB
import TourModel

// Room for files: within the quotas of their tour and author, and never the last of the disk. Files opened longest ago
// are evicted first, and those that nobody here requested before all others.
extension TourStore {
    /// Adds a file to be fetched, for the user or for others. Evicts files as far as necessary, and reserves the file's
    /// disk space at once. Opens a file that is already here.
    ///
    /// - Parameter isAsked: whether the user requested it: it then does not count against its author.
    /// - Parameter isKept: whether a file must stay, such as one of ours that nobody has yet. Open files always stay.
    ///   Called on this thread, inside a write: it must not use the store.
    /// - Throws: `noRoom`, `diskFull`: then nothing has changed.
    package func addBlob(
        _ manifest: BlobManifest, to tour: TourID, quota: BlobQuota, isAsked: Bool,
        keeping isKept: (BlobRecord) -> Bool
    ) throws(StoreError) -> BlobFile {
        let place = BlobPlace(tour: tour, id: manifest.id)
        let request = RoomRequest(tour: tour, author: manifest.author, shape: manifest.shape, isAsked: isAsked)
        let disk = try blobDirectory.disk()
        let (isNew, evicted) = try write(durable: true) { db -> (Bool, [BlobPlace]) in
            if let row = try blobRow(place, db) {
                if isAsked { try db.execute(sql: "UPDATE blob SET asked = 1 WHERE key = ?", arguments: [row.key]) }
                return (false, [])
            }
            let evicted = try makeRoom(request, quota, disk, isKept, db)
            _ = try insertBlob(manifest, to: tour, isComplete: false, isAsked: isAsked, db)
            return (true, evicted)
        }
        drop(evicted)
        do {
            let opened = try openBlob(manifest.id, of: tour)
            // Another call removed it meanwhile.
            guard let opened else { throw StoreError.blobMissing }
            if isNew { try opened.reserve() }
            return opened
        } catch {
            if isNew { try? removeBlob(manifest.id, of: tour) }
            throw StoreError(database: error)
        }
    }

    /// The room that a file needs.
    struct RoomRequest {
        var tour: TourID
        var author: MemberID
        var shape: BlobShape
        var isAsked: Bool
    }

    /// Deletes rows until there is room; call it inside a write, which is rolled back when there is none.
    /// - Returns: the files to remove from the disk after the write.
    func makeRoom(
        _ request: RoomRequest, _ quota: BlobQuota, _ disk: FreeSpace,
        _ isKept: (BlobRecord) -> Bool, _ db: Database
    ) throws -> [BlobPlace] {
        let tour = try db.makeKey(of: request.tour)
        let author = try db.makeKey(of: request.author, tourKey: tour)
        var gone: [BlobRow] = []
        func evict(_ excess: UInt64, _ condition: String, _ arguments: StatementArguments) throws -> Bool {
            try self.evict(excess, condition, arguments, isKept, &gone, db)
        }
        let room = request.shape.room
        if !request.isAsked {
            let used = try db.blobRoom("author = ? AND asked = 0", [author])
            let excess = (used + room).excess(over: quota.authorBytes)
            guard try evict(excess, "b.author = ? AND b.asked = 0", [author]) else { throw StoreError.noRoom(.author) }
        }
        let used = try db.blobRoom("tour = ?", [tour])
        guard try evict((used + room).excess(over: quota.tourBytes), "b.tour = ?", [tour]) else {
            throw StoreError.noRoom(.tour)
        }
        // The files evicted so far still occupy the disk.
        let free = disk.freeBytes + gone.reduce(0) { $0 + $1.record.manifest.shape.sealedSize }
        let needed = request.shape.sealedSize + quota.freeBytes(ofDisk: disk.bytes)
        guard try evict(needed.excess(over: free), "true", []) else { throw StoreError.noRoom(.disk) }
        return gone.map(\.place)
    }

    /// - Parameter excess: the bytes to free.
    /// - Returns: false when too few can be freed.
    private func evict(
        _ excess: UInt64, _ condition: String, _ arguments: StatementArguments, _ isKept: (BlobRecord) -> Bool,
        _ gone: inout [BlobRow], _ db: Database
    ) throws -> Bool {
        guard excess > 0 else { return true }
        var left = excess
        var rows: [BlobRow] = []
        try eachBlobRow(db, "WHERE \(condition) ORDER BY b.asked, b.used, b.key", arguments) { row in
            if !openBlobs.isOpen(row.place), !isKept(row.record) {
                rows.append(row)
                left -= min(left, row.record.manifest.shape.room)
            }
            return left > 0
        }
        guard left == 0 else { return false }
        for row in rows { try db.deleteBlob(row.key) }
        gone += rows
        return true
    }

    /// Adds a file's row; call it inside a write.
    /// - Returns: the row's key.
    func insertBlob(
        _ manifest: BlobManifest, to tour: TourID, isComplete: Bool, isAsked: Bool, _ db: Database
    ) throws -> Int64 {
        let details = seal(
            manifest.details, table: "blob", row: tour.bytes + manifest.id.bytes, column: "details")
        let tourKey = try db.makeKey(of: tour)
        let time = now()
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO blob (tour, id, author, event, details, room, complete, asked, added, used)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            tourKey, manifest.id.column, db.makeKey(of: manifest.author, tourKey: tourKey), manifest.event.column,
            details, Int64(manifest.shape.room), isComplete, isAsked, time, time,
        ])
        return db.lastInsertedRowID
    }
}

extension UInt64 {
    fileprivate func excess(over limit: UInt64) -> UInt64 { self > limit ? self - limit : 0 }
}

extension Database {
    /// The room of all files that meet the condition.
    fileprivate func blobRoom(_ condition: String, _ arguments: StatementArguments) throws -> UInt64 {
        let statement = try cachedStatement(sql: "SELECT coalesce(sum(room), 0) FROM blob WHERE \(condition)")
        return UInt64(clamping: try Int64.fetchOne(statement, arguments: arguments) ?? 0)
    }
}
