import GRDB
import Glibc
import Testing
import TourCrypto
import TourModel
import TourStore

// Goal: what was acknowledged survives, secrets cannot be read from the files, and a bad disk, key or database is told
// apart before anything is acknowledged. Method: copies of the files of a store that was never closed, byte scans, a
// small file system of its own (as root), files of the wrong kind.
@Suite struct TourStoreTests {
    private static let isRoot = geteuid() == 0

    private func record(_ tour: TourID = Sample.tour, name: String = "Lisbon", usedAt: Int64 = 1) -> TourRecord {
        TourRecord(
            tour: tour, ownMember: Sample.anna, secrets: SecretBytes(Array("canary-secret-0815".utf8)), name: name,
            usedAt: usedAt,
            readThrough: LogicalClock(value: .max))
    }

    /// A copy of the database and its log as they lie on the disk now, as after the end of the process.
    private func copy(_ scratch: Scratch) throws {
        mkdir(scratch.path + "/copy", 0o700)
        for name in ["tour.sqlite", "tour.sqlite-wal"] {
            Scratch.write(Scratch.bytes(scratch.path + "/data/" + name), to: scratch.path + "/copy/" + name)
        }
    }

    @Test func settingsComeBack() throws {
        let store = try Sample.store(Scratch())
        #expect(try store.setting("a") == nil)
        try store.setSetting("a", value: [1, 2])
        try store.setSetting("b", value: [])
        try store.setSetting("a", value: [3])
        #expect(try store.setting("a") == [3])
        #expect(try store.setting("b") == [])
        try store.setSetting("a", value: nil)
        #expect(try store.setting("a") == nil)
    }

    @Test func toursComeBackLastUsedFirst() throws {
        let store = try Sample.store(Scratch())
        var first = record()
        try store.saveTour(first)
        let second = record(Sample.otherTour, name: "Porto 🌊", usedAt: 5)
        try store.saveTour(second)
        #expect(try store.tours() == [second, first])
        first.usedAt = 9
        first.active = false
        first.readThrough = .zero
        try store.saveTour(first)
        #expect(try store.tours() == [first, second])
    }

    @Test func progressChangesNothingElse() throws {
        let store = try Sample.store(Scratch())
        var tour = record()
        try store.saveTour(tour)
        tour.usedAt = 7
        tour.readThrough = LogicalClock(value: 3)
        try store.saveProgress(Sample.tour, usedAt: 7, readThrough: LogicalClock(value: 3))
        // Nothing is known of this one, and nothing is made up.
        try store.saveProgress(Sample.otherTour, usedAt: 8, readThrough: .zero)
        #expect(try store.tours() == [tour])
    }

    @Test func removingATourLeavesNothing() throws {
        let scratch = try Scratch()
        let store = try Sample.store(scratch)
        let body = Array("canary-body-4711".utf8)
        for tour in [Sample.tour, Sample.otherTour] {
            try store.saveTour(record(tour))
            _ = try store.append(
                [(Sample.event(Sample.anna, 1, clock: 5, body: body), 0)], tour: tour, durable: true)
            try store.addControlEvents(tour, [(EventID.none, [1])], durable: true)
            try store.raiseWatermarks(tour, [Watermark(author: Sample.anna, sentThrough: 1)])
            try store.rememberAddress(tour, RememberedAddress(address: "192.0.2.1", port: 1, usedAt: 1))
            try store.saveFrontierRows(
                tour,
                [
                    FrontierRecord(
                        member: Sample.anna, counter: 1, bytes: [1], signature: [2], receivedAt: 3)
                ])
        }
        try store.removeTour(Sample.otherTour)
        #expect(try store.tours().map(\.tour) == [Sample.tour])
        #expect(try store.heads(Sample.otherTour).isEmpty && store.heads(Sample.tour).count == 1)
        #expect(try store.controlEvents(Sample.otherTour).isEmpty && store.watermarks(Sample.tour).count == 1)
        try store.removeTour(Sample.tour)
        try store.removeTour(Sample.tour)
        for name in ["tour.sqlite", "tour.sqlite-wal"] {
            let bytes = Scratch.bytes(scratch.path + "/data/" + name)
            #expect(!bytes.contains("canary-body-4711") && !bytes.contains("192.0.2.1"), "\(name)")
        }
        _ = try store.append(Sample.log(Sample.anna, 1...1), tour: Sample.tour, durable: true)
    }

    @Test func secretsAreSealed() throws {
        let scratch = try Scratch()
        let store = try Sample.store(scratch)
        try store.saveTour(record(name: "canary-name-4711"))
        try store.setSetting("token", value: Array("canary-setting-42".utf8))
        // The scan finds what is not sealed.
        try store.rememberAddress(
            Sample.tour, RememberedAddress(address: "canary-address", port: 1, usedAt: 1))
        let log = Scratch.bytes(scratch.path + "/data/tour.sqlite-wal")
        #expect(log.contains("canary-address"))
        try store.checkpoint(.whole)
        let database = Scratch.bytes(scratch.path + "/data/tour.sqlite")
        #expect(database.contains("canary-address"))
        #expect(Scratch.bytes(scratch.path + "/data/tour.sqlite-wal").isEmpty)
        for canary in ["canary-name", "canary-secret", "canary-setting"] {
            #expect(!log.contains(canary) && !database.contains(canary), "\(canary)")
        }
    }

    @Test func sealedValuesDoNotMove() throws {
        let scratch = try Scratch()
        let store = try Sample.store(scratch)
        try store.setSetting("a", value: [1])
        try store.setSetting("b", value: [2])
        let queue = try DatabaseQueue(path: scratch.path + "/data/tour.sqlite")
        try queue.write { db in
            try db.execute(
                sql: "UPDATE setting SET value = (SELECT value FROM setting WHERE name = 'a') WHERE name = 'b'")
        }
        try queue.close()
        #expect(try store.setting("a") == [1])
        #expect(throws: StoreError.damaged(.database)) { try store.setting("b") }
    }

    @Test func survivesAnUncleanEnd() throws {
        let scratch = try Scratch()
        let store = try Sample.store(scratch)
        try store.saveTour(record())
        for sequence in UInt64(1)...30 {
            _ = try store.append(Sample.log(Sample.anna, sequence...sequence), tour: Sample.tour, durable: true)
            if sequence == 20 { try store.checkpoint(.whole) }
        }
        let events = try store.messages(Sample.tour, MessageQuery())
        try copy(scratch)
        let second = try Sample.store(scratch, name: "copy")
        let found = try second.messages(Sample.tour, MessageQuery())
        #expect(found.map(\.event) == events.map(\.event))
        // The times after the last commits were not written yet: those before them stand.
        #expect(found.dropLast(16) == events.dropLast(16))
        #expect(zip(found, events).allSatisfy { $0.receivedAt <= $1.receivedAt })
        #expect(events.count == 30)
        #expect(try second.tours() == [record()])
        #expect(try second.heads(Sample.tour)[Sample.anna]?.sequence == 30)
        try second.verify()
    }

    @Test func aCutLogLosesOnlyItsEnd() throws {
        let scratch = try Scratch()
        let store = try Sample.store(scratch)
        for sequence in UInt64(1)...10 {
            _ = try store.append(Sample.log(Sample.anna, sequence...sequence), tour: Sample.tour, durable: false)
        }
        try copy(scratch)
        let log = Scratch.bytes(scratch.path + "/copy/tour.sqlite-wal")
        Scratch.write(Array(log.dropLast(5_000)), to: scratch.path + "/copy/tour.sqlite-wal")
        let second = try Sample.store(scratch, name: "copy")
        let head = try #require(try second.heads(Sample.tour)[Sample.anna]?.sequence)
        #expect(head < 10)
        #expect(try second.messages(Sample.tour, MessageQuery()).map(\.event.header.sequence) == Array(1...head))
        _ = try second.append(Sample.log(Sample.anna, (head + 1)...10), tour: Sample.tour, durable: true)
        try second.verify()
    }

    @Test func reopensAfterClosing() throws {
        let scratch = try Scratch()
        var store: TourStore? = try Sample.store(scratch)
        _ = try store?.append(Sample.log(Sample.anna, 1...3), tour: Sample.tour, durable: false)
        try store?.close()
        #expect(throws: StoreError.closed) { try store?.heads(Sample.tour) }
        #expect(throws: StoreError.closed) { try store?.setSetting("a", value: [1]) }
        store = nil
        #expect(try Sample.store(scratch).heads(Sample.tour)[Sample.anna]?.sequence == 3)
    }

    @Test func tellsWhatIsWrongWithTheFiles() throws {
        let scratch = try Scratch()
        try Sample.store(scratch).setSetting("a", value: [1])
        #expect(throws: StoreError.damaged(.keyMismatch)) {
            _ = try TourStore(
                directory: DataDirectory(path: scratch.path + "/data"),
                storageKey: SecretBytes([UInt8](repeating: 8, count: 32)), decode: Sample.decode)
        }
        let queue = try DatabaseQueue(path: scratch.path + "/data/tour.sqlite")
        try queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99-later')") }
        try queue.close()
        #expect(throws: StoreError.newer) { _ = try Sample.store(scratch) }
        mkdir(scratch.path + "/copy", 0o700)
        Scratch.write([UInt8](repeating: 65, count: 8_192), to: scratch.path + "/copy/tour.sqlite")
        #expect(throws: StoreError.damaged(.database)) { _ = try Sample.store(scratch, name: "copy") }
    }

    @Test func anUnreadableEventIsDamage() throws {
        let scratch = try Scratch()
        let store = try TourStore(
            directory: DataDirectory(path: scratch.path + "/data"), storageKey: Sample.key, decode: { _, _ in nil })
        _ = try store.append(Sample.log(Sample.anna, 1...1), tour: Sample.tour, durable: false)
        #expect(throws: StoreError.damaged(.database)) { try store.messages(Sample.tour, MessageQuery()) }
    }

    @Test(.enabled(if: isRoot, "mounting a small file system takes root"))
    func aFullDiskIsToldAndKeepsNothing() throws {
        let scratch = try Scratch(megabytes: 1)
        let store = try Sample.store(scratch)
        let body = [UInt8](repeating: 1, count: 16_000)
        var sequence: UInt64 = 0
        func append(_ count: UInt64) throws {
            let events = (1...count).map { (Sample.event(Sample.anna, sequence + $0, clock: 1, body: body), 0) }
            _ = try store.append(events, tour: Sample.tour, durable: true)
            sequence += count
        }
        #expect(throws: StoreError.diskFull) {
            while sequence < 1_000 { try append(4) }
        }
        #expect(sequence > 0 && sequence < 64)
        #expect(throws: StoreError.diskFull) { try append(8) }
        #expect(try store.heads(Sample.tour)[Sample.anna]?.sequence == sequence)
        #expect(try store.messages(Sample.tour, MessageQuery()).count == Int(sequence))
        try store.verify()
    }

    @Test(.enabled(if: isRoot, "mounting a small file system takes root"))
    func aFullDiskIsToldAtTheStart() throws {
        let scratch = try Scratch(megabytes: 1)
        Scratch.write([UInt8](repeating: 1, count: 2 * 1_024 * 1_024), to: scratch.path + "/ballast")
        #expect(throws: StoreError.diskFull) { _ = try Sample.store(scratch) }
        unlink(scratch.path + "/ballast")
        #expect(throws: Never.self) { _ = try Sample.store(scratch) }
    }

    @Test(.enabled(if: isRoot, "mounting a small file system takes root"))
    func aReadOnlyDiskIsTold() throws {
        let scratch = try Scratch(megabytes: 4)
        _ = try Sample.store(scratch).append(Sample.log(Sample.anna, 1...3), tour: Sample.tour, durable: true)
        try scratch.remount(readOnly: true)
        #expect(throws: StoreError.readOnly) { _ = try Sample.store(scratch) }
        #expect(throws: StoreError.readOnly) { _ = try Sample.store(scratch, name: "new") }
        try scratch.remount(readOnly: false)
        #expect(try Sample.store(scratch).heads(Sample.tour)[Sample.anna]?.sequence == 3)
    }

    @Test func errorsSayWhatToDo() {
        let errors: [StoreError] = [
            .inUse(pid: 7), .inUse(pid: nil), .diskFull, .readOnly, .notOurs, .passphraseNeeded, .passphraseWrong,
            .damaged(.database), .damaged(.keyFile), .damaged(.keyMissing), .damaged(.keyMismatch), .newer, .busy,
            .keyElsewhere, .foreign, .notEmpty, .damaged(.backup), .badPath("/a", .noFile),
            .badPath("/a", .noPermission),
            .closed, .chainBroken(author: Sample.anna, sequence: 3), .io(code: 5), .noRoom(.tour), .noRoom(.author),
            .noRoom(.disk), .blobMissing, .sealBroken, .cancelled, .damaged(.blob),
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
        let ofTheRequest: [StoreError] = [
            .badPath("/a", .noFile), .badPath("/a", .noPermission), .chainBroken(author: Sample.anna, sequence: 3),
            .noRoom(.tour), .noRoom(.author), .noRoom(.disk), .blobMissing, .sealBroken, .cancelled, .damaged(.blob),
        ]
        #expect(errors.filter { $0.scope == .record } == ofTheRequest)
        #expect(StoreError.inUse(pid: 7).description.contains("process 7"))
    }
}
