import Foundation
import Glibc
import Testing
import TourModel
import TourStore

// Goal: a data directory is private and has one owner at a time. Method: real directories, links and locks under /tmp.
@Suite struct DataDirectoryTests {
    @Test func createsPrivately() throws {
        let scratch = try Scratch()
        let directory = try DataDirectory(path: scratch.path + "/data")
        #expect(Scratch.mode(directory.path) == 0o700)
        #expect(Scratch.mode(directory.path + "/lock") == 0o600)
    }

    @Test func tightensWhatWasOpen() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/data"
        mkdir(path, 0o755)
        chmod(path, 0o755)
        let directory = try DataDirectory(path: path)
        #expect(Scratch.mode(directory.path) == 0o700)
    }

    @Test func refusesASecondOwnerAndNamesTheFirst() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/data"
        var first: DataDirectory? = try DataDirectory(path: path)
        #expect(throws: StoreError.inUse(pid: getpid())) { _ = try DataDirectory(path: path) }
        withExtendedLifetime(first) {}
        first = nil
        #expect(throws: Never.self) { _ = try DataDirectory(path: path) }
    }

    /// As between a child's fork and the beginning of its program.
    @Test func whoeverHasTheLocksFileTooDoesNotKeepIt() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/data"
        var first: DataDirectory? = try DataDirectory(path: path)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let name = open.first {
            let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            return file?.hasSuffix("\(path)/lock") == true
        }
        let lock = try #require(name.flatMap { Int32($0) })
        let copy = dup(lock)
        defer { close(copy) }
        withExtendedLifetime(first) {}
        first = nil
        #expect(throws: Never.self) { _ = try DataDirectory(path: path) }
    }

    @Test func theStoreHoldsTheLock() throws {
        let scratch = try Scratch()
        let store = try Sample.store(scratch)
        #expect(throws: StoreError.inUse(pid: getpid())) { _ = try Sample.store(scratch) }
        withExtendedLifetime(store) {}
    }

    @Test func followsNoLink() throws {
        let scratch = try Scratch()
        mkdir(scratch.path + "/real", 0o700)
        symlink(scratch.path + "/real", scratch.path + "/link")
        #expect(throws: StoreError.notOurs) { _ = try DataDirectory(path: scratch.path + "/link") }
        Scratch.write([1], to: scratch.path + "/file")
        #expect(throws: StoreError.notOurs) { _ = try DataDirectory(path: scratch.path + "/file") }
    }

    /// What people mistype is said in words, not by the system's numbers.
    @Test func aPathThatCannotBeIsSaidInWords() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/no/data"
        #expect(throws: StoreError.badPath(path, .noDirectory)) { _ = try DataDirectory(path: path) }
        let long = scratch.path + "/" + String(repeating: "a", count: 300)
        #expect(throws: StoreError.badPath(long, .badName)) { _ = try DataDirectory(path: long) }
    }

    @Test func aDatabaseThatIsNoFileIsSaidInWords() throws {
        let scratch = try Scratch()
        _ = try Sample.store(scratch)
        let database = try DataDirectory(path: scratch.path + "/data").database
        for path in [database, database + "-wal", database + "-shm"] { unlink(path) }
        mkdir(database, 0o700)
        #expect(throws: StoreError.cannotOpen) { _ = try Sample.store(scratch) }
    }

    @Test func aLinkedDatabaseIsRefused() throws {
        let scratch = try Scratch()
        let directory = try DataDirectory(path: scratch.path + "/data")
        Scratch.write([], to: scratch.path + "/elsewhere")
        symlink(scratch.path + "/elsewhere", directory.database)
        #expect(throws: StoreError.notOurs) {
            _ = try TourStore(directory: directory, storageKey: Sample.key, decode: Sample.decode)
        }
    }

    @Test func aDirectoryOfOtherFilesIsLeftAlone() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/photos"
        mkdir(path, 0o755)
        chmod(path, 0o755)
        #expect(DataDirectory.contents(of: path) == .nothing)
        Scratch.write([1], to: path + "/lock")
        #expect(DataDirectory.contents(of: path) == .nothing)
        Scratch.write([1], to: path + "/beach.jpg")
        #expect(DataDirectory.contents(of: path) == .foreign)
        #expect(throws: StoreError.foreign) { _ = try DataDirectory(path: path) }
        #expect(Scratch.mode(path) == 0o755)
        #expect(Scratch.names(path) == ["beach.jpg", "lock"])
    }

    @Test func aNodesDirectoryIsKnownByItsFiles() throws {
        let scratch = try Scratch()
        #expect(DataDirectory.contents(of: scratch.path + "/data") == .nothing)
        let store = try Sample.store(scratch)
        Scratch.write([1], to: scratch.path + "/data/notes.txt")
        #expect(DataDirectory.contents(of: scratch.path + "/data") == .node)
        withExtendedLifetime(store) {}
    }

    @Test func everyFileIsPrivate() throws {
        let scratch = try Scratch()
        let store = try Sample.store(scratch)
        _ = try store.append(Sample.log(Sample.anna, 1...5), tour: Sample.tour, durable: true)
        let names = Scratch.names(scratch.path + "/data")
        #expect(names == ["lock", "tour.sqlite", "tour.sqlite-shm", "tour.sqlite-wal"])
        for name in names { #expect(Scratch.mode(scratch.path + "/data/" + name) == 0o600, "\(name)") }
    }
}
