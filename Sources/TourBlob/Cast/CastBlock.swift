import TourModel

/// One block of a window that is being sent.
struct CastBlock: Sendable {
    let number: Int
    let dataSymbols: Int
    /// The sealed chunk padded with zeros, once it was read.
    private(set) var data: [UInt8]?
    /// The number of symbols sent so far.
    private(set) var next = 0
    /// Symbols asked for and not sent yet.
    private(set) var owed = 0
    /// The highest count asked for before any repair for it was sent; 0: none.
    private(set) var firstAsked = 0
    private var roundAt: Instant?
    private var sentInRound = 0
    /// Repair symbols computed ahead, from `next` on.
    private var ready: [[UInt8]] = []

    /// Asks within this time after the first were made before its answer arrived.
    private static let roundTime: Duration = .milliseconds(15)
    /// The repair symbols computed at once.
    private static let lot = 4

    init(number: Int, dataSymbols: Int) {
        self.number = number
        self.dataSymbols = dataSymbols
    }

    var isReady: Bool { data != nil }

    mutating func fill(_ sealed: [UInt8]) {
        data = sealed + [UInt8](repeating: 0, count: dataSymbols * Limits.castSymbolBytes - sealed.count)
    }

    /// The next symbol and its number; nil when the block has sent all that it may.
    mutating func nextSymbol() -> (number: Int, bytes: [UInt8])? {
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

    /// Records an ask for `count` missing symbols; `wanted` is the number to send for it.
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
