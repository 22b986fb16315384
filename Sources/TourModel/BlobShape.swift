/// How a file of a given size is divided: into chunks, which are sealed one by one, and pages, which list the chunks'
/// hashes. Source: `Protocol/11-blobs.md`, "Shape".
package struct BlobShape: Hashable, Sendable {
    /// The bytes of the unsealed file, 0…`Limits.blobBytesMax`.
    package let size: UInt64

    /// - Returns: nil for a file that is too long.
    package init?(size: UInt64) {
        guard size <= Limits.blobBytesMax else { return nil }
        self.size = size
    }

    /// The shape of a file from its size when sealed.
    ///
    /// - Returns: nil where no file has this sealed size.
    package init?(sealedSize: UInt64) {
        let sealedChunk = UInt64(Limits.blobChunkBytes + Limits.blobTagBytes)
        let chunks = sealedSize / sealedChunk + (sealedSize.isMultiple(of: sealedChunk) ? 0 : 1)
        let (tags, isTooLong) = chunks.multipliedReportingOverflow(by: UInt64(Limits.blobTagBytes))
        guard !isTooLong, sealedSize >= tags else { return nil }
        self.init(size: sealedSize - tags)
        // A last chunk that contains only its tag is invalid.
        guard self.sealedSize == sealedSize else { return nil }
    }

    /// Zero for an empty file.
    package var chunkCount: Int { Self.parts(of: Int(size), each: Limits.blobChunkBytes) }

    /// The bytes of the chunk before it is sealed.
    /// - Parameter chunk: 0…`chunkCount` - 1.
    package func chunkBytes(_ chunk: Int) -> Int {
        precondition((0..<chunkCount).contains(chunk), "a chunk of this file")
        return min(Limits.blobChunkBytes, Int(size) - chunk * Limits.blobChunkBytes)
    }

    /// The bytes of the chunk when sealed.
    package func sealedBytes(_ chunk: Int) -> Int { chunkBytes(chunk) + Limits.blobTagBytes }

    /// The position of the sealed chunk in the sealed file, which contains the chunks in order.
    package func sealedOffset(_ chunk: Int) -> UInt64 {
        UInt64(chunk) * UInt64(Limits.blobChunkBytes + Limits.blobTagBytes)
    }

    /// The bytes of the whole file when sealed.
    package var sealedSize: UInt64 { size + UInt64(chunkCount * Limits.blobTagBytes) }

    /// Whether this is the file's last chunk.
    package func isLast(_ chunk: Int) -> Bool { chunk == chunkCount - 1 }

    /// The number of pages.
    package var pageCount: Int { Self.parts(of: chunkCount, each: Limits.blobPageHashesMax) }

    /// The page that lists a chunk.
    package func page(ofChunk chunk: Int) -> Int { chunk / Limits.blobPageHashesMax }

    /// The chunks that a page lists, in order.
    package func chunks(ofPage page: Int) -> Range<Int> {
        let first = page * Limits.blobPageHashesMax
        return first..<min(first + Limits.blobPageHashesMax, chunkCount)
    }

    private static func parts(of whole: Int, each part: Int) -> Int { (whole + part - 1) / part }
}
