import Foundation
import GRDB
import Glibc
import Testing
import TourCrypto
import TourModel
import TourNotebook
import TourStore

// Goal: after a new key nothing opens with the old one, everything with the new; and at no moment are there two keys
// that open, or none. Method: a real store with something in every sealed column; its directory copied at every step,
// as a kill at that moment would leave it.
@Suite struct NewKeyTests {
    private static let columns = [
        "setting.value", "record.secrets", "record.name", "archive.content", "blob.details", "notebook.content",
        "notebook.problem", "notebook_file.details", "notebook_part.data",
    ]
    private static let place = NotebookID(high: 1, low: 1)
    private static let picture = NotebookAttachment(
        id: NotebookID(high: 2, low: 2), role: .picture, name: "view.jpg", media: "image/jpeg", bytes: 0)
    private static let picturePixels = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    private static let newKey = SecretBytes([UInt8](repeating: 8, count: 32))

    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func fill(_ store: TourStore) throws {
        let rows = try store.append(Sample.log(Sample.anna, 1...3), tour: Sample.tour, durable: true).map(\.row)
        try store.archive([(rows[0], Array("the first".utf8)), (rows[2], [])])
        try store.setSetting("name", value: Array("Anna".utf8))
        try store.saveTour(
            TourRecord(
                tour: Sample.tour, ownMember: Sample.anna, secrets: SecretBytes([1, 2, 3]), name: "Walk", usedAt: 1))
        _ = try SampleBlob(bytes: 70_000, event: Sample.id(Sample.anna, 1)).add(to: store, chunks: [0, 1])
        try store.editNotebook(
            [
                .put(Self.place, .place(SavedPlace(title: "Observatory"))),
                .attach(Self.place, Self.picture, Self.picturePixels),
            ], now: 100)
        _ = try store.claimNotebook(for: "account")
        let next = try #require(try store.nextNotebookExchange(after: 0, limit: 100, withRefused: false))
        let answer = DeltaAnswer(
            updated: [], deleted: [], serverTime: "2026-06-01T08:00:00.000001Z",
            rejected: [DeltaRejection(id: Self.place, message: "curfew")])
        _ = try store.apply(answer, to: next.exchange)
    }

    private func expectWhole(_ store: TourStore) throws {
        #expect(try store.setting("name") == Array("Anna".utf8))
        #expect(try store.tours().map { $0.name + $0.secrets.exposedCopy().description } == ["Walk[1, 2, 3]"])
        let archived = try store.messages(Sample.tour, MessageQuery()).map(\.archived)
        #expect(archived == [Array("the first".utf8), nil, []])
        let blob = try SampleBlob(bytes: 70_000, event: Sample.id(Sample.anna, 1)).manifest
        #expect(try store.blob(blob.id, of: Sample.tour)?.manifest == blob)
        let entry = try #require(try store.notebookEntry(Self.place))
        #expect(entry.item.content.title == "Observatory" && entry.problem == "curfew")
        #expect(try store.notebookFileBytes(Self.picture.id) == Self.picturePixels)
    }

    /// Every value of the columns, as it lies there.
    private func values(in directory: String) throws -> [String: [Data]] {
        let queue = try DatabaseQueue(path: directory + "/tour.sqlite")
        return try queue.read { db in
            var found: [String: [Data]] = [:]
            for name in Self.columns {
                let parts = name.split(separator: ".")
                found[name] = try Data.fetchAll(
                    db, sql: "SELECT \(parts[1]) FROM \(parts[0]) WHERE \(parts[1]) IS NOT NULL")
            }
            return found
        }
    }

    @Test func everythingIsSealedAnew() throws {
        let path = scratch.path + "/data"
        let store = try Sample.store(scratch)
        try fill(store)
        try store.checkpoint(.whole)
        let before = try values(in: path)
        #expect(before.values.allSatisfy { !$0.isEmpty }, "a column is empty: nothing is tested there")
        var last = (done: 0, total: 0)
        try store.renewKey(Self.newKey) { last = ($0, $1) }
        #expect(last.done == last.total && last.total == before.values.reduce(0) { $0 + $1.count })
        try expectWhole(store)
        // What is written from now on is the new key's too.
        try store.setSetting("later", value: [5])
        try store.checkpoint(.whole)
        let after = try values(in: path)
        for name in Self.columns {
            #expect(Set(before[name] ?? []).isDisjoint(with: after[name] ?? []), "\(name) has the old key's values")
        }
        let old = try #require(before["setting.value"]?.first)
        let left = Scratch.names(path).flatMap { Scratch.bytes(path + "/" + $0) }
        #expect(Data(left).range(of: old) == nil, "the old key's value is on the disk still")
        try store.close()
    }

    @Test func theOldKeyOpensNothingNew() throws {
        do {
            let store = try Sample.store(scratch)
            try fill(store)
            try store.renewKey(Self.newKey) { _, _ in }
            try store.close()
        }
        let directory = try DataDirectory(path: scratch.path + "/data")
        #expect(try TourStore.isSealed(directory, under: Self.newKey))
        #expect(try !TourStore.isSealed(directory, under: Sample.key))
        #expect(throws: StoreError.damaged(.keyMismatch)) {
            _ = try TourStore(directory: directory, storageKey: Sample.key, decode: Sample.decode)
        }
        try expectWhole(TourStore(directory: directory, storageKey: Self.newKey, decode: Sample.decode))
    }

    @Test func aBackupAndANewKeyDoNotMeet() throws {
        let store = try Sample.store(scratch)
        try fill(store)
        let parameters = try Passphrase.Parameters(
            operations: 1, memoryBytes: 8_192, salt: [UInt8](repeating: 5, count: 16))
        var refusals: [StoreError] = []
        try store.backUp(to: scratch.path + "/trip.backup", passphrase: [1], parameters: parameters) { _, _ in
            do throws(StoreError) { try store.renewKey(Self.newKey) { _, _ in } } catch { refusals.append(error) }
        }
        #expect(!refusals.isEmpty && refusals.allSatisfy { $0 == .busy })
        try store.renewKey(Self.newKey) { _, _ in }
        try expectWhole(store)
    }

    /// A value that does not open: nothing is changed by half.
    @Test func whatDoesNotOpenChangesNothing() throws {
        let store = try Sample.store(scratch)
        try fill(store)
        let queue = try DatabaseQueue(path: scratch.path + "/data/tour.sqlite")
        let kept = try queue.write { db in
            let kept = try Data.fetchOne(db, sql: "SELECT details FROM notebook_file")
            try db.execute(sql: "UPDATE notebook_file SET details = zeroblob(60)")
            return kept
        }
        #expect(throws: StoreError.damaged(.database)) { try store.renewKey(Self.newKey) { _, _ in } }
        try queue.write { db in try db.execute(sql: "UPDATE notebook_file SET details = ?", arguments: [kept]) }
        try expectWhole(store)
    }

    /// What a kill leaves at each step opens with one of the two keys and not with the other, and is whole.
    @Test func aKillAtAnyMomentLeavesOneKey() throws {
        let directory = try DataDirectory(path: scratch.path + "/data")
        try StorageKeyFile.expose(directory, key: Sample.key)
        let store = try TourStore(directory: directory, storageKey: Sample.key, decode: Sample.decode)
        try fill(store)
        var copies: [String] = []
        func copy(_ step: String) throws {
            copies.append(step)
            try copyTree(directory.path, scratch.path + "/" + step)
        }
        try copy("0-before")
        try StorageKeyFile.expose(directory, .next, key: Self.newKey)
        try copy("1-next")
        try directory.keepKeyReachable()
        try copy("2-reachable")
        try store.renewKey(Self.newKey) { done, total in
            if done % 4 == 1 || done == total { try? copy("3-sealing-\(done)") }
        }
        try copy("4-sealed")
        try directory.adoptNextKey()
        try copy("5-adopted")
        try directory.endFormerKey()
        try copy("6-ended")
        #expect(copies.count >= 9)
        for name in copies {
            let copied = try DataDirectory(path: scratch.path + "/" + name)
            let isNew = try TourStore.isSealed(copied, under: Self.newKey)
            #expect(try TourStore.isSealed(copied, under: Sample.key) != isNew, "\(name)")
            #expect(isNew == (name >= "4"), "\(name)")
            let key = isNew ? Self.newKey : Sample.key
            let slot: StorageKeyFile.Slot = isNew && copied.hasNextKey ? .next : .present
            #expect(try StorageKeyFile.key(copied, slot, passphrase: nil) == key, "\(name)")
            let opened = try TourStore(directory: copied, storageKey: key, decode: Sample.decode)
            try expectWhole(opened)
            try opened.close()
        }
    }

    @Test func theOldKeyIsOverwritten() throws {
        let directory = try DataDirectory(path: scratch.path + "/data")
        try StorageKeyFile.expose(directory, key: Sample.key)
        link(directory.storageKey, scratch.path + "/witness")
        try StorageKeyFile.expose(directory, .next, key: Self.newKey)
        try directory.keepKeyReachable()
        try directory.adoptNextKey()
        #expect(Scratch.bytes(scratch.path + "/witness").suffix(32).elementsEqual(Sample.key.exposedCopy()))
        try directory.endFormerKey()
        #expect(!Scratch.bytes(scratch.path + "/witness").suffix(32).elementsEqual(Sample.key.exposedCopy()))
        #expect(try StorageKeyFile.key(directory, .present, passphrase: nil) == Self.newKey)
        #expect(Scratch.names(directory.path).sorted() == ["lock", "storage.key"])
    }

    /// Taken back: the present key stays whole although the former's name is the same file.
    @Test func aKeyThatDoesNotComeIsOverwritten() throws {
        let directory = try DataDirectory(path: scratch.path + "/data")
        try StorageKeyFile.expose(directory, key: Sample.key)
        try StorageKeyFile.expose(directory, .next, key: Self.newKey)
        try directory.keepKeyReachable()
        link(directory.storageKey + ".next", scratch.path + "/witness")
        try directory.dropNextKey()
        #expect(!Scratch.bytes(scratch.path + "/witness").suffix(32).elementsEqual(Self.newKey.exposedCopy()))
        #expect(try StorageKeyFile.key(directory, .present, passphrase: nil) == Sample.key)
        #expect(Scratch.names(directory.path).sorted() == ["lock", "storage.key"])
    }

    /// A wipe in the middle of it destroys both keys, and brings none back.
    @Test func aWipeReachesBothKeys() throws {
        let directory = try DataDirectory(path: scratch.path + "/data")
        let id = StorageKeyFile.makeID()
        try StorageKeyFile.expose(directory, key: Sample.key)
        try StorageKeyFile.entrust(directory, .next, id: id)
        try directory.keepKeyReachable()
        try directory.destroyKey()
        let left = Scratch.names(directory.path).flatMap { Scratch.bytes(directory.path + "/" + $0) }
        #expect(Data(left).range(of: Data(Sample.key.exposedCopy())) == nil)
        #expect(try StorageKeyFile.otherEntries(directory) == [id])
        #expect(throws: StoreError.wiped) { try directory.adoptNextKey() }
        try directory.removeFiles()
        #expect(Scratch.names(scratch.path).isEmpty)
    }

    /// A wipe that a kill ended between the present key and the next one.
    @Test func aWipeThatWasCutShortReachesTheNextKey() throws {
        let directory = try DataDirectory(path: scratch.path + "/data")
        let next = directory.path + "/storage.key.next"
        try StorageKeyFile.expose(directory, key: Sample.key)
        try StorageKeyFile.expose(directory, .next, key: Self.newKey)
        let kept = Data(Scratch.bytes(next))
        try directory.destroyKey()
        try kept.write(to: URL(fileURLWithPath: next))
        #expect(Scratch.bytes(next).suffix(32).elementsEqual(Self.newKey.exposedCopy()))
        try directory.destroyOtherKeys()
        #expect(!Scratch.bytes(next).suffix(32).elementsEqual(Self.newKey.exposedCopy()))
        #expect(try StorageKeyFile.remains(directory) == .files)
    }

    /// With the names that are of one file.
    private func copyTree(_ source: String, _ target: String) throws {
        try FileManager.default.copyItem(atPath: source, toPath: target)
        guard chmod(target, 0o700) == 0 else { throw StoreError.io(code: errno) }
        let (key, former) = ("/storage.key", "/storage.key.old")
        var (one, other) = (stat(), stat())
        guard lstat(source + key, &one) == 0, lstat(source + former, &other) == 0, one.st_ino == other.st_ino else {
            return
        }
        unlink(target + former)
        link(target + key, target + former)
    }
}
