import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// `blob.json`.
enum BlobVectors {
    static func blob(_ vector: VectorCase) throws -> String? {
        switch try vector.text("kind") {
        case "shape": try shape(vector)
        case "file": try file(vector)
        case "names": try names(vector)
        case "chunk": return try chunk(vector)
        case "set": return try set(vector)
        case "content": return try content(vector)
        default: throw VectorCase.Missing(field: "a kind of case")
        }
        return nil
    }

    private static func shape(_ vector: VectorCase) throws {
        let shape = try #require(BlobShape(size: try vector.number("size")))
        #expect(try shape.chunkCount == vector.count("chunks"))
        #expect(try shape.pageCount == vector.count("pages"))
        #expect(try shape.sealedSize == vector.number("sealedSize"))
        let last = shape.chunkCount - 1
        #expect(try (last < 0 ? 0 : shape.chunkBytes(last)) == vector.count("lastChunk"))
    }

    /// Cut, sealed, named, and opened again.
    private static func file(_ vector: VectorCase) throws {
        let shape = try #require(BlobShape(size: try vector.number("size")))
        let seal = BlobSeal(key: try vector.bytes32("key"))
        let plaintext = (0..<Int(shape.size)).map { UInt8(truncatingIfNeeded: 31 * $0 + $0 / 256) }
        var sealed = [UInt8]()
        var hashes = [Bytes32]()
        for index in 0..<shape.chunkCount {
            let start = index * Limits.blobChunkBytes
            let chunk = plaintext[start..<start + shape.chunkBytes(index)]
            #expect(shape.sealedOffset(index) == sealed.count)
            let part = seal.seal(chunk: chunk, index: index, isLast: shape.isLast(index))
            #expect(part.count == shape.sealedBytes(index))
            #expect(try seal.open(chunk: part, index: index, isLast: shape.isLast(index)) == Array(chunk))
            sealed += part
            hashes.append(BlobHash.chunk(part))
        }
        #expect(shape.sealedSize == sealed.count)
        if vector.has("sealed") { #expect(try sealed == vector.bytes("sealed")) }
        #expect(try hashes.map(\.bytes) == vector.byteLists("chunkHashes"))
        try check(hashes, shape, vector)
    }

    private static func names(_ vector: VectorCase) throws {
        let shape = try #require(BlobShape(size: try vector.number("size")))
        let hashes = (0..<shape.chunkCount).map { index in
            BlobHash.chunk(withUnsafeBytes(of: UInt32(index).bigEndian) { Array($0) })
        }
        try check(hashes, shape, vector)
    }

    private static func check(_ hashes: [Bytes32], _ shape: BlobShape, _ vector: VectorCase) throws {
        let pages = (0..<shape.pageCount).map { BlobHash.page(hashes[shape.chunks(ofPage: $0)].flatMap(\.bytes)) }
        #expect(try pages.map(\.bytes) == vector.byteLists("pageHashes"))
        #expect(try BlobID(size: shape.size, pageHashes: pages) == vector.id("blob"))
    }

    private static func chunk(_ vector: VectorCase) throws -> String? {
        let seal = BlobSeal(key: try vector.bytes32("key"))
        let (index, isLast) = try (vector.count("index"), vector.flag("last"))
        let sealed = try vector.bytes("sealed")
        let chunk: [UInt8]
        do { chunk = try seal.open(chunk: sealed, index: index, isLast: isLast) } catch { return error.code }
        #expect(try chunk == vector.bytes("plaintext"))
        #expect(seal.seal(chunk: chunk, index: index, isLast: isLast) == sealed)
        return nil
    }

    private static func set(_ vector: VectorCase) throws -> String? {
        let bytes = try vector.bytes("set")
        guard let set = ChunkSet(bytes: bytes, limit: try vector.count("limit")) else {
            return WireError.messageMalformed.code
        }
        #expect(try set.map { UInt64($0) } == vector.numbers("chunks"))
        #expect(set.bytes == bytes)
        return nil
    }

    private static func content(_ vector: VectorCase) throws -> String? {
        if let refused = try EventVectors.content(vector) { return refused }
        let file: FileContent
        switch try Content(decoding: vector.bytes("plaintext")) {
        case .file(let said), .image(let said): file = said
        case .meeting(let meeting): file = try #require(meeting?.photo)
        default: throw VectorCase.Missing(field: "a file")
        }
        #expect(file.blob == BlobID(size: file.shape.size, pageHashes: file.pageHashes))
        return nil
    }
}
