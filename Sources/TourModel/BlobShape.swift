/// How a file of so many bytes is cut: into chunks, which are sealed one by one, and pages, which name them by their
/// hashes. Source: `Protocol/11-blobs.md`, "Shape".
package struct BlobShape: Hashable, Sendable {
    /// Bytes of the file as its author has it, 0…`Limits.blobBytesMax`.
    package let size: UInt64

    /// - Returns: nil for a file that is too long.
    package init?(size: UInt64) {
        guard size <= Limits.blobBytesMax else { return nil }
        self.size = size
    }

    /// Of a file that takes so many bytes when it is sealed.
    ///
    /// - Returns: nil where no file takes so many.
    package init?(sealedSize: UInt64) {
        let sealedChunk = UInt64(Limits.blobChunkBytes + Limits.blobTagBytes)
        let chunks = sealedSize / sealedChunk + (sealedSize.isMultiple(of: sealedChunk) ? 0 : 1)
        let (tags, isTooLong) = chunks.multipliedReportingOverflow(by: UInt64(Limits.blobTagBytes))
        guard !isTooLong, sealedSize >= tags else { return nil }
        self.init(size: sealedSize - tags)
        // A last chunk of nothing but its tag is none.
        guard self.sealedSize == sealedSize else { return nil }
    }

    /// None for an empty file.
    package var chunkCount: Int { Self.parts(of: Int(size), each: Limits.blobChunkBytes) }

    /// Bytes of the chunk before it is sealed.
    /// - Parameter chunk: 0…`chunkCount` - 1.
    package func chunkBytes(_ chunk: Int) -> Int {
        precondition((0..<chunkCount).contains(chunk), "a chunk of this file")
        return min(Limits.blobChunkBytes, Int(size) - chunk * Limits.blobChunkBytes)
    }

    package func sealedBytes(_ chunk: Int) -> Int { chunkBytes(chunk) + Limits.blobTagBytes }

    /// Where the sealed chunk stands in the sealed file, in which one follows the other.
    package func sealedOffset(_ chunk: Int) -> UInt64 {
        UInt64(chunk) * UInt64(Limits.blobChunkBytes + Limits.blobTagBytes)
    }

    package var sealedSize: UInt64 { size + UInt64(chunkCount * Limits.blobTagBytes) }

    package func isLast(_ chunk: Int) -> Bool { chunk == chunkCount - 1 }

    package var pageCount: Int { Self.parts(of: chunkCount, each: Limits.blobPageHashesMax) }

    package func page(ofChunk chunk: Int) -> Int { chunk / Limits.blobPageHashesMax }

    /// The chunks that a page names, in order.
    package func chunks(ofPage page: Int) -> Range<Int> {
        let first = page * Limits.blobPageHashesMax
        return first..<min(first + Limits.blobPageHashesMax, chunkCount)
    }

    private static func parts(of whole: Int, each part: Int) -> Int { (whole + part - 1) / part }
}
