import Testing
import TourCrypto
import TourModel

/// Goal: a chunk opens with its file's key, in its own place, as it was sealed, and never else. Method: round trips,
/// then every byte in turn, and neighbours' places. What it must be byte for byte, the vectors say.
struct BlobSealTests {
    private let seal = BlobSeal(key: BlobSealTests.key(7))

    private static func key(_ byte: UInt8) -> Bytes32 { Bytes32([UInt8](repeating: byte, count: 32)) ?? .zero }

    private func isRefused(_ sealed: some Collection<UInt8>, _ index: Int, _ isLast: Bool, _ seal: BlobSeal) -> Bool {
        do {
            _ = try seal.open(chunk: sealed, index: index, isLast: isLast)
            return false
        } catch { return error == .decryptionFailed }
    }

    @Test func roundTrips() throws {
        for count in [0, 1, 300, Limits.blobChunkBytes] {
            let chunk = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            for (index, isLast) in [(0, false), (0, true), (16_383, true)] {
                let sealed = seal.seal(chunk: chunk, index: index, isLast: isLast)
                #expect(sealed.count == count + Limits.blobTagBytes)
                #expect(try seal.open(chunk: sealed, index: index, isLast: isLast) == chunk)
                #expect(try seal.open(chunk: ([1] + sealed)[1...], index: index, isLast: isLast) == chunk)
            }
        }
    }

    @Test func everyChangedByteAndTruncationIsRefused() {
        let sealed = seal.seal(chunk: [UInt8](0..<40), index: 3, isLast: false)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(isRefused(changed, 3, false, seal))
            #expect(isRefused(sealed.prefix(index), 3, false, seal))
        }
        #expect(isRefused(sealed + [0], 3, false, seal))
    }

    @Test func aChunkHasOnePlace() {
        let sealed = seal.seal(chunk: [1, 2, 3], index: 3, isLast: false)
        #expect(!isRefused(sealed, 3, false, seal))
        #expect(isRefused(sealed, 3, true, seal))
        for index in [0, 2, 4, 3 << 8, 3 + 1 << 16, Int(UInt32.max)] { #expect(isRefused(sealed, index, false, seal)) }
        #expect(isRefused(sealed, 3, false, BlobSeal(key: Self.key(8))))
    }

    @Test func keysAreDrawn() {
        let keys = (0..<100).map { _ in BlobSeal.randomKey() }
        #expect(Set(keys).count == keys.count)
    }

    @Test func sizeAndEveryPageAreInTheID() {
        let pages = [Self.key(1), Self.key(2)]
        let id = BlobID(size: 100, pageHashes: pages)
        #expect(id == BlobID(size: 100, pageHashes: pages))
        for (size, pages) in [(101, pages), (100, pages.reversed()), (100, [pages[0]]), (100, [])] {
            #expect(BlobID(size: UInt64(size), pageHashes: pages) != id)
        }
        #expect(BlobHash.chunk([1]) != BlobHash.page([1]))
    }
}
