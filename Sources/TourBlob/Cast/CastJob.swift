import TourCrypto
import TourModel
import TourWire

/// One cast on its way out: its windows in memory, and what comes next.
struct CastJob: Sendable {
    let blob: BlobID
    let caster: MemberID
    let seal: CastSeal
    private let plan: CastPlan
    private var windows: [CastWindow] = []
    private var nextWindow = 0
    private var need: CastNeed
    /// The window up to which `need` was told.
    private var toldWindows = 0
    private var repairsAreNext = false
    private let wanting: Int
    /// Who missed too much of a window to ask, and what part; of windows from `reportsFrom` on.
    private var reports: [UInt64: Double] = [:]
    private var reportsFrom = 0
    /// When something was sent or asked for last.
    private(set) var activeAt: Instant

    /// After so much quiet a window is done with, if another needs its place; and the cast, when all was sent. Six asks
    /// of one who lost them all fit.
    private static let windowQuiet: Duration = .milliseconds(300)
    private static let endQuiet: Duration = .milliseconds(500)
    /// The same where the link is slow, in times that a datagram takes: as many as receivers wait for a whole round.
    private static let quietDatagrams = 128
    private static let quietMax: Duration = .seconds(5)

    /// How long a datagram takes, as the socket takes them: mean over the last, at most 50 ms.
    private var gap: Int64 = 500
    private var sentAt: Instant?

    init(_ start: CastSender.Start, _ now: Instant) {
        blob = start.blob
        caster = start.caster
        wanting = start.wanting
        seal = CastSeal(epoch: start.epoch, blob: start.blob, caster: start.caster)
        plan = CastPlan(shape: start.shape)
        need = CastNeed(lossPerMille: start.lossPerMille)
        activeAt = now
    }

    private func quiet(_ least: Duration) -> Duration {
        min(max(least, .microseconds(gap * Int64(Self.quietDatagrams))), Self.quietMax)
    }

    /// Blocks to read: of the window that is sent, and of the next.
    mutating func open(_ now: Instant) -> [Int] {
        var blocks: [Int] = []
        while wantsWindow {
            if windows.count == Limits.castWindowsOpenMax {
                guard let first = windows.first, isSettled(first, now) else { break }
                windows.removeFirst()
            }
            windows.append(CastWindow(nextWindow, of: plan, now))
            blocks += plan.blocks(ofWindow: nextWindow)
            nextWindow += 1
        }
        return blocks
    }

    /// Whether the next window is to be read: one is ahead of the one that is sent.
    private var wantsWindow: Bool {
        nextWindow < plan.windowCount && windows.count(where: { !$0.isPassed }) < 2
    }

    private func isSettled(_ window: CastWindow, _ now: Instant) -> Bool {
        window.isPassed && !window.owesRepairs && window.activeAt + quiet(Self.windowQuiet) <= now
    }

    mutating func fill(_ block: Int, _ sealed: [UInt8]) {
        guard (0..<plan.blockCount).contains(block), sealed.count == plan.shape.sealedBytes(block) else { return }
        for index in windows.indices where windows[index].number == plan.window(of: block) {
            windows[index].fill(block, sealed)
        }
    }

    /// The next datagram; nil while there is none. Repairs and the first pass take turns: repairs let go of memory, and
    /// whoever asks for much holds up nobody else.
    mutating func next(_ now: Instant) -> [UInt8]? {
        let first = repairsAreNext ? nextRepair(now) : nextOfPass(now)
        guard let symbol = first ?? (repairsAreNext ? nextOfPass(now) : nextRepair(now)) else { return nil }
        repairsAreNext.toggle()
        activeAt = now
        if let sentAt, !isAllPassed { gap += (min((now - sentAt).microseconds, 50_000) - gap) / 16 }
        sentAt = now
        return seal.seal(symbol)
    }

    private mutating func nextRepair(_ now: Instant) -> CastSeal.Symbol? {
        for index in windows.indices where windows[index].owesRepairs {
            if let symbol = windows[index].nextRepair(now) { return symbol }
        }
        return nil
    }

    private mutating func nextOfPass(_ now: Instant) -> CastSeal.Symbol? {
        while let index = windows.firstIndex(where: { !$0.isPassed }), windows[index].isReady {
            if windows[index].isAtRepairs { learn(before: windows[index].number) }
            if let symbol = windows[index].next(need, now) { return symbol }
        }
        return nil
    }

    /// What the windows before needed is known by the time that this one's data went out.
    private mutating func learn(before number: Int) {
        for window in windows where window.number < number && window.number >= toldWindows {
            window.tell(&need)
            toldWindows = window.number + 1
        }
    }

    private var isAllPassed: Bool { nextWindow == plan.windowCount && windows.allSatisfy(\.isPassed) }

    mutating func ask(_ asked: CastAsk, from asker: UInt64, _ now: Instant) {
        guard asked.tag == seal.tag else { return }
        for each in asked.needs where each.block < plan.blockCount {
            let dataSymbols = plan.dataSymbols(each.block)
            let window = plan.window(of: each.block)
            guard each.count <= CastBound.asked(of: dataSymbols) else {
                if window >= reportsFrom { reports[asker] = Double(min(each.count, dataSymbols)) / Double(dataSymbols) }
                continue
            }
            for index in windows.indices where windows[index].number == window {
                // What can bring nothing more keeps nothing open.
                if windows[index].ask(each, need, hurries: isAllPassed, now) { activeAt = now }
            }
        }
    }

    /// What part comes through to those who missed too much, of the best of them; nil while they are few.
    var arrivingShare: Double? {
        guard reports.count >= 2, reports.count * 2 >= wanting, let least = reports.values.min() else { return nil }
        return max(1 - least, 0.1) * 0.9
    }

    /// It is sent more slowly from now on: what is said of windows that went out faster counts no more.
    mutating func noteEase() {
        reports = [:]
        reportsFrom = (windows.first { !$0.isPassed }?.number ?? nextWindow) + 1
    }

    /// Whether another member's cast, which is at this block, makes this one needless.
    func yields(to member: MemberID, at block: Int) -> Bool {
        guard block < plan.blockCount else { return false }
        let own = windows.first { !$0.isPassed }?.number ?? plan.windowCount
        let other = plan.window(of: block)
        return other > own || other == own && member < caster
    }

    /// Whether there is nothing to send, and nobody asked for a while.
    func isOver(_ now: Instant) -> Bool { due.map { $0 <= now } ?? false && isAllPassed }

    /// When something may change without an input: a window is done with, or the cast.
    var due: Instant? {
        guard !windows.contains(where: \.owesRepairs) else { return nil }
        if isAllPassed { return activeAt + quiet(Self.endQuiet) }
        guard wantsWindow, windows.count == Limits.castWindowsOpenMax, let first = windows.first else { return nil }
        return first.activeAt + quiet(Self.windowQuiet)
    }
}
