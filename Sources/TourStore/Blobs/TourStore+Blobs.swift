import Foundation
import GRDB
import TourCrypto
import TourModel

// The files that are here. Their bytes are beside the database: see `BlobDirectory` and `BlobFile`.
extension TourStore {
    /// The tour's files in the order in which they were added.
    package func blobs(_ tour: TourID) throws(StoreError) -> [BlobRecord] {
        try read { db in try blobRows(db, "WHERE t.id = ? ORDER BY b.key", [tour.column]).map(\.record) }
    }

    /// - Returns: nil for a file that is neither here nor being fetched.
    package func blob(_ id: BlobID, of tour: TourID) throws(StoreError) -> BlobRecord? {
        try read { db in try blobRow(BlobPlace(tour: tour, id: id), db)?.record }
    }

    /// Opens a file that has a row. An incomplete one is scanned for its chunks, which takes some seconds for each
    /// gigabyte.
    /// - Returns: nil without a row; the same object as before while somebody has it open.
    package func openBlob(_ id: BlobID, of tour: TourID) throws(StoreError) -> BlobFile? {
        let place = BlobPlace(tour: tour, id: id)
        return try openBlobs.file(place) { () throws(StoreError) in
            guard let row = try read({ db in try blobRow(place, db) }) else { return nil }
            let (key, record) = (row.key, row.record)
            let file = try open(record, key)
            try write(durable: false) { db in
                try db.cachedStatement(sql: "UPDATE blob SET used = ? WHERE key = ?").execute(arguments: [now(), key])
            }
            return file
        }
    }

    private func open(_ record: BlobRecord, _ key: Int64) throws(StoreError) -> BlobFile {
        let place = BlobPlace(tour: record.tour, id: record.manifest.id)
        let pages = try read { db in try blobPages(of: record.manifest, key, db) }
        let data = BlobData(record.manifest.shape, descriptor: try blobDirectory.open(place))
        let isWhole = try data.setSize() && pages.count == record.manifest.shape.pageCount
        if record.isComplete, !isWhole { try setBlobComplete(row: key, false) }
        return try BlobFile(
            store: self, record: record, row: key, pages: pages, data: data, isComplete: record.isComplete && isWhole)
    }

    /// Records the file's event: call it before the event is stored, to distinguish a file that was sent from one whose
    /// event never came to be. Durable.
    package func claimBlob(_ id: BlobID, of tour: TourID, for event: EventID) throws(StoreError) {
        try changeBlob(id, tour, "event = ?", [event.column])
    }

    /// Removes a file from the store and the disk. Its holders may still read it.
    package func removeBlob(_ id: BlobID, of tour: TourID) throws(StoreError) {
        let place = BlobPlace(tour: tour, id: id)
        try write(durable: true) { db in
            if let row = try blobRow(place, db) { try db.deleteBlob(row.key) }
        }
        drop([place])
    }

    /// Removes files that no longer have a row from the disk.
    func drop(_ places: [BlobPlace]) {
        let gone = Set(places)
        openBlobs.forget { gone.contains($0) }
        for place in places { blobDirectory.remove(place) }
    }

    private func changeBlob(
        _ id: BlobID, _ tour: TourID, _ change: String, _ values: StatementArguments
    ) throws(StoreError) {
        try write(durable: true) { db in
            let statement = try db.cachedStatement(
                sql: "UPDATE blob SET \(change) WHERE tour = (SELECT key FROM tour WHERE id = ?) AND id = ?")
            try statement.execute(arguments: values + [tour.column, id.column])
        }
    }
}

// Changes of rows by open files.
extension TourStore {
    /// Does nothing for a file that was removed.
    func insertBlobPage(row: Int64, page: Int, hashes: [UInt8]) throws(StoreError) {
        try write(durable: true) { db in
            let statement = try db.cachedStatement(
                sql: "INSERT OR REPLACE INTO blob_page SELECT key, ?, ? FROM blob WHERE key = ?")
            try statement.execute(arguments: [page, Data(hashes), row])
        }
    }

    func setBlobComplete(row: Int64, _ isComplete: Bool) throws(StoreError) {
        try write(durable: true) { db in
            try db.cachedStatement(sql: "UPDATE blob SET complete = ? WHERE key = ?")
                .execute(arguments: [isComplete, row])
        }
    }
}

// Reading of rows.
extension TourStore {
    /// A row with its key.
    struct BlobRow {
        var key: Int64
        var record: BlobRecord

        var place: BlobPlace { BlobPlace(tour: record.tour, id: record.manifest.id) }
    }

    func blobRow(_ place: BlobPlace, _ db: Database) throws -> BlobRow? {
        try blobRows(db, "WHERE t.id = ? AND b.id = ?", [place.tour.column, place.id.column]).first
    }

    func blobRows(_ db: Database, _ selection: String, _ arguments: StatementArguments) throws -> [BlobRow] {
        var rows: [BlobRow] = []
        try eachBlobRow(db, selection, arguments) { row in
            rows.append(row)
            return true
        }
        return rows
    }

    /// - Parameter selection: a condition and an order over b, the file, t, its tour, and a, its author.
    /// - Parameter body: must not change rows; returns false to stop.
    func eachBlobRow(
        _ db: Database, _ selection: String, _ arguments: StatementArguments, _ body: (BlobRow) -> Bool
    ) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT b.key, t.id, b.id, a.id, b.event, b.details, b.complete, b.asked, b.added, b.used
                FROM blob AS b JOIN tour AS t ON t.key = b.tour JOIN author AS a ON a.key = b.author
                """ + " " + selection)
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        while let row = try rows.next() {
            guard body(try blobRow(row)) else { return }
        }
    }

    private func blobRow(_ row: Row) throws -> BlobRow {
        let tour = try TourID(column: row.data(1))
        let id = try BlobID(column: row.data(2))
        let details = try open(row.data(5), table: "blob", row: tour.bytes + id.bytes, column: "details")
        let manifest = try BlobManifest(
            id: id, author: MemberID(column: row.data(3)), event: EventID(column: row.data(4)), details: details)
        let record = try BlobRecord(
            tour: tour, manifest: manifest, isComplete: row.integer(6) != 0, isAsked: row.integer(7) != 0,
            addedAt: row.integer(8), usedAt: row.integer(9))
        return BlobRow(key: try row.integer(0), record: record)
    }

    /// The pages that match the manifest; a page that does not is requested again.
    private func blobPages(of manifest: BlobManifest, _ key: Int64, _ db: Database) throws -> [Int: [Bytes32]] {
        let statement = try db.cachedStatement(sql: "SELECT page, hashes FROM blob_page WHERE blob = ?")
        var pages: [Int: [Bytes32]] = [:]
        for row in try Row.fetchAll(statement, arguments: [key]) {
            let page = Int(try row.integer(0))
            let hashes = try row.bytes(1)
            guard manifest.pageHashes.indices.contains(page), BlobHash.page(hashes) == manifest.pageHashes[page],
                hashes.count == manifest.shape.chunks(ofPage: page).count * Bytes32.count
            else { continue }
            pages[page] = stride(from: 0, to: hashes.count, by: Bytes32.count).compactMap {
                Bytes32(hashes[$0..<min($0 + Bytes32.count, hashes.count)])
            }
        }
        return pages
    }
}

extension Database {
    /// Deletes a file's rows; call it inside a write. The caller removes the file itself afterwards.
    func deleteBlob(_ key: Int64) throws {
        try cachedStatement(sql: "DELETE FROM blob_page WHERE blob = ?").execute(arguments: [key])
        try cachedStatement(sql: "DELETE FROM blob WHERE key = ?").execute(arguments: [key])
    }
}
