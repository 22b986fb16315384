import Glibc
import Testing
import TourCrypto
import TourModel
import TourStore

// Goal: what is saved is the author's file, under a name that overwrites nothing, or there is nothing.
// Method: real directories; files of the same name; damage, cancellation and a full disk in the middle.
@Suite struct SaveFileTests {
    private static let isRoot = geteuid() == 0
    private let scratch: Scratch
    private let store: TourStore
    private let blob: SampleBlob

    init() throws {
        scratch = try Scratch()
        store = try Sample.store(scratch)
        blob = try SampleBlob(bytes: 200_000, event: store.appendSampleEvent())
        mkdir(scratch.path + "/saved", 0o700)
    }

    private var target: String { scratch.path + "/saved" }

    private func save(
        _ name: String = "photo.jpg", in directory: String? = nil, key: Bytes32? = nil,
        progress: (UInt64, UInt64) -> Bool = { _, _ in true }
    ) throws -> String {
        try store.saveFile(
            blob.manifest.id, of: Sample.tour, key: key ?? blob.key, in: directory ?? target,
            named: SafeFileName(name), progress: progress)
    }

    @Test func itIsWhatItsAuthorHas() throws {
        let file = try blob.add(to: store, chunks: Array(blob.chunks.indices))
        var steps: [UInt64] = []
        let path = try save { done, total in
            steps.append(done)
            return total == 200_000
        }
        #expect(path == target + "/photo.jpg" && Scratch.bytes(path) == blob.plain)
        #expect(steps == [65_536, 131_072, 196_608, 200_000])
        // The mask that a data directory sets takes the rest.
        #expect(Scratch.mode(path) == 0o600)
        #expect(file.isComplete)
    }

    @Test func anEmptyFileIsSaved() throws {
        let empty = try SampleBlob(bytes: 0, event: blob.manifest.event)
        _ = try empty.add(to: store, chunks: [])
        let path = try store.saveFile(
            empty.manifest.id, of: Sample.tour, key: empty.key, in: target, named: SafeFileName("nothing"),
            progress: { _, _ in true })
        #expect(Scratch.names(target) == ["nothing"] && Scratch.bytes(path).isEmpty)
    }

    @Test func nothingIsOverwritten() throws {
        _ = try blob.add(to: store, chunks: Array(blob.chunks.indices))
        Scratch.write([1], to: target + "/photo.jpg")
        symlink("nowhere", target + "/photo (2).jpg")
        mkdir(target + "/photo (3).jpg", 0o700)
        #expect(try save() == target + "/photo (4).jpg")
        #expect(try save() == target + "/photo (5).jpg")
        #expect(Scratch.bytes(target + "/photo.jpg") == [1])
        #expect(Scratch.names(target).count == 5)
        for number in 6...999 { Scratch.write([], to: target + "/photo (\(number)).jpg") }
        #expect(throws: StoreError.badPath(target + "/photo.jpg", .nameTaken)) { _ = try save() }
        #expect(!Scratch.names(target).contains { $0.hasSuffix(".part") })
    }

    @Test func whatIsNotWholeIsNotSaved() throws {
        #expect(throws: StoreError.blobMissing) { _ = try save() }
        let file = try blob.add(to: store, chunks: [0, 1, 2])
        #expect(throws: StoreError.blobMissing) { _ = try save() }
        try file.write(3, blob.chunks[3])
        #expect(throws: StoreError.sealBroken) { _ = try save(key: Sample.bytes(99)) }
        let descriptor = open(blob.path(in: scratch), O_WRONLY)
        pwrite(descriptor, [0, 0, 0, 0, 0, 0, 0, 0], 8, 2 * 65_552)
        close(descriptor)
        #expect(throws: StoreError.damaged(.blob)) { _ = try save() }
        #expect(Scratch.names(target).isEmpty)
        #expect(Array(file.have) == [0, 1, 3])
    }

    @Test func whoeverEndsItGetsNothing() throws {
        _ = try blob.add(to: store, chunks: Array(blob.chunks.indices))
        #expect(throws: StoreError.cancelled) { _ = try save { done, _ in done < 131_072 } }
        #expect(Scratch.names(target).isEmpty)
    }

    @Test func aPathThatTakesNoFileIsTold() throws {
        _ = try blob.add(to: store, chunks: Array(blob.chunks.indices))
        Scratch.write([1], to: scratch.path + "/file")
        #expect(throws: StoreError.badPath(target + "/none", .noDirectory)) { _ = try save(in: target + "/none") }
        #expect(throws: StoreError.badPath(scratch.path + "/file", .notDirectory)) {
            _ = try save(in: scratch.path + "/file")
        }
    }

    @Test(.enabled(if: isRoot, "mounting a small file system takes root"))
    func aFullDiskLeavesNothing() throws {
        _ = try blob.add(to: store, chunks: Array(blob.chunks.indices))
        let small = try Scratch(megabytes: 1)
        Scratch.write([UInt8](repeating: 1, count: 900_000), to: small.path + "/ballast")
        #expect(throws: StoreError.diskFull) { _ = try save(in: small.path) }
        #expect(Scratch.names(small.path) == ["ballast"])
        unlink(small.path + "/ballast")
        #expect(Scratch.bytes(try save(in: small.path)) == blob.plain)
    }
}
