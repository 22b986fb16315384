import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourStore
import TourWire

/// A guest's seat while its key is at this node.
struct Seat {
    /// Marks that a phone has not acknowledged.
    private static let marksMax = 64

    let member: MemberID
    /// Nil: the tour has ended.
    private(set) var pair: SigningKeyPair?
    /// Its key under the phone's secret, as its log has it.
    let keys: [UInt8]
    /// The event that waits for the phone's word.
    var prepared: Event?
    /// Its log does not name this node yet: the phone has still to confirm the record that does.
    var isMoving = false
    /// The phones and windows that are here.
    private(set) var tickets: Set<UInt64> = []
    var rows = SeatRows()
    /// What the phone has, by its own word.
    private(set) var has = Frontier()
    /// What the phone will have once it acknowledges a mark, in the order of the marks.
    private var marks: [(mark: UInt64, frontier: Frontier)] = []
    /// How far the guest has read; falls when a message arrives late.
    private(set) var read = LogicalClock.zero
    /// Messages that the phone does not have yet, as far as known: nobody has read them there.
    private var coming: [EventHeader] = []
    private static let comingMax = 512
    /// How much it may write.
    private var budget: TokenBucket
    /// How many calls for help it may write beyond that.
    private var callBudget: TokenBucket
    /// Whether, and until when, the guest shares its position; nil: it has not yet.
    var sharing: TourSharing?
    /// Since when no phone is here; nil: one is.
    private(set) var awaySince: Instant?

    init(member: MemberID, pair: SigningKeyPair?, keys: [UInt8], now: Instant) {
        self.member = member
        self.pair = pair
        self.keys = keys
        budget = TokenBucket(full: SeatLimits.writes, at: now)
        callBudget = TokenBucket(full: SeatLimits.calls, at: now)
        awaySince = now
    }

    /// The tour has ended: nothing is written any more.
    mutating func forgetKey() { (pair, prepared, sharing) = (nil, nil, nil) }

    /// How many phones listen for news now.
    private var listeners: Set<FollowerID> = []
    /// When the last one ended to.
    private var listenedAt: Instant?
    /// A phone that reconnects is not gone.
    private static let reconnectTime: Duration = .seconds(20)

    /// Whether a phone is here: it listens, or did a moment ago.
    func isHere(now: Instant) -> Bool {
        guard isHeld else { return false }
        return !listeners.isEmpty || listenedAt.map { now - $0 < Self.reconnectTime } ?? false
    }

    /// Whether a phone has its place here, whether or not it listens.
    var isHeld: Bool { !tickets.isEmpty }

    mutating func beginListening(_ follower: FollowerID) { listeners.insert(follower) }

    mutating func endListening(_ follower: FollowerID, now: Instant) {
        if listeners.remove(follower) != nil { listenedAt = now }
    }

    /// Counts one more event of the guest.
    /// - Returns: after how many seconds it may write again; nil: it may write this one.
    mutating func pauseToWrite(now: Instant) -> Int? {
        guard budget.hasOne(now: now) else { return SeatLimits.writes.pauseSeconds }
        budget.acquire()
        return nil
    }

    /// Counts one more call for help: room is kept for some whatever else the guest wrote.
    /// - Returns: as `pauseToWrite`.
    mutating func pauseToCall(now: Instant) -> Int? {
        guard let pause = pauseToWrite(now: now) else { return nil }
        guard callBudget.hasOne(now: now) else { return max(pause, SeatLimits.calls.pauseSeconds) }
        callBudget.acquire()
        return nil
    }

    mutating func add(_ ticket: UInt64) {
        tickets.insert(ticket)
        awaySince = nil
    }

    mutating func remove(_ ticket: UInt64, now: Instant) {
        guard tickets.remove(ticket) != nil, tickets.isEmpty else { return }
        awaySince = now
        // What was on its way did not arrive, as far as anybody can tell.
        marks = []
    }

    /// These news are on their way to the phone.
    mutating func sent(_ mark: UInt64, _ frontier: Frontier) {
        marks.append((mark, frontier))
        if marks.count > Self.marksMax { marks.removeFirst() }
    }

    /// The phone has the news of this mark, and of all before it.
    mutating func got(_ mark: UInt64) {
        while let first = marks.first, first.mark <= mark {
            has.merge(first.frontier)
            marks.removeFirst()
        }
        coming.removeAll { has[$0.author] >= $0.sequence }
    }

    /// What the phone itself wrote is there.
    mutating func wrote(_ sequence: UInt64) { has.raise(member, to: sequence) }

    /// The guest saw every message of its phone up to here.
    mutating func raiseRead(to clock: LogicalClock) {
        let missing = coming.map(\.clock).min().map(Self.before)
        read = max(read, min(clock, missing ?? clock))
    }

    /// A message is on its way to the phone: nobody has seen it.
    mutating func hold(_ message: EventHeader) {
        if coming.count == Self.comingMax { coming.removeFirst() }
        coming.append(message)
        if message.clock <= read { read = Self.before(message.clock) }
    }

    private static func before(_ clock: LogicalClock) -> LogicalClock {
        LogicalClock(value: clock.value - min(clock.value, 1))
    }
}
