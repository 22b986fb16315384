import TourCrypto
import TourModel
import TourWire

/// The blocks that are sent together: first the first symbol of each block, then the second of each, and so on.
struct CastWindow: Sendable {
    let number: Int
    private(set) var blocks: [CastBlock]
    /// Whether every block has sent all its unasked symbols.
    private(set) var isPassed = false
    /// When a part of it was last sent or asked for.
    private(set) var activeAt: Instant
    private var row = 0
    private var column = 0
    private var repairColumn = 0
    /// The repair symbols that each block gets unasked, once its data has gone out.
    private var unasked: [Int]?

    init(_ number: Int, of plan: CastPlan, _ now: Instant) {
        self.number = number
        blocks = plan.blocks(ofWindow: number).map { CastBlock(number: $0, dataSymbols: plan.dataSymbols($0)) }
        activeAt = now
    }

    var isReady: Bool { blocks.allSatisfy(\.isReady) }
    var owesRepairs: Bool { blocks.contains { $0.owed > 0 } }
    /// Whether all data has gone out and the number of unasked repairs is to be set now.
    var isAtRepairs: Bool { unasked == nil && column == blocks.count && row + 1 >= rows }

    private var rows: Int { blocks.map(\.dataSymbols).max() ?? 0 }

    mutating func fill(_ block: Int, _ sealed: [UInt8]) {
        guard let index = blocks.firstIndex(where: { $0.number == block && !$0.isReady }) else { return }
        blocks[index].fill(sealed)
    }

    /// The next symbol of the first pass; nil when the pass is over.
    mutating func next(_ need: CastNeed, _ now: Instant) -> CastSeal.Symbol? {
        guard !isPassed else { return nil }
        while true {
            if column == blocks.count {
                column = 0
                row += 1
            }
            if row >= rows, unasked == nil {
                unasked = blocks.map { need.unasked(of: $0.dataSymbols) }
            }
            let limits = zip(blocks, unasked ?? blocks.map { _ in 0 }).map { $0.dataSymbols + $1 }
            guard limits.contains(where: { $0 > row }) else { break }
            let index = column
            column += 1
            guard row < limits[index], let symbol = nextSymbol(of: index, now) else { continue }
            return symbol
        }
        isPassed = true
        return nil
    }

    /// The next symbol asked for, the blocks in turn.
    mutating func nextRepair(_ now: Instant) -> CastSeal.Symbol? {
        for _ in blocks.indices {
            repairColumn = (repairColumn + 1) % blocks.count
            if blocks[repairColumn].owed > 0, let symbol = nextSymbol(of: repairColumn, now) { return symbol }
        }
        return nil
    }

    private mutating func nextSymbol(of index: Int, _ now: Instant) -> CastSeal.Symbol? {
        guard let (number, bytes) = blocks[index].nextSymbol() else { return nil }
        activeAt = now
        return CastSeal.Symbol(block: blocks[index].number, number: number, bytes: bytes)
    }

    /// Applies an ask. Before the first pass is over nobody can know what it misses.
    /// - Parameter need: at most the count that may be asked for at once.
    /// - Returns: whether the window sends something for it.
    mutating func ask(_ need: CastAsk.Need, _ estimate: CastNeed, hurries: Bool, _ now: Instant) -> Bool {
        guard isPassed, let index = blocks.firstIndex(where: { $0.number == need.block }) else { return false }
        let wanted = estimate.repairs(for: need.count) + (hurries && estimate.loss > 0.05 ? 1 : 0)
        blocks[index].ask(need.count, wanted: wanted, now)
        guard blocks[index].owed > 0 else { return false }
        activeAt = now
        return true
    }

    /// Adds this window's actual need to the estimate for later windows.
    func addNeed(to estimate: inout CastNeed) {
        for (block, unasked) in zip(blocks, unasked ?? []) {
            estimate.record(
                dataSymbols: block.dataSymbols, sent: block.dataSymbols + unasked, asked: block.firstAsked)
        }
    }
}
