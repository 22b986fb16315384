import TourModel

/// How a blob's chunks are sent: each is a block, and blocks go in windows. Source: `Protocol/11-blobs.md`,
/// "Multicast session".
struct CastPlan: Hashable, Sendable {
    let shape: BlobShape

    var blockCount: Int { shape.chunkCount }

    /// The block's symbols without repair; its sealed bytes, with zeros behind the last.
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

/// How far a cast goes for those who lose much. They are left to the links.
enum CastBound {
    /// Symbols of a block that a cast ever sends, whoever asks: 20 members who miss 30 % of a whole chunk need 91 of
    /// 56. A cast is at most so much longer than its blob.
    static func symbols(of dataSymbols: Int) -> Int { min(2 * dataSymbols + 16, Limits.castSymbolNumbersMax) }

    /// The most that is asked for at once of a block. A higher count is no ask: who says it missed too much, and leaves
    /// the block to the links.
    static func asked(of dataSymbols: Int) -> Int { min(dataSymbols, dataSymbols / 2 + 8) }

    /// Whether so many symbols missed of those that were sent of a window are too many to ask for any: 40 %, and a few
    /// more by chance. One who loses 60 % would double the cast for all.
    static func isTooLossy(missed: Int, of sent: Int) -> Bool { missed * 100 > sent * 40 + 800 }
}
