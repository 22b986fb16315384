import Foundation
import GRDB
import Glibc
import Testing
import TourCrypto
import TourModel
import TourStore

// Goal: files end with their tour, their event or the whole directory, stay out of backups, and show nobody what they
// are. Method: real directories; stores that end between two steps.
@Suite struct BlobLifeTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private var directory: String { scratch.path + "/data/blobs" }
    private var tourDirectory: String { directory + "/" + Sample.tour.hex }

    @Test func aFileEndsWithItsTour() throws {
        let store = try Sample.store(scratch)
        let blob = try SampleBlob(bytes: 70_000, event: store.appendSampleEvent())
        let file = try blob.add(to: store, chunks: [0])
        try store.removeTour(Sample.tour)
        #expect(Scratch.names(directory).isEmpty)
        #expect(try store.blobs(Sample.tour).isEmpty && store.openBlob(blob.manifest.id, of: Sample.tour) == nil)
        // Whoever holds it does no harm with it.
        #expect(try file.read(0) == blob.chunks[0])
        try file.write(1, blob.chunks[1])
        #expect(Scratch.names(directory).isEmpty)
        // It comes anew, and knows nothing of before.
        let again = try SampleBlob(bytes: 70_000, event: store.appendSampleEvent())
        #expect(try again.add(to: store, chunks: []).have.isEmpty)
    }

    @Test func aFileIsRemoved() throws {
        let store = try Sample.store(scratch)
        let blob = try SampleBlob(bytes: 70_000, event: store.appendSampleEvent())
        let file = try blob.add(to: store, chunks: [0])
        try store.removeBlob(blob.manifest.id, of: Sample.tour)
        try store.removeBlob(blob.manifest.id, of: Sample.tour)
        #expect(Scratch.names(tourDirectory).isEmpty)
        let other = try blob.add(to: store, chunks: [])
        #expect(other !== file && other.have.isEmpty)
        // What the old one writes is not the new one's.
        try file.write(1, blob.chunks[1])
        #expect(try store.blob(blob.manifest.id, of: Sample.tour)?.isComplete == false)
        #expect(other.have.isEmpty)
    }

    /// Sealed, and the end came before the event was stored: nobody will ever ask for it.
    @Test func aFileWithoutAnEventGoesAtTheStart() throws {
        Scratch.write([UInt8](repeating: 1, count: 1_000), to: scratch.path + "/source")
        var store: TourStore? = try Sample.store(scratch)
        func seal() throws -> BlobID {
            try #require(store).sealFile(
                at: scratch.path + "/source", author: Sample.anna, in: Sample.tour, quota: .free,
                keeping: { _ in false }, progress: { _, _ in true }
            ).manifest.id
        }
        let unclaimed = try seal()
        let claimed = try seal()
        let sent = try seal()
        try store?.claimBlob(claimed, of: Sample.tour, for: Sample.id(Sample.anna, 9))
        try store?.claimBlob(sent, of: Sample.tour, for: Sample.id(Sample.anna, 1))
        _ = try store?.appendSampleEvent()
        #expect(Scratch.names(tourDirectory) == [unclaimed, claimed, sent].map(\.hex).sorted())
        store = nil
        let next = try Sample.store(scratch)
        #expect(try next.blobs(Sample.tour).map(\.manifest.id) == [sent])
        #expect(try next.blob(sent, of: Sample.tour)?.manifest.event == Sample.id(Sample.anna, 1))
        #expect(Scratch.names(tourDirectory) == [sent.hex])
    }

    @Test func whatWasCutShortGoesAtTheStart() throws {
        var store: TourStore? = try Sample.store(scratch)
        let blob = try SampleBlob(bytes: 70_000, event: #require(store).appendSampleEvent())
        _ = try blob.add(to: #require(store), chunks: [0])
        store = nil
        let half = String(repeating: "0a", count: 16) + ".new"
        for name in [half, Sample.id(Sample.anna, 5).hex, "diary.txt"] {
            Scratch.write([1], to: tourDirectory + "/" + name)
        }
        mkdir(directory + "/" + Sample.otherTour.hex, 0o700)
        Scratch.write([1], to: directory + "/" + Sample.otherTour.hex + "/" + blob.manifest.id.hex)
        _ = try Sample.store(scratch)
        #expect(Scratch.names(tourDirectory) == ["diary.txt", blob.manifest.id.hex].sorted())
        #expect(Scratch.names(directory) == [Sample.tour.hex])
    }

    @Test func aWipeTakesEveryFile() throws {
        let data = try DataDirectory(path: scratch.path + "/data")
        let key = try StorageKeyFile.open(data, passphrase: nil)
        let store = try TourStore(directory: data, storageKey: key, decode: Sample.decode)
        let blob = try SampleBlob(bytes: 70_000, event: store.appendSampleEvent())
        _ = try blob.add(to: store, chunks: [0])
        Scratch.write([1], to: "\(tourDirectory)/\(String(repeating: "0a", count: 16)).new")
        try data.destroyKey()
        try store.close()
        try data.removeFiles()
        #expect(Scratch.names(scratch.path).isEmpty)
    }

    @Test func aWipeLeavesWhatIsNotOurs() throws {
        let data = try DataDirectory(path: scratch.path + "/data")
        mkdir(directory, 0o700)
        Scratch.write([1], to: directory + "/diary.txt")
        mkdir(scratch.path + "/photos", 0o700)
        Scratch.write([1], to: scratch.path + "/photos/" + Sample.tour.hex)
        symlink(scratch.path + "/photos", tourDirectory)
        try data.removeFiles()
        #expect(Scratch.bytes(directory + "/diary.txt") == [1])
        #expect(Scratch.names(scratch.path + "/photos") == [Sample.tour.hex])
    }

    @Test func aBackupLeavesFilesOut() throws {
        let store = try Sample.store(scratch)
        let blob = try SampleBlob(bytes: 3_000_000, event: store.appendSampleEvent())
        #expect(try blob.add(to: store, chunks: Array(blob.chunks.indices)).isComplete)
        let weak = try Passphrase.Parameters(
            operations: 1, memoryBytes: 8_192, salt: [UInt8](repeating: 1, count: Passphrase.Parameters.saltBytes))
        let backup = scratch.path + "/trip.backup"
        try store.backUp(to: backup, passphrase: [1], parameters: weak) { _, _ in }
        #expect(Scratch.bytes(backup).count < 1_000_000)
        let other = try DataDirectory(path: scratch.path + "/other")
        let key = try other.restore(from: backup, passphrase: [1]) { _, _ in }
        let restored = try TourStore(directory: other, storageKey: key, decode: Sample.decode)
        #expect(try restored.blob(blob.manifest.id, of: Sample.tour)?.isComplete == false)
        let file = try #require(try restored.openBlob(blob.manifest.id, of: Sample.tour))
        #expect(file.have.isEmpty && file.pages == [0: blob.pages[0]])
        for chunk in blob.chunks.indices { try file.write(chunk, blob.chunks[chunk]) }
        #expect(file.isComplete)
    }

    /// Size and page hashes are sealed like a tour's name: none opens in another's place.
    @Test func rowsAreSealedForTheirFile() throws {
        var store: TourStore? = try Sample.store(scratch)
        let events = try (0..<2).map { _ in try #require(store).appendSampleEvent() }
        let blobs = try (0..<2).map { try SampleBlob(bytes: 70_000 + $0, seed: UInt64($0), event: events[$0]) }
        for blob in blobs { _ = try blob.add(to: #require(store), chunks: []) }
        store = nil
        let database = try DatabaseQueue(path: scratch.path + "/data/tour.sqlite")
        let columns = try database.read { try Row.fetchAll($0, sql: "SELECT details, room FROM blob ORDER BY key") }
        #expect(columns.map { $0["room"] as Int64 } == [131_104, 131_104])
        for (row, blob) in zip(columns, blobs) {
            let details = [UInt8](row["details"] as Data)
            #expect(
                details.count == 40 + 8 + 32 && !details.suffix(72).elementsEqual(blob.manifest.pageHashes[0].bytes))
        }
        try database.write { db in
            try db.execute(sql: "UPDATE blob SET details = (SELECT details FROM blob ORDER BY key DESC LIMIT 1)")
        }
        try database.close()
        let next = try Sample.store(scratch)
        #expect(throws: StoreError.damaged(.database)) { _ = try next.blobs(Sample.tour) }
    }
}
