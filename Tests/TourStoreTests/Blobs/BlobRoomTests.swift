import Glibc
import Testing
import TourCrypto
import TourModel
import TourStore

// Goal: files stay within their tour's, their author's and the disk's room, what goes for others was opened longest
// ago, and what must stay does. Method: quotas of a few chunks.
@Suite struct BlobRoomTests {
    private static let isRoot = geteuid() == 0
    /// What a file of one chunk counts for, whatever its size.
    private static let one: UInt64 = 65_536 + 16
    private let scratch: Scratch
    private let store: TourStore

    init() throws {
        scratch = try Scratch()
        store = try Sample.store(scratch)
    }

    private func quota(tour: UInt64 = 1_000, author: UInt64 = 1_000) -> BlobQuota {
        BlobQuota(tourBytes: tour * Self.one, authorBytes: author * Self.one, freeBytesMin: 0)
    }

    /// A file that is here, and that nobody has open.
    @discardableResult
    private func add(
        _ seed: UInt64, bytes: Int = 10, author: MemberID = Sample.anna, quota: BlobQuota? = nil, isAsked: Bool = false,
        keeping isKept: (BlobRecord) -> Bool = { _ in false }
    ) throws -> SampleBlob {
        let blob = try SampleBlob(
            bytes: bytes, seed: seed, author: author, event: store.appendSampleEvent(author))
        let file = try store.addBlob(
            blob.manifest, to: Sample.tour, quota: quota ?? self.quota(), isAsked: isAsked, keeping: isKept)
        for (page, hashes) in blob.pages.enumerated() { try file.savePage(page, hashes) }
        for (chunk, sealed) in blob.chunks.enumerated() { try file.write(chunk, sealed) }
        return blob
    }

    /// The ids that have a row; each of them has its file, and nothing else has one.
    private func here() throws -> [BlobID] {
        let ids = try store.blobs(Sample.tour).map(\.manifest.id)
        let names = Scratch.names("\(scratch.path)/data/blobs/\(Sample.tour.hex)")
        #expect(names == ids.map(\.hex).sorted())
        return ids
    }

    @Test func whatWasOpenedLongestAgoGoesFirst() throws {
        let blobs = try (1...3).map { try add($0) }
        _ = try store.openBlob(blobs[0].manifest.id, of: Sample.tour)
        let fourth = try add(4, quota: quota(tour: 3))
        #expect(try here() == [blobs[0], blobs[2], fourth].map(\.manifest.id))
        // Three chunks: nothing is left of the others.
        let large = try add(5, bytes: 3 * 65_536, quota: quota(tour: 3))
        #expect(try here() == [large.manifest.id])
        #expect(throws: StoreError.noRoom(.tour)) { try add(6, bytes: 4 * 65_536, quota: quota(tour: 3)) }
        #expect(try here() == [large.manifest.id])
    }

    @Test func whatNobodyAskedForGoesFirst() throws {
        let asked = try add(1, isAsked: true)
        let other = try add(2)
        let third = try add(3, quota: quota(tour: 2))
        #expect(try here() == [asked, third].map(\.manifest.id))
        #expect(!(try here()).contains(other.manifest.id))
    }

    @Test func whatMustStayStays() throws {
        let undelivered = try add(1)
        let old = try add(2)
        let read = try add(3)
        let reader = try #require(try store.openBlob(read.manifest.id, of: Sample.tour))
        let keeps: (BlobRecord) -> Bool = { $0.manifest.event == undelivered.manifest.event }
        #expect(throws: StoreError.noRoom(.tour)) { try add(4, quota: quota(tour: 2), keeping: keeps) }
        #expect(try here() == [undelivered, old, read].map(\.manifest.id))
        #expect(try reader.read(0) == read.chunks[0])
        let fifth = try add(5, quota: quota(tour: 3), keeping: keeps)
        #expect(try here() == [undelivered, read, fifth].map(\.manifest.id))
        _ = try reader.read(0)
    }

    /// What one of them sends pushes out only what the same one sent.
    @Test func oneMemberDoesNotPushOutTheOthers() throws {
        let berts = try add(1, author: Sample.bert)
        let first = try add(2)
        let second = try add(3)
        let third = try add(4, quota: quota(author: 2))
        #expect(try here() == [berts, second, third].map(\.manifest.id))
        #expect(!(try here()).contains(first.manifest.id))
        #expect(throws: StoreError.noRoom(.author)) { try add(5, bytes: 3 * 65_536, quota: quota(author: 2)) }
        // Asked for, it counts for nobody.
        let asked = try add(6, bytes: 3 * 65_536, quota: quota(author: 2), isAsked: true)
        let last = try add(7, quota: quota(author: 3))
        #expect(try here() == [berts, second, third, asked, last].map(\.manifest.id))
    }

    @Test(.enabled(if: isRoot, "mounting a small file system takes root"))
    func theLastOfTheDiskIsNeverTaken() throws {
        let scratch = try Scratch(megabytes: 8)
        let store = try Sample.store(scratch)
        let bound = BlobQuota(tourBytes: .max / 2, authorBytes: .max / 2, freeBytesMin: 2_000_000)
        func sample(_ seed: UInt64) throws -> SampleBlob {
            try SampleBlob(bytes: 2_000_000, seed: seed, event: store.appendSampleEvent())
        }
        let first = try sample(1)
        #expect(try first.add(to: store, chunks: Array(first.chunks.indices), quota: bound).isComplete)
        let second = try sample(2)
        let holder = try second.add(to: store, chunks: [], quota: bound)
        // The first goes: there is place for two.
        let third = try sample(3)
        _ = try third.add(to: store, chunks: [], quota: bound)
        #expect(try store.blobs(Sample.tour).map(\.manifest.id) == [second, third].map(\.manifest.id))
        #expect(throws: StoreError.noRoom(.disk)) {
            _ = try sample(4).add(
                to: store, chunks: [], quota: BlobQuota(tourBytes: .max / 2, freeBytesMin: 6_000_000))
        }
        #expect(!holder.isComplete)
    }

    @Test func aLargeDiskKeepsAShareOfItFree() {
        // 8 GB of memory card, 64 GB, a terabyte.
        let disks: [(UInt64, UInt64)] = [
            (1 << 30, 200 << 20), (8_000_000_000, 400_000_000), (64_000_000_000, 3_200_000_000), (1 << 40, 4 << 30),
        ]
        for (disk, free) in disks { #expect(BlobQuota().freeBytes(ofDisk: disk) == free) }
    }

    @Test func anAuthorWithoutARankHasLess() {
        #expect(BlobQuota.quota(isRanked: false, isBounded: true).authorBytes == 64 << 20)
        #expect(BlobQuota.quota(isRanked: true, isBounded: true).authorBytes == 512 << 20)
        #expect(BlobQuota.quota(isRanked: false, isBounded: false) == BlobQuota())
        #expect(BlobQuota.quota(isRanked: false, isBounded: true).tourBytes == BlobQuota().tourBytes)
    }
}
