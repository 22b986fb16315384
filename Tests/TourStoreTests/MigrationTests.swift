import GRDB
import Glibc
import Synchronization
import Testing
import TourCrypto
import TourModel
import TourStore

/// Goal: an upgrade keeps everything, whatever interrupts it: a full disk, the end of the process, a power cut.
/// Method: a database put back to the form of an older version, which is upgraded on a small disk, and copied from the
/// disk again and again meanwhile.
@Suite struct MigrationTests {
    private static let isRoot = geteuid() == 0
    private static let count: UInt64 = 4_000

    /// A database of the form before it was known which messages were displayed, with messages that were.
    private static func makeOlder(_ scratch: Scratch) throws {
        let store = try Sample.store(scratch)
        try store.saveTour(
            TourRecord(
                tour: Sample.tour, ownMember: Sample.anna, secrets: SecretBytes([1]), name: "Rome", usedAt: 1,
                readThrough: LogicalClock(value: .max)))
        _ = try store.append(
            Sample.log(Sample.anna, 1...count, clock: 1, step: 1), tour: Sample.tour, durable: true)
        try store.checkpoint(.whole)
        try store.close()
        let queue = try DatabaseQueue(path: scratch.path + "/data/tour.sqlite")
        try queue.write { db in
            try db.execute(
                sql: """
                    DROP TABLE sign; DROP TABLE receipt; DROP INDEX event_unseen; ALTER TABLE event DROP COLUMN seen;
                    DROP INDEX event_order; DROP INDEX event_announced; ALTER TABLE event DROP COLUMN place;
                    CREATE INDEX event_order ON event (tour, clock) WHERE class NOT IN (0, 3);
                    DELETE FROM grdb_migrations WHERE identifier IN ('10-seen', '11-presence', '12-place');
                    """)
        }
        try queue.close()
        #expect(try seen(scratch.path + "/data") == nil)
    }

    /// How many messages count as displayed; nil in the older form.
    private static func seen(_ directory: String) throws -> Int? {
        let queue = try DatabaseQueue(path: directory + "/tour.sqlite")
        defer { try? queue.close() }
        return try queue.read { db in
            guard try db.columns(in: "event").contains(where: { $0.name == "seen" }) else { return nil }
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM event WHERE seen = 1")
        }
    }

    private static func expectWhole(_ store: TourStore) throws {
        #expect(try store.heads(Sample.tour)[Sample.anna]?.sequence == count)
        #expect(try store.messages(Sample.tour, MessageQuery()).count == Int(count))
        #expect(try store.tours().map(\.name) == ["Rome"])
        try store.verify()
    }

    @Test func anOlderDatabaseIsBroughtForward() throws {
        let scratch = try Scratch()
        try Self.makeOlder(scratch)
        try Self.expectWhole(Sample.store(scratch))
        #expect(try Self.seen(scratch.path + "/data") == Int(Self.count))
        // And only once.
        try Self.expectWhole(Sample.store(scratch))
    }

    @Test(.enabled(if: isRoot, "mounting a small file system takes root"))
    func aFullDiskLeavesTheOlderDatabase() throws {
        let scratch = try Scratch(megabytes: 8)
        try Self.makeOlder(scratch)
        let room = try #require(FreeSpace(at: scratch.path)).freeBytes
        // Enough to open it, and not to write every message anew.
        Scratch.write([UInt8](repeating: 1, count: Int(room) - 200_000), to: scratch.path + "/ballast")
        #expect(throws: StoreError.diskFull) { _ = try Sample.store(scratch) }
        #expect(throws: StoreError.diskFull) { _ = try Sample.store(scratch) }
        #expect(try Self.seen(scratch.path + "/data") == nil)
        unlink(scratch.path + "/ballast")
        try Self.expectWhole(Sample.store(scratch))
        #expect(try Self.seen(scratch.path + "/data") == Int(Self.count))
    }

    /// While the upgrade runs nothing moves the log into the database: a copy of the two, whenever it is made, is what
    /// the end of the process or of the power leaves.
    @Test func anInterruptedUpgradeLosesNothing() async throws {
        let scratch = try Scratch()
        try Self.makeOlder(scratch)
        let path = scratch.path
        // Before the first step, during the steps, and behind the last.
        Self.copy(path, 0)
        let upgrade = Upgrade()
        let running = Task.detached {
            defer { upgrade.isDone.store(true, ordering: .releasing) }
            return try TourStore(
                directory: DataDirectory(path: path + "/data"), storageKey: Sample.key, decode: Sample.decode)
        }
        var copies = 1
        while copies < 100, !upgrade.isDone.load(ordering: .acquiring) {
            Self.copy(path, copies)
            copies += 1
            await Task.yield()
        }
        let store = try await running.value
        Self.copy(path, copies)
        for number in 0...copies {
            try Self.expectWhole(Sample.store(scratch, name: "copy\(number)"))
            #expect(try Self.seen(path + "/copy\(number)") == Int(Self.count))
        }
        try Self.expectWhole(store)
    }

    private final class Upgrade: Sendable {
        let isDone = Atomic(false)
    }

    private static func copy(_ path: String, _ number: Int) {
        mkdir(path + "/copy\(number)", 0o700)
        for name in ["tour.sqlite", "tour.sqlite-wal"] {
            Scratch.write(Scratch.bytes(path + "/data/" + name), to: path + "/copy\(number)/" + name)
        }
    }

    /// What a later version wrote stays as it is.
    @Test func aLaterDatabaseIsRefusedUnchanged() throws {
        let scratch = try Scratch()
        try Sample.store(scratch).close()
        let queue = try DatabaseQueue(path: scratch.path + "/data/tour.sqlite")
        try queue.write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('99-later'); CREATE TABLE later (a);")
        }
        try queue.close()
        #expect(throws: StoreError.newer) { _ = try Sample.store(scratch) }
        let again = try DatabaseQueue(path: scratch.path + "/data/tour.sqlite")
        let (isThere, starts) = try again.read { db in
            (try db.tableExists("later"), try Int.fetchOne(db, sql: "SELECT starts FROM meta"))
        }
        #expect(isThere && starts == 1)
        try again.close()
    }
}
