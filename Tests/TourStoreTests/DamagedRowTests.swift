import Foundation
import GRDB
import Testing
import TourCrypto
import TourModel
import TourNotebook
import TourStore

/// Goal: whatever somebody wrote into a row, or a disk forgot of it, is damage that is told, and never the end of the
/// process. Method: every column of every table holds each of some values that nobody writes there, in a copy of a
/// database whose tables know no rules any more; all that is read of a store is read then.
@Suite struct DamagedRowTests {
    private static let values: [DatabaseValue] = [
        .null, "text".databaseValue, 1.5.databaseValue, Data().databaseValue, Int64.min.databaseValue,
        Int64.max.databaseValue,
    ]

    /// A store with something in every table.
    private static func filled(_ scratch: Scratch) throws {
        let store = try Sample.store(scratch)
        let secrets = SecretBytes([1, 2, 3])
        try store.saveTour(
            TourRecord(
                tour: Sample.tour, ownMember: Sample.anna, secrets: secrets, name: "Rome", usedAt: 1, readThrough: .zero
            ))
        let events = try store.append(Sample.log(Sample.anna, 1...3), tour: Sample.tour, durable: true)
        _ = try store.append(
            [(Sample.event(Sample.bert, 1, clock: 7, class: .control), 2)], tour: Sample.tour, durable: true)
        _ = try store.append(
            ahead: [(Sample.event(Sample.bert, 5, clock: 9, class: .announcement), 1)], tour: Sample.tour)
        try store.archive([(events[0].row, [1])])
        try store.raiseWatermarks(Sample.tour, [Watermark(author: Sample.anna, sentThrough: 2)])
        try store.saveFrontierRows(
            Sample.tour,
            [FrontierRecord(member: Sample.bert, counter: 3, bytes: [1], signature: [2], receivedAt: 4)])
        try store.rememberAddress(Sample.tour, RememberedAddress(address: "192.0.2.1", port: 7, usedAt: 8))
        try store.recordSynced(Sample.tour, heads: [Sample.anna: 2], at: 5, by: Sample.bert)
        try store.keepPresence(
            Sample.tour, signs: [SignRecord(member: Sample.bert, seenAt: 1, counter: 2)], receipts: [Sample.bert: [1]])
        try store.editNotebook([.put(place, .place(SavedPlace(title: "Tower", url: "geo:1,2")))], now: 9)
        let picture = NotebookAttachment(id: id(2), role: .picture, name: "a", media: "image/png", bytes: 3)
        try store.editNotebook([.attach(place, picture, [1, 2, 3])], now: 9)
        _ = try store.claimNotebook(for: "ada")
        let blob = try SampleBlob(bytes: 10, event: Sample.id(Sample.anna, 1))
        let file = try store.addBlob(
            blob.manifest, to: Sample.tour, quota: BlobQuota(freeBytesMin: 0), isAsked: true, keeping: { _ in true })
        try file.savePage(0, blob.pages[0])
        // All of it in the one file that is copied.
        try store.checkpoint(.whole)
        try store.close()
    }

    private static let place = id(1)

    private static func id(_ number: UInt64) -> NotebookID { NotebookID(high: 1, low: number) }

    private static func readAll(_ store: TourStore) {
        let tour = Sample.tour
        _ = try? store.tours()
        _ = try? store.heads(tour)
        _ = try? store.controlEvents(tour)
        _ = try? store.controlIDs(tour, author: Sample.bert, through: 9)
        _ = try? store.aheadEvents(tour)
        _ = try? store.watermarks(tour)
        _ = try? store.receiptSteps(tour)
        _ = try? store.signs(tour)
        _ = try? store.frontierRows(tour)
        _ = try? store.syncedHeads(tour)
        _ = try? store.syncedRecord(tour, author: Sample.anna, sequence: 1)
        _ = try? store.addresses(tour)
        _ = try? store.profileEvents(tour)
        _ = try? store.messages(tour, MessageQuery())
        _ = try? store.rows(tour, afterRow: 0, limit: 9)
        _ = try? store.stored(tour, author: Sample.anna, from: 1, through: 9)
        _ = try? store.events(tour, author: Sample.anna, from: 1, through: 9, bytesMax: 9_999)
        _ = try? store.urgentEvents(tour, author: Sample.bert, from: 1, through: 9, limit: 9)
        _ = try? store.firstSequence(tour, author: Sample.anna, above: 0, clockAtLeast: .zero)
        _ = try? store.blobs(tour)
        _ = try? store.openBlob(SampleBlob(bytes: 10).manifest.id, of: tour)
        for kind in NotebookKind.allCases { _ = try? store.notebook(kind) }
        _ = try? store.notebookFileBytes(id(2))
        _ = try? store.nextNotebookExchange(after: 0, limit: 9, withRefused: true)
        _ = try? store.nextNotebookUpload(after: 0, withRefused: true)
        _ = try? store.setting("notebook-account")
        _ = try? store.editNotebook([.put(place, .place(SavedPlace(title: "Bridge", url: "geo:1,3")))], now: 10)
        for author in [Sample.anna, Sample.bert] {
            let head = (try? store.heads(tour)[author]) ?? nil
            let next = (head?.sequence ?? 0) + 1
            let event = Sample.event(author, next, clock: 100, previous: head?.id ?? EventID.none)
            _ = try? store.append([(event, 1)], tour: tour, durable: true)
            _ = try? store.markSeen(tour, [event.id])
        }
    }

    private static func changed(_ original: [UInt8], _ scratch: Scratch, _ change: (Database) throws -> Void) throws {
        let path = scratch.path + "/data/tour.sqlite"
        for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
        Scratch.write(original, to: path)
        let database = try DatabaseQueue(path: path)
        try database.writeWithoutTransaction(change)
        try database.close()
    }

    @Test func noColumnEndsTheProcess() throws {
        let scratch = try Scratch()
        try Self.filled(scratch)
        let path = scratch.path + "/data/tour.sqlite"
        try Self.changed(Scratch.bytes(path), scratch) { db in
            try db.execute(
                sql: """
                    PRAGMA journal_mode = DELETE;
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table';
                    """)
        }
        let original = Scratch.bytes(path)
        var columns: [(table: String, column: String)] = []
        try Self.changed(original, scratch) { db in
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
            for table in tables where table != "grdb_migrations" {
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0 > 0, "\(table) is empty")
                columns += try db.columns(in: table).map { (table, $0.name) }
            }
        }
        #expect(columns.count > 80)
        for (table, column) in columns {
            for value in Self.values {
                try Self.changed(original, scratch) { db in
                    // SQLite takes no text as a row's number.
                    try? db.execute(sql: "UPDATE OR REPLACE \(table) SET \(column) = ?", arguments: [value])
                }
                if let store = try? Sample.store(scratch) {
                    Self.readAll(store)
                    try? store.close()
                }
            }
        }
    }

    /// An event says otherwise than its row where it stands.
    @Test func listingEnds() throws {
        let scratch = try Scratch()
        try Self.filled(scratch)
        let path = scratch.path + "/data/tour.sqlite"
        try Self.changed(Scratch.bytes(path), scratch) { db in try db.execute(sql: "UPDATE event SET clock = clock + 9")
        }
        let store = try Sample.store(scratch)
        var cursor = MessageCursor(MessageQuery())
        var pages = 0
        while pages < 100, let page = try? store.next(&cursor, Sample.tour, count: 1), !page.isEmpty { pages += 1 }
        #expect(pages < 100)
        try store.close()
    }

    /// Told, and the rest of the store is read.
    @Test func whatIsNoNumberIsDamage() throws {
        let scratch = try Scratch()
        try Self.filled(scratch)
        let path = scratch.path + "/data/tour.sqlite"
        try Self.changed(Scratch.bytes(path), scratch) { db in try db.execute(sql: "UPDATE sign SET seen = 'soon'") }
        let store = try Sample.store(scratch)
        #expect(throws: StoreError.damaged(.database)) { try store.signs(Sample.tour) }
        #expect(try store.heads(Sample.tour).count == 2)
        try store.close()
    }
}
