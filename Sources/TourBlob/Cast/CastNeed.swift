import TourModel

/// How many symbols it takes until nobody misses a block, from what was asked of those before: what is sent of the next
/// ones before anybody asks. As a share of a block's data symbols, since the last block may be short.
struct CastNeed: Sendable {
    /// The most that is sent unasked: what 20 members who miss 40 % need.
    private static let shareMax = 2.0
    /// One block's weight, once there are more than so many.
    private static let blocks = 32

    private(set) var share: Double
    private var count = 0

    /// - Parameter lossPerMille: of those who listen, as far as it is known.
    init(lossPerMille: Int) {
        share = min(1_000 / Double(1_000 - min(max(lossPerMille, 0), 500)), Self.shareMax)
    }

    /// What part of the symbols does not come.
    var loss: Double { 1 - 1 / share }

    /// How many repair symbols a block gets before anybody asks: a little less than it takes, since what nobody needs
    /// is sent for nothing, and what is missing is asked for.
    func unasked(of dataSymbols: Int) -> Int {
        max(0, Int((share - 1) * Double(dataSymbols) - 0.5))
    }

    /// How many symbols to send for a count that was asked for.
    func repairs(for asked: Int) -> Int { asked + Int(Double(asked) * loss + 0.5) }

    /// - Parameter sent: symbols of the block before anybody asked.
    /// - Parameter asked: the highest count; 0: nobody asked.
    mutating func note(dataSymbols: Int, sent: Int, asked: Int) {
        // How much less would have done nobody says.
        let spare = 1 + (sent - dataSymbols) / 8
        let needed = asked == 0 ? max(sent - spare, dataSymbols) : sent + repairs(for: asked)
        count = min(count + 1, Self.blocks)
        let weight = 1 / Double(count)
        share += (min(Double(needed) / Double(dataSymbols), Self.shareMax) - share) * weight
    }
}
