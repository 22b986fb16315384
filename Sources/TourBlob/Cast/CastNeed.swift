import TourModel

/// Estimates from past asks how many symbols a block takes until nobody misses it, to send that many of the next blocks
/// before anybody asks. A share of a block's data symbols, since the last block may be short.
struct CastNeed: Sendable {
    /// The most symbols sent unasked, as a share: what 20 members that miss 40 % need.
    private static let shareMax = 2.0
    /// The number of blocks over which the estimate averages.
    private static let blocks = 32

    private(set) var share: Double
    private var count = 0

    /// - Parameter lossPerMille: the listeners' loss, as far as it is known.
    init(lossPerMille: Int) {
        share = min(1_000 / Double(1_000 - min(max(lossPerMille, 0), 500)), Self.shareMax)
    }

    /// The share of symbols that are lost.
    var loss: Double { 1 - 1 / share }

    /// The repair symbols that a block gets before anybody asks: slightly fewer than it takes, since needless symbols
    /// waste the network and missing ones are asked for.
    func unasked(of dataSymbols: Int) -> Int {
        max(0, Int((share - 1) * Double(dataSymbols) - 0.5))
    }

    /// The symbols to send for a count that was asked for.
    func repairs(for asked: Int) -> Int { asked + Int(Double(asked) * loss + 0.5) }

    /// - Parameter sent: the symbols of the block sent before anybody asked.
    /// - Parameter asked: the highest count asked for; 0: nobody asked.
    mutating func record(dataSymbols: Int, sent: Int, asked: Int) {
        // No member reports how many fewer would have sufficed.
        let spare = 1 + (sent - dataSymbols) / 8
        let needed = asked == 0 ? max(sent - spare, dataSymbols) : sent + repairs(for: asked)
        count = min(count + 1, Self.blocks)
        let weight = 1 / Double(count)
        share += (min(Double(needed) / Double(dataSymbols), Self.shareMax) - share) * weight
    }
}
