import TourCrypto
import TourModel
import TourWire

/// The blocks that are sent together: first each block's first symbol, then each block's second, and so on.
struct CastWindow: Sendable {
    let number: Int
    private(set) var blocks: [CastBlock]
    /// Whether every block had all that it gets unasked.
    private(set) var isPassed = false
    /// When something of it was sent or asked for last.
    private(set) var activeAt: Instant
    private var row = 0
    private var column = 0
    private var repairColumn = 0
    /// Repair symbols that each block gets unasked, once its data went out.
    private var unasked: [Int]?

    init(_ number: Int, of plan: CastPlan, _ now: Instant) {
        self.number = number
        blocks = plan.blocks(ofWindow: number).map { CastBlock(number: $0, dataSymbols: plan.dataSymbols($0)) }
        activeAt = now
    }

    var isReady: Bool { blocks.allSatisfy(\.isReady) }
    var owesRepairs: Bool { blocks.contains { $0.owed > 0 } }
    /// Whether all data went out, and how much more goes unasked is to be said now.
    var isAtRepairs: Bool { unasked == nil && column == blocks.count && row + 1 >= rows }

    private var rows: Int { blocks.map(\.dataSymbols).max() ?? 0 }

    mutating func fill(_ block: Int, _ sealed: [UInt8]) {
        guard let index = blocks.firstIndex(where: { $0.number == block && !$0.isReady }) else { return }
        blocks[index].fill(sealed)
    }

    /// The next symbol of the first pass; nil when it is over.
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
            guard row < limits[index], let symbol = take(index, now) else { continue }
            return symbol
        }
        isPassed = true
        return nil
    }

    /// The next symbol that somebody asked for, the blocks in turn.
    mutating func nextRepair(_ now: Instant) -> CastSeal.Symbol? {
        for _ in blocks.indices {
            repairColumn = (repairColumn + 1) % blocks.count
            if blocks[repairColumn].owed > 0, let symbol = take(repairColumn, now) { return symbol }
        }
        return nil
    }

    private mutating func take(_ index: Int, _ now: Instant) -> CastSeal.Symbol? {
        guard let (number, bytes) = blocks[index].take() else { return nil }
        activeAt = now
        return CastSeal.Symbol(block: blocks[index].number, number: number, bytes: bytes)
    }

    /// Before the first pass is over nobody can know what it misses.
    /// - Parameter need: at most what may be asked for at once.
    /// - Returns: whether something goes out for it.
    mutating func ask(_ need: CastAsk.Need, _ estimate: CastNeed, hurries: Bool, _ now: Instant) -> Bool {
        guard isPassed, let index = blocks.firstIndex(where: { $0.number == need.block }) else { return false }
        let wanted = estimate.repairs(for: need.count) + (hurries && estimate.loss > 0.05 ? 1 : 0)
        blocks[index].ask(need.count, wanted: wanted, now)
        guard blocks[index].owed > 0 else { return false }
        activeAt = now
        return true
    }

    /// How much was needed, into the estimate for later windows.
    func tell(_ estimate: inout CastNeed) {
        for (block, unasked) in zip(blocks, unasked ?? []) {
            estimate.note(
                dataSymbols: block.dataSymbols, sent: block.dataSymbols + unasked, asked: block.firstAsked)
        }
    }
}
