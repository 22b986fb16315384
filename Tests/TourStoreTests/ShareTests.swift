import GRDB
import Testing
import TourModel
import TourStore

// Goal: the store knows what each log takes, in whatever way it came, and takes nothing in ahead of a full one.
// Method: a real database; events whose lengths are known.
@Suite struct ShareTests {
    private let scratch: Scratch
    private let directory: DataDirectory
    private let store: TourStore
    private static let longest = [UInt8](repeating: 5, count: Limits.sealedBodyBytesMax)

    init() throws {
        scratch = try Scratch()
        directory = try DataDirectory(path: scratch.path + "/data")
        store = try TourStore(directory: directory, storageKey: Sample.key, decode: Sample.decode)
    }

    private func size(_ author: MemberID = Sample.anna) throws -> LogSize? {
        try store.heads(Sample.tour)[author]?.size
    }

    private func append(_ events: [Event]) throws {
        _ = try store.append(events.map { ($0, 1) }, tour: Sample.tour, durable: false)
    }

    private static let log = [
        Sample.event(Sample.anna, 1, clock: 1, class: .control, body: [1]),
        Sample.event(Sample.anna, 2, clock: 2, body: [1, 2]),
        Sample.event(Sample.anna, 3, clock: 3, class: .announcement, body: [1, 2, 3]),
        Sample.event(Sample.anna, 4, clock: 4, class: .announcement, body: [1, 2, 3, 4]),
    ]
    private static let whole = LogSize(sealed: 3 * 242 + 9, control: 243)

    @Test func itGrowsWithTheLog() throws {
        try append(Array(Self.log[..<2]))
        #expect(try size() == LogSize(sealed: 244, control: 243))
        try append(Array(Self.log[2...]))
        #expect(try size() == Self.whole)
        #expect(try size(Sample.bert) == nil)
    }

    @Test func whatCameAheadCountsInItsPlace() throws {
        _ = try store.append(ahead: [(Self.log[3], 1), (Self.log[2], 1)], tour: Sample.tour)
        #expect(try size() == nil)
        try append(Array(Self.log[..<2]))
        #expect(try size() == Self.whole)
    }

    /// Of a database of before the logs were measured.
    @Test func olderLogsAreMeasured() throws {
        try append(Self.log)
        try append([Sample.event(Sample.bert, 1, clock: 1)])
        try store.close()
        let queue = try DatabaseQueue(path: scratch.path + "/data/tour.sqlite")
        try queue.write { db in
            try db.execute(
                sql: """
                    ALTER TABLE event DROP COLUMN sealed_bytes; ALTER TABLE event DROP COLUMN control_bytes;
                    DROP TABLE archive;
                    DELETE FROM grdb_migrations WHERE identifier IN ('5-log-sizes', '6-archive');
                    """)
        }
        try queue.close()
        let again = try TourStore(directory: directory, storageKey: Sample.key, decode: Sample.decode)
        #expect(try again.heads(Sample.tour)[Sample.anna]?.size == Self.whole)
        #expect(try again.heads(Sample.tour)[Sample.bert]?.size == LogSize(sealed: 245))
    }

    @Test func nothingIsAheadOfAFullLog() throws {
        let count = UInt64(Limits.sealedLogBytesMax / (242 + Self.longest.count) + 1)
        let early = Sample.event(Sample.anna, count + 1, clock: 9_999, class: .announcement)
        _ = try store.append(ahead: [(early, 1)], tour: Sample.tour)
        try append((1...count - 1).map { Sample.event(Sample.anna, $0, clock: $0, body: Self.longest) })
        #expect(try store.aheadEvents(Sample.tour) == [early])
        try append([Sample.event(Sample.anna, count, clock: count, body: Self.longest)])
        #expect(try store.aheadEvents(Sample.tour).isEmpty)
        #expect(try store.heads(Sample.tour)[Sample.anna]?.sequence == count)
        #expect(try store.append(ahead: [(early, 1)], tour: Sample.tour).isEmpty)
        // A control event still goes on.
        try append([Sample.event(Sample.anna, count + 1, clock: count + 1, class: .control)])
        #expect(try store.heads(Sample.tour)[Sample.anna]?.sequence == count + 1)
    }

    @Test func controlEventsThatCountForNothingGo() throws {
        let events = Self.log[..<2].map { (id: $0.id, bytes: $0.bytes) }
        try store.addControlEvents(Sample.tour, events, durable: false)
        try store.removeControlEvents(Sample.tour, [events[0].id])
        #expect(try store.controlEvents(Sample.tour) == [events[1].bytes])
    }
}
