import SwiftProtobuf
import TourModel

/// How many more symbols a receiver needs of some blocks of a cast. Source: `Protocol/11-blobs.md`, "Asks".
package struct CastAsk: Hashable, Sendable {
    /// The number of symbols needed of one block.
    package struct Need: Hashable, Sendable {
        /// 0…`BlobShape.chunkCount` - 1; the caller checks whether the blob has so many.
        package let block: Int
        /// 1…`Limits.castSymbolNumbersMax`.
        package let count: Int

        package init(block: Int, count: Int) {
            self.block = block
            self.count = count
        }
    }

    /// The tag of the cast.
    package let tag: UInt64
    /// 1…`Limits.castAskBlocksMax`, ascending by block.
    package let needs: [Need]

    /// - Parameter needs: within the bounds of the property; others are a caller error.
    package init(tag: UInt64, needs: [Need]) {
        self.tag = tag
        self.needs = needs
    }
}

extension CastAsk {
    /// - Returns: nil unless there are as many counts as blocks, within the bounds.
    init?(_ wire: WireCastAsk) {
        let blocks = wire.blocks
        guard (1...Limits.castAskBlocksMax).contains(blocks.count), wire.counts.count == blocks.count,
            zip(blocks, blocks.dropFirst()).allSatisfy(<), blocks.allSatisfy({ $0 <= UInt16.max }),
            wire.counts.allSatisfy({ (1...UInt32(Limits.castSymbolNumbersMax)).contains($0) })
        else { return nil }
        self.init(tag: wire.tag, needs: zip(blocks, wire.counts).map { Need(block: Int($0), count: Int($1)) })
    }

    var wire: WireCastAsk {
        .with {
            $0.tag = tag
            $0.blocks = needs.map { UInt32($0.block) }
            $0.counts = needs.map { UInt32($0.count) }
        }
    }

    /// - Returns: nil when one is malformed, or there are more than `Limits.castAsksMax`.
    static func list(_ asks: [WireCastAsk]) -> [CastAsk]? {
        asks.count <= Limits.castAsksMax ? asks.all(CastAsk.init) : nil
    }
}
