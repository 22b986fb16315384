import GRDB
import TourModel

extension TourStore {
    /// Runs at the start, before any file is open: removes the remains of interrupted work, files without a row and
    /// rows without an event; and marks missing files as incomplete, such as those after a restore from a backup.
    func tidyBlobs() throws(StoreError) {
        let rows = try read { db in try blobRows(db, "ORDER BY b.key", []) }
        let unsent = try read { db in try rows.filter { try !db.hasEvent($0.record.manifest.event) } }
        let sent = Set(rows.map(\.key)).subtracting(unsent.map(\.key))
        let absent = rows.filter { sent.contains($0.key) && $0.record.isComplete && !isOnDisk($0.record) }
        if !unsent.isEmpty || !absent.isEmpty {
            try write(durable: true) { db in
                for row in unsent { try db.deleteBlob(row.key) }
                for row in absent {
                    try db.cachedStatement(sql: "UPDATE blob SET complete = 0 WHERE key = ?")
                        .execute(arguments: [row.key])
                }
            }
        }
        let known = Set(rows.lazy.filter { sent.contains($0.key) }.map(\.place))
        blobDirectory.removeStrays { known.contains($0) }
    }

    private func isOnDisk(_ record: BlobRecord) -> Bool {
        let place = BlobPlace(tour: record.tour, id: record.manifest.id)
        return blobDirectory.size(of: place) == record.manifest.shape.sealedSize
    }
}

extension Database {
    fileprivate func hasEvent(_ id: EventID) throws -> Bool {
        let statement = try cachedStatement(sql: "SELECT 1 FROM event WHERE prefix = ? AND id = ?")
        return try Int64.fetchOne(statement, arguments: [id.prefixColumn, id.column]) != nil
    }
}
