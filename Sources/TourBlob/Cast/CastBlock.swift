import TourModel

/// One block of a window on its way out.
struct CastBlock: Sendable {
    let number: Int
    let dataSymbols: Int
    /// The sealed chunk, zeros behind it, once it was read.
    private(set) var data: [UInt8]?
    /// The symbols sent so far: those below it.
    private(set) var next = 0
    /// Symbols that were asked for and have not gone out.
    private(set) var owed = 0
    /// The highest count that was asked before any repair for it went out; 0: none.
    private(set) var firstAsked = 0
    private var roundAt: Instant?
    private var sentInRound = 0
    /// Repair symbols worked out ahead, from `next` on.
    private var ready: [[UInt8]] = []

    /// Asks that come so soon after the first were made before its answer arrived.
    private static let roundTime: Duration = .milliseconds(15)
    /// Repair symbols that are worked out at once.
    private static let lot = 4

    init(number: Int, dataSymbols: Int) {
        self.number = number
        self.dataSymbols = dataSymbols
    }

    var isReady: Bool { data != nil }

    mutating func fill(_ sealed: [UInt8]) {
        data = sealed + [UInt8](repeating: 0, count: dataSymbols * Limits.castSymbolBytes - sealed.count)
    }

    /// The next symbol and its number; nil when the block has had all that it may.
    mutating func take() -> (number: Int, bytes: [UInt8])? {
        guard let data, next < CastBound.symbols(of: dataSymbols) else { return nil }
        defer {
            next += 1
            sentInRound += 1
            owed = max(owed - 1, 0)
        }
        guard next >= dataSymbols else {
            let start = next * Limits.castSymbolBytes
            return (next, Array(data[start..<start + Limits.castSymbolBytes]))
        }
        if ready.isEmpty {
            let end = min(next + Self.lot, CastBound.symbols(of: dataSymbols))
            ready = ErasureCode(dataCount: dataSymbols).repairs(next..<end, of: data).reversed()
        }
        return ready.popLast().map { (next, $0) }
    }

    /// Somebody misses so many; `wanted` is what to send for that.
    mutating func ask(_ count: Int, wanted: Int, _ now: Instant) {
        if let roundAt, now - roundAt < Self.roundTime {
            owed = max(owed, wanted - sentInRound)
            firstAsked = max(firstAsked, isFirstRound ? count : 0)
        } else {
            isFirstRound = roundAt == nil
            if isFirstRound { firstAsked = count }
            roundAt = now
            sentInRound = 0
            owed = max(owed, wanted)
        }
        owed = min(owed, CastBound.symbols(of: dataSymbols) - next)
    }

    private var isFirstRound = false
}
