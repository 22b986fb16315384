import GRDB
import Glibc
import Testing
import TourCrypto
import TourModel
import TourStore

// Goal: what was written of a file is found again after every kind of end, nothing that is not what its hash says is
// ever handed out, and a full disk leaves everything as it was.
// Method: files sealed by hand; ranges of the file on the disk cut off, zeroed or altered, as a power cut leaves them;
// small file systems of their own (as root).
@Suite struct BlobFileTests {
    private static let isRoot = geteuid() == 0
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A store of the same files, as after a start: the one before must be gone.
    private func store() throws -> TourStore { try Sample.store(scratch) }

    private func sample(_ bytes: Int, in store: TourStore, seed: UInt64 = 1) throws -> SampleBlob {
        try SampleBlob(bytes: bytes, seed: seed, event: try store.appendSampleEvent())
    }

    /// Overwrites a part of a file on the disk.
    private func patch(_ path: String, at offset: Int, _ bytes: [UInt8]) {
        let descriptor = open(path, O_WRONLY)
        pwrite(descriptor, bytes, bytes.count, off_t(offset))
        close(descriptor)
    }

    @Test(arguments: [1, 65_535, 65_536, 65_537, 1_300_000])
    func aFileComesTogetherInAnyOrder(bytes: Int) throws {
        let store = try store()
        let blob = try sample(bytes, in: store)
        let order = Array(blob.chunks.indices.reversed())
        let file = try blob.add(to: store, chunks: Array(order.dropLast()))
        #expect(!file.isComplete && !file.have.contains(0) && file.have.count == order.count - 1)
        #expect(try store.blob(blob.manifest.id, of: Sample.tour)?.isComplete == false)
        try file.write(0, blob.chunks[0])
        #expect(file.isComplete && file.have.isFull)
        for chunk in order { #expect(try file.read(chunk) == blob.chunks[chunk]) }
        #expect(Scratch.bytes(blob.path(in: scratch)) == blob.sealed)
        #expect(try store.blob(blob.manifest.id, of: Sample.tour)?.isComplete == true)
    }

    @Test func anEmptyFileIsCompleteAtOnce() throws {
        let store = try store()
        let file = try sample(0, in: store).add(to: store, chunks: [])
        #expect(file.isComplete && file.have.isFull)
    }

    /// A chunk comes behind its page, which the disk may have refused.
    @Test func aChunkWithoutItsPageIsNotKept() throws {
        let store = try store()
        let blob = try sample(70_000, in: store)
        let file = try store.addBlob(
            blob.manifest, to: Sample.tour, quota: .free, isAsked: false, keeping: { _ in false })
        #expect(throws: StoreError.blobMissing) { try file.write(0, blob.chunks[0]) }
        #expect(file.have.isEmpty)
    }

    @Test func aFileIsOpenOnce() throws {
        let store = try store()
        let blob = try sample(70_000, in: store)
        let file = try blob.add(to: store, chunks: [0])
        #expect(try store.openBlob(blob.manifest.id, of: Sample.tour) === file)
        let again = try store.addBlob(
            blob.manifest, to: Sample.tour, quota: .free, isAsked: true, keeping: { _ in false })
        #expect(again === file)
        #expect(try store.blob(blob.manifest.id, of: Sample.tour)?.isAsked == true)
        #expect(try store.openBlob(blob.manifest.id, of: Sample.otherTour) == nil)
    }

    @Test func onlyItsOwnerReadsIt() throws {
        let store = try store()
        let blob = try sample(70_000, in: store)
        _ = try blob.add(to: store, chunks: [0])
        let path = blob.path(in: scratch)
        #expect(Scratch.mode(path) == 0o600)
        #expect(Scratch.mode(PathParts.parent(path)) == 0o700)
        #expect(Scratch.mode(PathParts.parent(PathParts.parent(path))) == 0o700)
    }

    /// Kill -9: the system keeps what was written.
    @Test func everyWrittenChunkIsFoundAfterTheEndOfTheProcess() throws {
        var first: TourStore? = try store()
        let blob = try sample(20 * 65_536 + 5, in: #require(first))
        _ = try blob.add(to: #require(first), chunks: [0, 3, 17, 20])
        // As little is said as when the process is killed: the store is not closed in order.
        first = nil
        let second = try store()
        let file = try #require(try second.openBlob(blob.manifest.id, of: Sample.tour))
        #expect(Array(file.have) == [0, 3, 17, 20])
        #expect(file.pages == [0: blob.pages[0]])
        #expect(try file.read(17) == blob.chunks[17])
        #expect(throws: StoreError.blobMissing) { _ = try file.read(1) }
        for chunk in blob.chunks.indices { try file.write(chunk, blob.chunks[chunk]) }
        #expect(file.isComplete && Scratch.bytes(blob.path(in: scratch)) == blob.sealed)
    }

    /// Power loss: of what was not waited for parts are missing, and parts are zeros.
    @Test func nothingThatTheDiskLostIsBelieved() throws {
        var first: TourStore? = try store()
        let blob = try sample(8 * 65_536, in: #require(first))
        _ = try blob.add(to: #require(first), chunks: Array(0..<7))
        first = nil
        let path = blob.path(in: scratch)
        let chunkBytes = 65_536 + 16
        patch(path, at: chunkBytes, [UInt8](repeating: 0, count: chunkBytes))
        patch(path, at: 3 * chunkBytes + 4_096, [UInt8](repeating: 0, count: 4_096))
        patch(path, at: 5 * chunkBytes - 1, [blob.chunks[4][chunkBytes - 1] ^ 1])
        truncate(path, off_t(6 * chunkBytes + 100))
        let second = try store()
        let file = try #require(try second.openBlob(blob.manifest.id, of: Sample.tour))
        #expect(Array(file.have) == [0, 2, 5])
        for chunk in blob.chunks.indices { try file.write(chunk, blob.chunks[chunk]) }
        #expect(Scratch.bytes(path) == blob.sealed)
    }

    /// The end came between the last chunk and the word that the file is complete.
    @Test func whatIsWholeIsFoundToBe() throws {
        var first: TourStore? = try store()
        let blob = try sample(3 * 65_536, in: #require(first))
        _ = try blob.add(to: #require(first), chunks: [0, 1])
        first = nil
        patch(blob.path(in: scratch), at: 2 * 65_552, blob.chunks[2])
        let second = try store()
        #expect(try #require(try second.openBlob(blob.manifest.id, of: Sample.tour)).isComplete)
        #expect(try second.blobs(Sample.tour).map(\.isComplete) == [true])
    }

    @Test func aCompleteFileThatIsGoneOrCutIsFetchedAgain() throws {
        for length in [nil, 0, 65_552] as [off_t?] {
            var first: TourStore? = try store()
            let blob = try sample(2 * 65_536, in: #require(first), seed: UInt64(length ?? 7) + 1)
            #expect(try blob.add(to: #require(first), chunks: [0, 1]).isComplete)
            first = nil
            if let length { truncate(blob.path(in: scratch), length) } else { unlink(blob.path(in: scratch)) }
            let second = try store()
            #expect(try second.blob(blob.manifest.id, of: Sample.tour)?.isComplete == false)
            let file = try #require(try second.openBlob(blob.manifest.id, of: Sample.tour))
            #expect(Array(file.have) == (length == 65_552 ? [0] : []))
            for chunk in blob.chunks.indices { try file.write(chunk, blob.chunks[chunk]) }
            #expect(file.isComplete)
        }
    }

    /// The same where no start comes between.
    @Test func aFileThatIsCutWhileNobodyHasItOpenIsNoticed() throws {
        let store = try store()
        let blob = try sample(2 * 65_536, in: store)
        #expect(try blob.add(to: store, chunks: [0, 1]).isComplete)
        truncate(blob.path(in: scratch), 65_552)
        let file = try #require(try store.openBlob(blob.manifest.id, of: Sample.tour))
        #expect(Array(file.have) == [0] && !file.isComplete)
        #expect(try store.blob(blob.manifest.id, of: Sample.tour)?.isComplete == false)
    }

    /// And while it is open.
    @Test func aChunkThatRotsIsNotHandedOut() throws {
        let store = try store()
        let blob = try sample(2 * 65_536, in: store)
        let file = try blob.add(to: store, chunks: [0, 1])
        patch(blob.path(in: scratch), at: 65_552 + 9, [blob.chunks[1][9] ^ 0x40])
        #expect(try file.read(0) == blob.chunks[0])
        #expect(throws: StoreError.damaged(.blob)) { _ = try file.read(1) }
        #expect(Array(file.have) == [0] && !file.isComplete)
        #expect(try store.blob(blob.manifest.id, of: Sample.tour)?.isComplete == false)
        #expect(throws: StoreError.blobMissing) { _ = try file.read(1) }
        try file.write(1, blob.chunks[1])
        #expect(try file.read(1) == blob.chunks[1] && file.isComplete)
    }

    @Test func aPageThatTheDatabaseLostIsAskedForAgain() throws {
        var first: TourStore? = try store()
        let blob = try sample(2 * 65_536, in: #require(first))
        _ = try blob.add(to: #require(first), chunks: [0, 1])
        first = nil
        let database = try DatabaseQueue(path: scratch.path + "/data/tour.sqlite")
        try database.write { try $0.execute(sql: "UPDATE blob_page SET hashes = zeroblob(64)") }
        try database.close()
        let second = try store()
        let file = try #require(try second.openBlob(blob.manifest.id, of: Sample.tour))
        #expect(file.pages.isEmpty && file.have.isEmpty && !file.isComplete)
        try file.savePage(0, blob.pages[0])
        for chunk in [0, 1] { try file.write(chunk, blob.chunks[chunk]) }
        #expect(file.isComplete)
    }

    /// 1,025 chunks have two pages; the second has one hash.
    @Test func aFileOfTwoPagesComesBack() throws {
        var first: TourStore? = try store()
        let blob = try sample(1_024 * 65_536 + 1, in: #require(first))
        #expect(blob.pages.count == 2)
        _ = try blob.add(to: #require(first), chunks: [0, 1_023, 1_024])
        first = nil
        let second = try store()
        let file = try #require(try second.openBlob(blob.manifest.id, of: Sample.tour))
        #expect(Array(file.have) == [0, 1_023, 1_024])
        #expect(file.pages == [0: blob.pages[0], 1: blob.pages[1]])
    }

    @Test(.enabled(if: isRoot, "mounting a small file system takes root"))
    func aFullDiskIsToldBeforeAnythingIsFetched() throws {
        let scratch = try Scratch(megabytes: 4)
        let store = try Sample.store(scratch)
        let blob = try SampleBlob(bytes: 1_000_000, event: store.appendSampleEvent())
        Scratch.write([UInt8](repeating: 1, count: 3_200_000), to: scratch.path + "/ballast")
        #expect(throws: StoreError.noRoom(.disk)) { _ = try blob.add(to: store, chunks: []) }
        #expect(try store.blobs(Sample.tour).isEmpty)
        #expect(!Scratch.names(scratch.path + "/data/blobs").contains(Sample.tour.hex))
        unlink(scratch.path + "/ballast")
        #expect(try blob.add(to: store, chunks: Array(blob.chunks.indices)).isComplete)
    }

    /// As where room cannot be taken beforehand.
    @Test(.enabled(if: isRoot, "mounting a small file system takes root"))
    func aDiskThatFillsUpInTheMiddleLosesNothing() throws {
        let scratch = try Scratch(megabytes: 4)
        let store = try Sample.store(scratch)
        let blob = try SampleBlob(bytes: 20 * 65_536, event: store.appendSampleEvent())
        let file = try blob.add(to: store, chunks: [])
        // Gives the room back that was taken for the file.
        truncate(blob.path(in: scratch), 0)
        truncate(blob.path(in: scratch), off_t(blob.manifest.shape.sealedSize))
        for chunk in 0..<5 { try file.write(chunk, blob.chunks[chunk]) }
        Scratch.write([UInt8](repeating: 1, count: 4_000_000), to: scratch.path + "/ballast")
        #expect(throws: StoreError.diskFull) { try file.write(5, blob.chunks[5]) }
        #expect(Array(file.have) == [0, 1, 2, 3, 4])
        for chunk in 0..<5 { #expect(try file.read(chunk) == blob.chunks[chunk]) }
        unlink(scratch.path + "/ballast")
        for chunk in blob.chunks.indices { try file.write(chunk, blob.chunks[chunk]) }
        #expect(file.isComplete && Scratch.bytes(blob.path(in: scratch)) == blob.sealed)
    }

    /// Nobody leads the store out of its directory.
    @Test func linksAreNotFollowed() throws {
        let store = try store()
        let blob = try sample(100, in: store)
        let target = scratch.path + "/target"
        let path = blob.path(in: scratch)
        Scratch.write(Array("precious".utf8), to: target)
        mkdir(scratch.path + "/data/blobs", 0o700)
        mkdir(PathParts.parent(path), 0o700)
        symlink(target, path)
        #expect(throws: StoreError.notOurs) { _ = try blob.add(to: store, chunks: []) }
        #expect(Scratch.bytes(target) == Array("precious".utf8))
        #expect(try store.blobs(Sample.tour).isEmpty)
        unlink(path)
        rmdir(PathParts.parent(path))
        mkdir(scratch.path + "/elsewhere", 0o700)
        symlink(scratch.path + "/elsewhere", PathParts.parent(path))
        #expect(throws: StoreError.notOurs) { _ = try blob.add(to: store, chunks: []) }
        #expect(Scratch.names(scratch.path + "/elsewhere").isEmpty)
    }
}

enum PathParts {
    static func parent(_ path: String) -> String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }
}
