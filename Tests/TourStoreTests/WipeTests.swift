import Glibc
import Testing
import TourCrypto
import TourModel
import TourStore

// Goal: a wiped directory holds nothing of ours, and the key goes first; a copy of a directory is told from itself.
// Method: real directories.
@Suite struct WipeTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func theKeyGoesFirst() throws {
        let directory = try DataDirectory(path: scratch.path + "/data")
        let key = try StorageKeyFile.open(directory, passphrase: nil)
        let store = try TourStore(directory: directory, storageKey: key, decode: Sample.decode)
        link(directory.storageKey, scratch.path + "/witness")
        try directory.destroyKey()
        // The bytes themselves are gone, not only their name.
        let left = Scratch.bytes(scratch.path + "/witness")
        #expect(left.count == 39 && !left.suffix(32).elementsEqual(key.exposedCopy()))
        #expect(Scratch.names(directory.path).contains("tour.sqlite"))
        #expect(throws: StoreError.wiped) { _ = try StorageKeyFile.open(directory, passphrase: nil) }
        #expect(try StorageKeyFile.remains(directory) == .files)
        try store.close()
    }

    /// Cut short behind the key, it goes on at the next start, and the directory can be used again.
    @Test func aWipeThatWasCutShortGoesOn() throws {
        var directory: DataDirectory? = try DataDirectory(path: scratch.path + "/data")
        let id = StorageKeyFile.makeID()
        try StorageKeyFile.entrust(#require(directory), id: id)
        Scratch.write([1], to: try #require(directory).database)
        try directory?.destroyKey()
        directory = nil
        let next = try DataDirectory(path: scratch.path + "/data")
        #expect(try StorageKeyFile.remains(next) == .filesAndEntry(id: id))
        // Twice is once, and keeps the id.
        try next.destroyKey()
        #expect(try StorageKeyFile.remains(next) == .filesAndEntry(id: id))
        try next.removeContents()
        #expect(Scratch.names(next.path) == ["lock"])
        #expect(try StorageKeyFile.remains(next) == nil)
    }

    /// A change of the passphrase that was under way does not bring a key back.
    @Test func noKeyComesBack() throws {
        let directory = try DataDirectory(path: scratch.path + "/data")
        let key = try StorageKeyFile.open(directory, passphrase: nil)
        let weak = try Passphrase.Parameters(
            operations: 1, memoryBytes: 8_192, salt: [UInt8](repeating: 1, count: Passphrase.Parameters.saltBytes))
        try directory.destroyKey()
        #expect(throws: StoreError.wiped) {
            try StorageKeyFile.protect(directory, key: key, passphrase: [1], parameters: weak)
        }
        #expect(throws: StoreError.wiped) { try StorageKeyFile.expose(directory, key: key) }
        #expect(throws: StoreError.wiped) { try StorageKeyFile.entrust(directory, id: StorageKeyFile.makeID()) }
        #expect(try StorageKeyFile.remains(directory) == .files)
    }

    @Test func nothingIsLeft() throws {
        let directory = try DataDirectory(path: scratch.path + "/data")
        let key = try StorageKeyFile.open(directory, passphrase: nil)
        let store = try TourStore(directory: directory, storageKey: key, decode: Sample.decode)
        _ = try DirectoryPlace.fingerprint(directory)
        try directory.destroyKey()
        try store.close()
        try directory.removeFiles()
        #expect(Scratch.names(scratch.path).isEmpty)
        // Twice is once.
        try directory.removeFiles()
    }

    @Test func whatIsNotOursStays() throws {
        let directory = try DataDirectory(path: scratch.path + "/data")
        Scratch.write([1], to: directory.path + "/diary.txt")
        try directory.removeFiles()
        #expect(Scratch.names(directory.path) == ["diary.txt"])
    }

    @Test func aPlaceStaysTheSame() throws {
        let path = scratch.path + "/data"
        var directory: DataDirectory? = try DataDirectory(path: path)
        let first = try DirectoryPlace.fingerprint(#require(directory))
        directory = nil
        directory = try DataDirectory(path: path)
        #expect(try DirectoryPlace.fingerprint(#require(directory)) == first)
        // Moved within its file system it is the same still.
        directory = nil
        rename(path, scratch.path + "/moved")
        #expect(try DirectoryPlace.fingerprint(DataDirectory(path: scratch.path + "/moved")) == first)
    }

    @Test func aCopyIsAnotherPlace() throws {
        let original = try DataDirectory(path: scratch.path + "/data")
        let copy = try DataDirectory(path: scratch.path + "/copy")
        let first = try DirectoryPlace.fingerprint(original)
        #expect(try DirectoryPlace.fingerprint(copy) != first)
        // Unpacked over the same name: a new file, whatever number it gets.
        unlink(original.path + "/place")
        #expect(try DirectoryPlace.fingerprint(original) != first)
    }
}
