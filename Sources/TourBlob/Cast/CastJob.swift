import TourCrypto
import TourModel
import TourWire

/// One cast in progress: its windows in memory, and the next datagram.
struct CastJob: Sendable {
    let blob: BlobID
    let caster: MemberID
    let seal: CastSeal
    private let plan: CastPlan
    private var windows: [CastWindow] = []
    private var nextWindow = 0
    private var need: CastNeed
    /// The number of windows from which `need` has learnt.
    private var toldWindows = 0
    private var repairsAreNext = false
    private let wanting: Int
    /// Members that missed too much of a window to ask, each with the missed share; for windows from `reportsFrom` on.
    private var reports: [UInt64: Double] = [:]
    private var reportsFrom = 0
    /// When something was last sent or asked for.
    private(set) var activeAt: Instant

    /// The silence after which a window is finished, if another needs its place; then the same for the cast when
    /// everything was sent. Six asks of a member that loses all answers fit.
    private static let windowQuiet: Duration = .milliseconds(300)
    private static let endQuiet: Duration = .milliseconds(500)
    /// The same where the link is slow, in datagram times: as many as receivers wait for a whole round.
    private static let quietDatagrams = 128
    private static let quietMax: Duration = .seconds(5)

    /// The time of one datagram in microseconds, as the socket accepts them: a moving mean, each at most 50 ms.
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

    /// The blocks to read next: those of the current window and of the next.
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

    /// Whether the next window should be read: one is read ahead of the current one.
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

    /// The next datagram; nil while there is none. Repairs and the first pass take turns: repairs release memory, and a
    /// member that asks for much delays nobody else.
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

    /// Learns from earlier windows' needs: they are known by the time that this window's data has gone out.
    private mutating func learn(before number: Int) {
        for window in windows where window.number < number && window.number >= toldWindows {
            window.addNeed(to: &need)
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
                // An ask that brings nothing more keeps nothing open.
                if windows[index].ask(each, need, hurries: isAllPassed, now) { activeAt = now }
            }
        }
    }

    /// The share that reaches the best of the members that missed too much; nil while there are few of these.
    var arrivingShare: Double? {
        guard reports.count >= 2, reports.count * 2 >= wanting, let least = reports.values.min() else { return nil }
        return max(1 - least, 0.1) * 0.9
    }

    /// Discards reports on windows that were sent at the previous, higher rate.
    mutating func discardReports() {
        reports = [:]
        reportsFrom = (windows.first { !$0.isPassed }?.number ?? nextWindow) + 1
    }

    /// Whether another member's cast, which has reached this block, makes this one needless.
    func yields(to member: MemberID, at block: Int) -> Bool {
        guard block < plan.blockCount else { return false }
        let own = windows.first { !$0.isPassed }?.number ?? plan.windowCount
        let other = plan.window(of: block)
        return other > own || other == own && member < caster
    }

    /// Whether there is nothing to send, and nobody has asked for a while.
    func isOver(_ now: Instant) -> Bool { due.map { $0 <= now } ?? false && isAllPassed }

    /// When something may change without an input: a window or the cast finishes.
    var due: Instant? {
        guard !windows.contains(where: \.owesRepairs) else { return nil }
        if isAllPassed { return activeAt + quiet(Self.endQuiet) }
        guard wantsWindow, windows.count == Limits.castWindowsOpenMax, let first = windows.first else { return nil }
        return first.activeAt + quiet(Self.windowQuiet)
    }
}
