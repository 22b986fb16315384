import Testing
import TourCrypto
import TourModel
import TourStore

// Goal: the storage key is made once, opens with the right passphrase only, and no damage of its file traps or yields
// another key. Method: real files; Argon2id at its smallest parameters.
@Suite struct StorageKeyFileTests {
    private let scratch: Scratch
    private let directory: DataDirectory
    private let parameters: Passphrase.Parameters

    init() throws {
        scratch = try Scratch()
        directory = try DataDirectory(path: scratch.path + "/data")
        parameters = try Passphrase.Parameters(
            operations: 1, memoryBytes: 8 * 1024, salt: [UInt8](repeating: 5, count: 16))
    }

    private func open(_ passphrase: String?) throws -> SecretBytes {
        try StorageKeyFile.open(directory, passphrase: passphrase.map { Array($0.utf8) }, parameters: parameters)
    }

    @Test func aPlainKeyIsMadeOnce() throws {
        let key = try open(nil)
        #expect(key.count == 32)
        #expect(try open(nil) == key)
        #expect(Scratch.mode(directory.storageKey) == 0o600)
        #expect(try StorageKeyFile.home(directory) == .file)
        #expect(Scratch.names(directory.path) == ["lock", "storage.key"])
    }

    @Test func aPassphraseProtectsFromTheStart() throws {
        let key = try open("lantern")
        #expect(try StorageKeyFile.home(directory) == .passphrase)
        #expect(StorageKeyFile.isProtected(in: directory.path))
        #expect(try open("lantern") == key)
        #expect(throws: StoreError.passphraseNeeded) { _ = try open(nil) }
        #expect(throws: StoreError.passphraseWrong) { _ = try open("Lantern") }
        #expect(throws: StoreError.passphraseWrong) { _ = try open("") }
    }

    @Test func protectingKeepsTheKey() throws {
        let key = try open(nil)
        try StorageKeyFile.protect(directory, key: key, passphrase: Array("one".utf8), parameters: parameters)
        #expect(try open("one") == key)
        try StorageKeyFile.protect(directory, key: key, passphrase: Array("two".utf8), parameters: parameters)
        #expect(try open("two") == key)
        #expect(throws: StoreError.passphraseWrong) { _ = try open("one") }
        #expect(!Scratch.bytes(directory.storageKey).contains(String(decoding: key.exposedCopy(), as: UTF8.self)))
    }

    @Test func anEntrustedKeyIsNotInTheFile() throws {
        #expect(try StorageKeyFile.home(directory) == nil)
        let key = try open(nil)
        let id = StorageKeyFile.makeID()
        try StorageKeyFile.entrust(directory, id: id)
        #expect(try StorageKeyFile.home(directory) == .keyring(id: id))
        #expect(!StorageKeyFile.isProtected(in: directory.path))
        #expect(throws: StoreError.keyElsewhere) { _ = try open("lantern") }
        let bytes = Scratch.bytes(directory.storageKey)
        #expect(bytes.count == 23 && !bytes.contains(String(decoding: key.exposedCopy(), as: UTF8.self)))
        #expect(StorageKeyFile.makeID() != id)
    }

    @Test func aPassphraseCanBeTakenAway() throws {
        let key = try open("lantern")
        try StorageKeyFile.expose(directory, key: key)
        #expect(try StorageKeyFile.home(directory) == .file)
        #expect(try open(nil) == key)
        #expect(Scratch.mode(directory.storageKey) == 0o600)
    }

    @Test func everyChangeIsNoticed() throws {
        _ = try open("lantern")
        let good = Scratch.bytes(directory.storageKey)
        for index in good.indices {
            var bad = good
            bad[index] ^= 1
            Scratch.write(bad, to: directory.storageKey)
            #expect(throws: StoreError.self, "byte \(index)") { _ = try open("lantern") }
        }
        for length in 0..<good.count {
            Scratch.write(Array(good[..<length]), to: directory.storageKey)
            #expect(throws: StoreError.damaged(.keyFile)) { _ = try open("lantern") }
        }
        Scratch.write(good + [0], to: directory.storageKey)
        #expect(throws: StoreError.damaged(.keyFile)) { _ = try open("lantern") }
    }

    @Test func parametersAreBounded() throws {
        _ = try open("lantern")
        var bytes = Scratch.bytes(directory.storageKey)
        // "TCKEY", version, kind, then four bytes of passes.
        bytes.replaceSubrange(7..<11, with: [0xFF, 0xFF, 0xFF, 0xFF])
        Scratch.write(bytes, to: directory.storageKey)
        #expect(throws: StoreError.damaged(.keyFile)) { _ = try open("lantern") }
        bytes.replaceSubrange(7..<19, with: [0, 0, 0, 1] + [UInt8](repeating: 0xFF, count: 8))
        Scratch.write(bytes, to: directory.storageKey)
        #expect(throws: StoreError.damaged(.keyFile)) { _ = try open("lantern") }
    }

    @Test func noNewKeyBesideAnOldDatabase() throws {
        Scratch.write([1], to: directory.database)
        #expect(throws: StoreError.damaged(.keyMissing)) { _ = try open(nil) }
    }
}
