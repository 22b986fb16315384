import Glibc
import Testing
import TourCrypto
import TourModel
import TourStore

// Goal: a backup gives back everything as it was, to the passphrase only, and no altered one gives anything. Method:
// real files; Argon2id at its smallest parameters; every byte of a backup changed, every length cut.
@Suite struct BackupTests {
    private let scratch: Scratch
    private let parameters: Passphrase.Parameters

    init() throws {
        scratch = try Scratch()
        parameters = try Passphrase.Parameters(
            operations: 1, memoryBytes: 8 * 1024, salt: [UInt8](repeating: 5, count: 16))
    }

    private var file: String { scratch.path + "/trip.backup" }

    private func backUp(_ store: TourStore, passphrase: String = "lantern") throws {
        try store.backUp(to: file, passphrase: Array(passphrase.utf8), parameters: parameters) { _, _ in }
    }

    private func restore(_ name: String, passphrase: String = "lantern") throws -> (DataDirectory, SecretBytes) {
        let directory = try DataDirectory(path: scratch.path + "/" + name)
        let key = try directory.restore(from: file, passphrase: Array(passphrase.utf8)) { _, _ in }
        return (directory, key)
    }

    @Test func everythingComesBack() throws {
        let store = try Sample.store(scratch)
        // More than one chunk.
        let sequences: ClosedRange<UInt64> = 1...60
        let log: [(event: Event, hops: Int)] = sequences.map { sequence in
            let body = [UInt8](repeating: UInt8(sequence), count: 4_000)
            return (event: Sample.event(Sample.anna, sequence, clock: 100 + sequence, body: body), hops: 0)
        }
        _ = try store.append(log, tour: Sample.tour, durable: true)
        try store.setSetting("name", value: Array("Anna".utf8))
        try backUp(store)
        #expect(Scratch.mode(file) == 0o600)
        #expect(!Scratch.names(scratch.path + "/data").contains { $0.hasPrefix("backup") })
        #expect(Scratch.names(scratch.path) == ["data", "trip.backup"])
        let (directory, key) = try restore("other")
        #expect(key == Sample.key)
        let restored = try TourStore(directory: directory, storageKey: key, decode: Sample.decode)
        #expect(try restored.setting("name") == Array("Anna".utf8))
        let events = try restored.events(
            Sample.tour, author: Sample.anna, from: 1, through: 60, bytesMax: .max)
        #expect(events == log.map(\.event))
        try restored.verify()
    }

    @Test func whatIsWrittenLaterIsNotInIt() throws {
        let store = try Sample.store(scratch)
        _ = try store.append(Sample.log(Sample.anna, 1...3), tour: Sample.tour, durable: true)
        try backUp(store)
        _ = try store.append(Sample.log(Sample.anna, 4...5), tour: Sample.tour, durable: true)
        let (directory, key) = try restore("other")
        let restored = try TourStore(directory: directory, storageKey: key, decode: Sample.decode)
        #expect(try restored.heads(Sample.tour)[Sample.anna]?.sequence == 3)
        #expect(try store.heads(Sample.tour)[Sample.anna]?.sequence == 5)
    }

    /// What a database of another time left beside it is no part of what comes back.
    @Test func leftoversOfAnotherDatabaseGo() throws {
        let store = try Sample.store(scratch)
        try store.setSetting("name", value: Array("Anna".utf8))
        try backUp(store)
        let directory = try DataDirectory(path: scratch.path + "/other")
        for end in ["-wal", "-shm", "-journal"] {
            Glibc.close(open(directory.database + end, O_CREAT | O_WRONLY, 0o600))
        }
        _ = try directory.restore(from: file, passphrase: Array("lantern".utf8)) { _, _ in }
        let names = Scratch.names(scratch.path + "/other")
        #expect(!names.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") || $0.hasSuffix("-journal") })
    }

    @Test func itShowsNothing() throws {
        let store = try Sample.store(scratch)
        try store.setSetting("a-setting-with-a-long-name", value: Array("a value in clear".utf8))
        try backUp(store)
        let bytes = Scratch.bytes(file)
        // Settings' names stand in clear in the database.
        #expect(Scratch.bytes(scratch.path + "/data/tour.sqlite-wal").contains("a-setting-with-a-long-name"))
        #expect(!bytes.contains("a-setting-with-a-long-name") && !bytes.contains("SQLite format 3"))
        #expect(!bytes.contains(String(decoding: Sample.key.exposedCopy(), as: UTF8.self)))
    }

    @Test func onlyThePassphraseOpensIt() throws {
        let store = try Sample.store(scratch)
        try backUp(store)
        #expect(throws: StoreError.passphraseWrong) { _ = try restore("other", passphrase: "Lantern") }
        #expect(Scratch.names(scratch.path + "/other") == ["lock"])
        #expect(throws: Never.self) { _ = try restore("other") }
    }

    @Test func everyCutIsNoticed() throws {
        let store = try Sample.store(scratch)
        _ = try store.append(Sample.log(Sample.anna, 1...3), tour: Sample.tour, durable: true)
        try backUp(store)
        let good = Scratch.bytes(file)
        for length in Array(0..<100) + Array(stride(from: 100, to: good.count, by: 997)) {
            Scratch.write(Array(good[..<length]), to: file)
            #expect(throws: StoreError.damaged(.backup), "\(length) bytes") { _ = try restore("other") }
        }
        Scratch.write(good + [0], to: file)
        #expect(throws: StoreError.damaged(.backup)) { _ = try restore("other") }
        #expect(Scratch.names(scratch.path + "/other") == ["lock"])
    }

    @Test func everyChangeIsNoticed() throws {
        let store = try Sample.store(scratch)
        try backUp(store)
        let good = Scratch.bytes(file)
        // The header, then every 997th byte. Bytes 53 to 92 prove the passphrase.
        for index in Array(0..<93) + Array(stride(from: 93, to: good.count, by: 997)) {
            var bad = good
            bad[index] ^= 0x40
            Scratch.write(bad, to: file)
            let expected = (53..<93).contains(index) ? StoreError.passphraseWrong : .damaged(.backup)
            #expect(throws: expected, "byte \(index)") { _ = try restore("other") }
        }
    }

    @Test func nothingIsRestoredOverSomething() throws {
        let store = try Sample.store(scratch)
        try backUp(store)
        let occupied = try DataDirectory(path: scratch.path + "/occupied")
        _ = try StorageKeyFile.open(occupied, passphrase: nil)
        #expect(throws: StoreError.notEmpty) {
            _ = try occupied.restore(from: file, passphrase: Array("lantern".utf8)) { _, _ in }
        }
    }

    @Test func aPathThatIsNoFileIsNamed() throws {
        #expect(throws: StoreError.badPath(file, .noFile)) { _ = try restore("other") }
        #expect(mkdir(file, 0o700) == 0)
        #expect(throws: StoreError.badPath(file, .isDirectory)) { _ = try restore("other") }
        let store = try Sample.store(scratch)
        #expect(throws: StoreError.badPath(file, .isDirectory)) { try backUp(store) }
        for (path, trouble) in [
            (scratch.path + "/nowhere/trip.backup", StoreError.PathTrouble.noDirectory),
            (scratch.path + "/data/lock/trip.backup", .notDirectory),
        ] {
            #expect(throws: StoreError.badPath(path, trouble)) {
                try store.backUp(to: path, passphrase: Array("lantern".utf8), parameters: parameters) { _, _ in }
            }
        }
        #expect(StoreError.badPath("/a/b", .noDirectory).description.hasPrefix("/a/b: "))
    }

    @Test func anOlderBackupStaysUntilTheNewOneIsWhole() throws {
        let store = try Sample.store(scratch)
        try backUp(store)
        let first = Scratch.bytes(file)
        try store.close()
        #expect(throws: StoreError.self) { try backUp(store) }
        #expect(Scratch.bytes(file) == first)
    }

    @Test func aCopyThatWasLeftGoesAtTheNextStart() throws {
        let path = scratch.path + "/data"
        try Sample.store(scratch).close()
        let directory = try DataDirectory(path: path)
        Scratch.write([1], to: path + "/backup.sqlite")
        let store = try TourStore(directory: directory, storageKey: Sample.key, decode: Sample.decode)
        #expect(!Scratch.names(path).contains { $0.hasPrefix("backup") })
        try store.close()
    }
}
