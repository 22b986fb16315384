import TourCrypto
import TourModel
import TourWire

/// One cast as it arrives: its unfinished blocks, and the asks for them.
struct CastArrivals: Sendable {
    /// A block with too few symbols so far.
    struct Block: Sendable {
        var symbols: [Int: [UInt8]] = [:]
        /// Before this time this node asks for nothing of it: more of it may be on its way.
        var quietUntil: Instant
        /// How often it was asked for since a new symbol of it arrived.
        var asks = 0
        /// Whether another member's ask sufficed since a new symbol of it arrived: this counts once, since the sender
        /// may have missed that ask.
        var wasSpared = false
    }

    /// The asks to send, and the blocks to leave to the links.
    struct Turn: Sendable {
        var asks: [CastAsk] = []
        var left: [Int] = []
    }

    let blob: BlobID
    let caster: MemberID
    let plan: CastPlan
    let beganAt: Instant
    let tag: UInt64
    private(set) var blocks: [Int: Block] = [:]
    /// The symbols sent and those missed, of blocks that were whole before the end of their window.
    private var whole = (sent: 0, missed: 0)
    /// Blocks of later windows that are left to the links.
    private var left: Set<Int> = []
    /// The number of windows that were sent to their end.
    private(set) var passedWindows = 0
    /// The last window from which a symbol arrived, and the highest symbol number of it.
    private var window = 0
    private var row = 0
    /// When any symbol of the cast arrived, and when one that was missing did.
    private var heardAt: Instant
    private(set) var usefulAt: Instant
    /// The mean time between two datagrams of the first pass, in microseconds.
    private var gap: Int64 = 1_000

    init(blob: BlobID, caster: MemberID, plan: CastPlan, tag: UInt64, _ now: Instant) {
        self.blob = blob
        self.caster = caster
        self.plan = plan
        self.tag = tag
        beganAt = now
        heardAt = now
        usefulAt = now
    }

    // MARK: Symbols

    /// Follows the cast's position: every symbol that its key opened shows it.
    mutating func recordArrival(of symbol: CastSeal.Symbol, _ now: Instant) {
        let place = plan.window(of: symbol.block)
        // Repairs arrive when they are asked for, so they show nothing about the link's speed.
        if place >= passedWindows { gap += (min((now - heardAt).microseconds, 50_000) - gap) / 16 }
        heardAt = now
        if place > window {
            window = place
            row = symbol.number
        } else if place == window {
            row = max(row, symbol.number)
        }
    }

    /// Keeps a symbol of a missing block.
    mutating func accept(_ symbol: CastSeal.Symbol, _ now: Instant) {
        guard expects(symbol.block), lacks(symbol.block) > 0 else { return }
        var block = blocks.removeValue(forKey: symbol.block) ?? Block(quietUntil: now)
        defer { blocks[symbol.block] = block }
        guard block.symbols.updateValue(symbol.bytes, forKey: symbol.number) == nil else { return }
        usefulAt = now
        block.asks = 0
        block.wasSpared = false
        block.quietUntil = max(block.quietUntil, now + roundQuiet)
    }

    /// Removes the block and returns its symbols, once there are enough.
    mutating func whole(_ block: Int) -> [Int: [UInt8]]? {
        guard lacks(block) == 0, let symbols = blocks.removeValue(forKey: block)?.symbols else { return nil }
        if plan.window(of: block) >= passedWindows, let last = symbols.keys.max() {
            whole.sent += last + 1
            whole.missed += last + 1 - symbols.count
        }
        return symbols
    }

    mutating func drop(_ block: Int) { blocks[block] = nil }

    /// Leaves the block to the links because there is no room for it.
    mutating func leave(_ block: Int) {
        blocks[block] = nil
        if plan.window(of: block) >= passedWindows { left.insert(block) }
    }

    // MARK: Times

    /// The longest pause between a block's symbols of one round, also where several blocks take turns.
    private var roundQuiet: Duration { .microseconds(max(25_000, gap * 3 * Int64(Limits.castWindowBlocks))) }
    /// The time after which an ask is answered, or lost.
    private var answerTime: Duration { .microseconds(max(30_000, gap * 4 * Int64(Limits.castWindowBlocks))) }
    /// The silence after which the last window has ended, since nothing follows that would show it. Before its last row
    /// symbols are still to come, and a busy computer pauses for longer than the network.
    private var endQuiet: Duration {
        let rows = plan.dataSymbols(plan.blocks(ofWindow: window).lowerBound)
        if row + 1 >= rows { return .microseconds(max(20_000, gap * 24)) }
        return .microseconds(row * 4 >= rows * 3 ? max(60_000, gap * 72) : max(150_000, gap * 192))
    }
    /// How long the cast may bring nothing that was missing before the rest is left to the links.
    private var uselessMax: Duration { .microseconds(min(max(600_000, gap * 256), 5_000_000)) }

    /// The slowest cast that this node waits for, in bytes a second.
    private static let rateMin: UInt64 = 32 * 1024

    /// When the cast is given up: when nothing that was missing arrives for a while, and in any case at the speed of
    /// the slowest cast. A member that sends a symbol now and then delays nobody for long.
    var endsAt: Instant {
        let whole = Duration.seconds(Int64(1 + plan.shape.sealedSize / Self.rateMin))
        return min(usefulAt + uselessMax, beganAt + whole)
    }

    /// Whether the cast was silent for so long that this node may follow another cast of the blob.
    func isSilent(_ now: Instant) -> Bool { heardAt + .microseconds(max(20_000, gap * 32)) <= now }

    /// Whether the cast may still bring a missing block.
    func expects(_ block: Int) -> Bool {
        blocks[block] != nil || plan.window(of: block) >= passedWindows && !left.contains(block)
    }

    /// When there is something to ask for or to leave.
    var due: Instant {
        var due = endsAt
        if window >= passedWindows { due = min(due, heardAt + endQuiet) }
        for (number, block) in blocks where plan.window(of: number) < passedWindows && lacks(number) > 0 {
            due = min(due, block.quietUntil)
        }
        return due
    }

    // MARK: Asks

    /// Handles windows that are over, blocks to ask for, and blocks to leave.
    /// - Parameter isMissing: whether the blob lacks a chunk.
    mutating func turn(
        _ now: Instant, isMissing: (Int) -> Bool, using rng: inout some RandomNumberGenerator
    ) -> Turn {
        var turn = Turn()
        let end = heardAt + endQuiet <= now ? window + 1 : window
        while passedWindows < end {
            judge(passedWindows, now, isMissing, &turn, &rng)
            passedWindows += 1
        }
        ask(now, &turn, &rng)
        return turn
    }

    /// Judges a window that is over: blocks that lack little are asked for after one random delay; the others are left
    /// to the links.
    private mutating func judge(
        _ over: Int, _ now: Instant, _ isMissing: (Int) -> Bool, _ turn: inout Turn,
        _ rng: inout some RandomNumberGenerator
    ) {
        let missing = plan.blocks(ofWindow: over).filter { isMissing($0) && left.remove($0) == nil }
        // Whole blocks count as well: the others lost more than most.
        var sent = whole.sent
        var missed = whole.missed
        for block in missing {
            // In the window in which the cast fell silent, rows that nobody received were not sent.
            let rows = over < window ? plan.dataSymbols(block) : min(plan.dataSymbols(block), row + 1)
            let last = max(rows, (blocks[block]?.symbols.keys.max() ?? 0) + 1)
            sent += last
            missed += last - (blocks[block]?.symbols.count ?? 0)
        }
        whole = (0, 0)
        let isTooLossy = CastBound.isTooLossy(missed: missed, of: sent)
        let quietUntil = now + .microseconds(.random(in: 1_000...15_000, using: &rng))
        // The caster should know why nobody asks: it may be sending faster than the network can carry.
        if isTooLossy, let block = missing.first {
            let count = max(missed * plan.dataSymbols(block) / sent, CastBound.asked(of: plan.dataSymbols(block)) + 1)
            turn.asks.append(CastAsk(tag: tag, needs: [CastAsk.Need(block: block, count: count)]))
        }
        for block in missing {
            if isTooLossy || isReport(lacks(block), block) {
                blocks[block] = nil
                turn.left.append(block)
            } else {
                blocks[block, default: Block(quietUntil: now)].quietUntil = quietUntil
            }
        }
    }

    private func isReport(_ count: Int, _ block: Int) -> Bool { count > CastBound.asked(of: plan.dataSymbols(block)) }

    private func lacks(_ block: Int) -> Int { plan.dataSymbols(block) - (blocks[block]?.symbols.count ?? 0) }

    /// The asks without a new symbol after which a block is left to the links.
    private static let asksMax = 12
    /// Blocks due this soon are asked for at once.
    private static let together: Duration = .milliseconds(4)

    private mutating func ask(_ now: Instant, _ turn: inout Turn, _ rng: inout some RandomNumberGenerator) {
        let passed = blocks.filter { plan.window(of: $0.key) < passedWindows && lacks($0.key) > 0 }
        guard passed.contains(where: { $0.value.quietUntil <= now }) else { return }
        let due = passed.filter { $0.value.quietUntil <= now + Self.together }.keys.sorted()
        var needs: [CastAsk.Need] = []
        let again = now + answerTime + .microseconds(.random(in: 0...10_000, using: &rng))
        for block in due.prefix(Limits.castAskBlocksMax) {
            guard let asks = blocks[block]?.asks, asks < Self.asksMax else {
                blocks[block] = nil
                turn.left.append(block)
                continue
            }
            // An unanswered ask or its answer was lost: after each two tries ask for one symbol more.
            needs.append(CastAsk.Need(block: block, count: most(lacks(block) + asks / 2, block)))
            blocks[block]?.asks += 1
            blocks[block]?.quietUntil = again
        }
        if !needs.isEmpty { turn.asks.append(CastAsk(tag: tag, needs: needs)) }
    }

    private func most(_ count: Int, _ block: Int) -> Int { min(count, CastBound.asked(of: plan.dataSymbols(block))) }

    /// Another member asked: a member that needs no more stays silent.
    mutating func receive(_ ask: CastAsk, _ now: Instant, using rng: inout some RandomNumberGenerator) {
        guard ask.tag == tag else { return }
        let again = now + answerTime + .microseconds(.random(in: 0...10_000, using: &rng))
        for need in ask.needs where blocks[need.block]?.wasSpared == false {
            guard need.count >= lacks(need.block), !isReport(need.count, need.block) else { continue }
            blocks[need.block]?.wasSpared = true
            blocks[need.block]?.quietUntil = again
        }
    }
}
