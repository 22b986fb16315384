import Foundation
import Testing
import TourAPI
import TourCrypto
import TourModel
import TourNode
import TourStore
import TourWire

/// Goal: files are opened in order and as long as there is room, and nothing is done for a file or a link that is gone.
/// Method: the files of a tour with a host in memory, which opens them when the test says so.
@Suite final class TourFilesTests {
    private static let author = MemberID(raw: MemoryFilesHost.bytes(2))
    private static let peer = LinkID(value: 1)
    private static let sealed = [UInt8](repeating: 5, count: 26)

    private let host = MemoryFilesHost()
    private let files: TourFiles
    private let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("tour-files-\(UUID())")

    init() { files = TourFiles(host: host, rng: SplitMix64(seed: 5)) }

    deinit { try? FileManager.default.removeItem(at: scratch) }

    /// A file of ten bytes in one chunk, whose sealed bytes are `sealed`; each number another id.
    private static func file(_ number: Int, by author: MemberID = author) -> KnownFile {
        KnownFile(manifest(BlobID(raw: MemoryFilesHost.bytes(UInt8(number))), number, author), sequence: UInt64(number))
    }

    private static func manifest(_ id: BlobID?, _ number: Int, _ author: MemberID) -> BlobManifest {
        let hash = BlobHash.page(BlobHash.chunk(sealed).bytes)
        guard let shape = BlobShape(size: 10) else { preconditionFailure("a file of this size") }
        return BlobManifest(
            id: id ?? BlobID(size: 10, pageHashes: [hash]), author: author,
            event: EventID(raw: MemoryFilesHost.bytes(UInt8(number))), shape: shape, pageHashes: [hash])
    }

    private static func id(_ number: Int) -> BlobID { BlobID(raw: MemoryFilesHost.bytes(UInt8(number))) }

    private func askFor(_ number: Int) {
        files.receive(
            .state(BlobMessage.State(blob: Self.id(number), wants: 1, have: [], asks: true)), on: Self.peer)
    }

    private func failFirst(_ error: StoreError = .noRoom(.disk)) {
        host.opening.removeFirst().done(files, .failure(error))
    }

    /// A file of this size; its hashes say nothing here.
    private static func file(_ number: Int, bytes: UInt64) throws -> KnownFile {
        let shape = try #require(BlobShape(size: bytes))
        return KnownFile(
            BlobManifest(
                id: id(number), author: author, event: EventID(raw: MemoryFilesHost.bytes(UInt8(number))), shape: shape,
                pageHashes: Array(repeating: MemoryFilesHost.bytes(7), count: Int(shape.pageCount))),
            sequence: UInt64(number))
    }

    @Test func aLargeFileComesWhenItIsAskedFor() throws {
        let most = BlobQuota.unaskedFileBytesMax
        for policy in [FilePolicy.small, .wifiOnly] {
            let host = MemoryFilesHost()
            let files = TourFiles(host: host, rng: SplitMix64(seed: 5))
            host.policy = policy
            try files.add(Self.file(1, bytes: most))
            try files.add(Self.file(2, bytes: most + 1))
            #expect(host.opening.map(\.id) == [Self.id(1)])
            #expect(files.state(of: Self.id(2)) == .known)
            files.fetch(Self.id(2), isAsked: true)
            #expect(host.opening.map(\.id) == [Self.id(1), Self.id(2)])
        }
        host.policy = .always
        try files.add(Self.file(3, bytes: 500 << 20))
        #expect(host.opening.map(\.id) == [Self.id(3)])
    }

    @Test func aFileThatFindsNoRoomIsTriedAgainLater() {
        files.add(Self.file(1))
        #expect(host.opening.map(\.id) == [Self.id(1)])
        #expect(files.state(of: Self.id(1)) == .waiting)
        failFirst()
        #expect(files.state(of: Self.id(1)) == .noRoom)
        #expect(host.changed == [1] && host.faults == [StoreError.noRoom(.disk).code])
        host.now = host.now + .seconds(299)
        files.tick()
        #expect(host.opening.isEmpty)
        host.now = host.now + .seconds(1)
        files.tick()
        #expect(host.opening.map(\.id) == [Self.id(1)])
        #expect(files.state(of: Self.id(1)) == .waiting)
        failFirst()
        // Whoever asks for it does not wait.
        files.fetch(Self.id(1), isAsked: true)
        #expect(host.opening.map(\.id) == [Self.id(1)])
    }

    @Test func whenAllPlacesAreTakenAPeersFileComesBeforeOurs() {
        host.policy = .ask
        let places = Limits.blobsOpenMax
        for number in 1...places + 3 { files.add(Self.file(number)) }
        #expect(host.opening.isEmpty, "nobody asked for any")
        for number in 1...places + 2 { files.fetch(Self.id(number), isAsked: true) }
        #expect(host.opening.map(\.id) == (1...places).map(Self.id))
        files.linkUp(Self.peer, isSlow: false)
        askFor(places + 3)
        #expect(host.opening.count == places)
        for _ in 0..<3 { failFirst() }
        #expect(host.opening.suffix(3).map(\.id) == [places + 3, places + 1, places + 2].map(Self.id))
    }

    @Test func aQuestionThatOvertookItsMessageIsForgottenWithItsLink() {
        host.policy = .ask
        for link in [Self.peer, LinkID(value: 2)] { files.linkUp(link, isSlow: false) }
        askFor(1)
        files.add(Self.file(1))
        #expect(host.opening.map(\.id) == [Self.id(1)], "the peer still waits")
        askFor(2)
        files.linkDown(Self.peer)
        files.add(Self.file(2))
        #expect(host.opening.map(\.id) == [Self.id(1)])
        #expect(files.state(of: Self.id(2)) == .known)
    }

    @Test func onBluetoothNoFilesAreExchangedIfTheUserSaysSo() {
        host.policy = .wifiOnly
        files.linkUp(Self.peer, isSlow: true)
        askFor(1)
        files.linkUp(LinkID(value: 2), isSlow: false)
        host.isMember = false
        files.add(Self.file(1))
        #expect(host.opening.isEmpty)
    }

    @Test func theFileOfAWithdrawnMessageIsDeletedAndNotOpened() {
        for number in 1...Limits.blobsOpenMax + 1 { files.add(Self.file(number)) }
        let last = Limits.blobsOpenMax + 1
        files.withdraw(EventID(raw: MemoryFilesHost.bytes(UInt8(last))), by: host.own)
        #expect(host.removed.isEmpty, "another member withdraws nothing")
        files.withdraw(EventID(raw: MemoryFilesHost.bytes(UInt8(last))), by: Self.author)
        #expect(host.removed == [Self.id(last)])
        failFirst()
        #expect(host.opening.count == Limits.blobsOpenMax - 1)
        host.withdrawn = [EventID(raw: MemoryFilesHost.bytes(99))]
        files.add(Self.file(99))
        #expect(host.opening.count == Limits.blobsOpenMax - 1)
        #expect(files.status.count == Limits.blobsOpenMax)
    }

    @Test func ownFilesAreKeptUntilEverybodyHasTheirMessages() {
        files.add(Self.file(1, by: host.own))
        files.add(Self.file(2, by: host.own))
        files.add(Self.file(3))
        #expect(host.opening.last?.kept == [Self.id(1), Self.id(2)])
        host.deliveredThrough = 1
        files.add(Self.file(4))
        #expect(host.opening.last?.kept == [Self.id(2)])
    }

    @Test func aChunkIsStoredBeforeItsFileIsComplete() throws {
        let store = try TourStore(
            directory: DataDirectory(path: scratch.path), storageKey: SecretBytes([UInt8](repeating: 7, count: 32)),
            decode: { _, _ in nil })
        let manifest = Self.manifest(nil, 7, Self.author)
        let id = manifest.id
        let file = try store.addBlob(
            manifest, to: TourID(raw: MemoryFilesHost.bytes(9)), quota: BlobQuota(), isAsked: false
        ) { _ in true }
        files.add(KnownFile(manifest, sequence: 7))
        files.linkUp(Self.peer, isSlow: false)
        host.opening.removeFirst().done(files, .success(file))
        files.receive(
            .state(BlobMessage.State(blob: id, wants: 0, have: ChunkSet.all(1).bytes, asks: false)), on: Self.peer)
        #expect(files.state(of: id) == .fetching)
        files.receive(.page(id, page: 0, hashes: [BlobHash.chunk(Self.sealed)]), on: Self.peer)
        files.receive(.chunk(BlobMessage.Chunk(blob: id, chunk: 0, bytes: Self.sealed)), on: Self.peer)
        #expect(files.state(of: id) == .fetching, "the bytes are not on the disk yet")
        host.runJobs(files)
        #expect(files.state(of: id) == .complete)
        #expect(files.progress[manifest.event] == FileProgress(have: 10, complete: true) && host.changed == [7])
        #expect(try file.read(0) == Self.sealed)
        files.end()
        host.runJobs(files)
        try store.close()
    }
}
