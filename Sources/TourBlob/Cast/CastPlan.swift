import TourModel

/// How a blob's chunks are sent: each is a block, and blocks are sent in windows. Source: `Protocol/11-blobs.md`,
/// "Multicast session".
struct CastPlan: Hashable, Sendable {
    let shape: BlobShape

    var blockCount: Int { shape.chunkCount }

    /// The block's symbols without repair: its sealed bytes, the last symbol padded with zeros.
    func dataSymbols(_ block: Int) -> Int {
        (shape.sealedBytes(block) + Limits.castSymbolBytes - 1) / Limits.castSymbolBytes
    }

    var windowCount: Int { (blockCount + Limits.castWindowBlocks - 1) / Limits.castWindowBlocks }

    func window(of block: Int) -> Int { block / Limits.castWindowBlocks }

    func blocks(ofWindow window: Int) -> Range<Int> {
        let first = window * Limits.castWindowBlocks
        return first..<min(first + Limits.castWindowBlocks, blockCount)
    }
}

/// The limits of a cast for members that lose much: these get the rest over links.
enum CastBound {
    /// The most symbols of a block that a cast ever sends, whoever asks: 20 members that miss 30 % of a whole chunk
    /// need 91 for 56. So a cast is at most that much longer than its blob.
    static func symbols(of dataSymbols: Int) -> Int { min(2 * dataSymbols + 16, Limits.castSymbolNumbersMax) }

    /// The most symbols of a block asked for at once. A higher count is a report: its sender missed too much, and
    /// leaves the block to the links.
    static func asked(of dataSymbols: Int) -> Int { min(dataSymbols, dataSymbols / 2 + 8) }

    /// Whether too many symbols of a window were missed to ask for any: 40 %, plus a few for chance. One member that
    /// loses 60 % would double the cast for everybody.
    static func isTooLossy(missed: Int, of sent: Int) -> Bool { missed * 100 > sent * 40 + 800 }
}
