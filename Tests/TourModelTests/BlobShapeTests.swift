import Testing
import TourModel

/// How files are cut, and sets of their chunks.
struct BlobShapeTests {
    private static let files: [(size: UInt64, chunks: Int, pages: Int)] = [
        (0, 0, 0), (1, 1, 1), (65_536, 1, 1), (65_537, 2, 1), (5_000_000, 77, 1), (67_108_864, 1_024, 1),
        (67_108_865, 1_025, 2), (1_073_741_824, 16_384, 16),
    ]

    @Test(arguments: files)
    func chunksAndPagesCoverTheFile(size: UInt64, chunks: Int, pages: Int) throws {
        let shape = try #require(BlobShape(size: size))
        #expect(shape.chunkCount == chunks)
        #expect(shape.pageCount == pages)
        #expect((0..<chunks).reduce(0) { $0 + UInt64(shape.chunkBytes($1)) } == size)
        #expect((0..<pages).flatMap { shape.chunks(ofPage: $0) } == Array(0..<chunks))
        #expect((0..<chunks).allSatisfy { shape.chunks(ofPage: shape.page(ofChunk: $0)).contains($0) })
        if chunks > 0 {
            #expect(shape.sealedOffset(chunks - 1) + UInt64(shape.sealedBytes(chunks - 1)) == shape.sealedSize)
        }
    }

    @Test func aFileOverAGibibyteHasNoShape() { #expect(BlobShape(size: Limits.blobBytesMax + 1) == nil) }

    @Test func aSetComesBackFromItsBytes() throws {
        var set = ChunkSet(limit: 77)
        #expect(set.bytes.isEmpty)
        let added = [0, 9, 63, 64, 70, 9].map { set.insert($0) }
        #expect(added == [true, true, true, true, true, false])
        #expect(set.bytes == [0x80, 0x40, 0, 0, 0, 0, 0, 0x01, 0x82])
        let read = try #require(ChunkSet(bytes: set.bytes, limit: 77))
        #expect(read == set)
        #expect(Array(read) == [0, 9, 63, 64, 70])
        #expect(ChunkSet.all(77).isFull)
    }

    @Test(arguments: [[0x80, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0x04], Array(repeating: 1, count: 11)] as [[UInt8]])
    func bitsBeyondTheFileAndZerosAtTheEndAreRefused(bytes: [UInt8]) {
        #expect(ChunkSet(bytes: bytes, limit: 77) == nil)
    }

    @Test func setsAreJoinedAndSubtracted() {
        var one = ChunkSet(limit: 130)
        var other = ChunkSet(limit: 130)
        for chunk in [1, 64, 129] { one.insert(chunk) }
        for chunk in [64, 65] { other.insert(chunk) }
        var both = one
        both.formUnion(other)
        #expect(Array(both) == [1, 64, 65, 129])
        #expect(both.count == 4)
        both.subtract(other)
        #expect(Array(both) == [1, 129])
        let removed = [129, 129].map { both.remove($0) }
        #expect(removed == [true, false])
        #expect(both.count == 1)
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 1_000_000, 1 << 30] as [UInt64])
    func theSealedLengthSaysTheShape(size: UInt64) throws {
        let shape = try #require(BlobShape(size: size))
        #expect(BlobShape(sealedSize: shape.sealedSize) == shape)
    }

    @Test(arguments: [1, 16, 65_553, 65_568, .max, (1 << 30) + (1 << 20)] as [UInt64])
    func lengthsOfNoSealedFileAreNone(bytes: UInt64) { #expect(BlobShape(sealedSize: bytes) == nil) }
}
