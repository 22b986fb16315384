import TourModel
import TourWire

/// The claims of every member, and the schedule of this node's own claim.
struct ClaimState: Sendable {
    /// The least time between two claims of one member; grows with the tour, up to the sign of life.
    static let intervalMin: Duration = .seconds(1)
    private static let intervalPerMember: Duration = .milliseconds(200)
    /// The longest random delay, for each member of the tour: all members learn of an event at the same time.
    private static let jitterMicroseconds: Int64 = 4_000
    /// The least time after a claim before one follows that only changes the read position.
    private static let readInterval: Duration = .seconds(5)
    /// The time after which an unchanged claim is renewed, and the longest random delay on top: other members show this
    /// sign of life as "near".
    private static let heartbeat: Duration = .milliseconds(9_500)
    private static let heartbeatJitterMicroseconds: Int64 = 1_000_000

    private(set) var claims: [MemberID: MemberClaims] = [:]
    /// For each author, by prefix, the highest sequence that any member claims to have.
    private(set) var highest: [UInt64: UInt64] = [:]
    /// How far the user has read, as our claims say: every event held here with a clock up to this one was displayed.
    private(set) var ownRead: LogicalClock?
    /// When this node's own claim is due to be signed.
    private(set) var ownDue: Instant?
    private var ownHeads = OwnHeads()
    /// Authors of announcements that no row of ours lists yet.
    private var urgent: Set<MemberID> = []
    private var ownAt: Instant?
    /// The last claims that this node signed since its start, in order.
    private var ownSigned: [ClaimKey] = []
    private static let ownSignedMax = 64
    /// This node's device sleeps, or is about to: our next claim says so, and none is due after it.
    private(set) var isAsleep = false
    /// Our claim no longer lists all that we have; `ownDue` already accounts for it.
    private var isStale = false
    /// The same for the user's read position.
    private var isReadStale = false

    /// The rows of all members, as few as state everything known.
    var all: [VerifiedClaim] { claims.keys.sorted().flatMap { claims[$0]?.rows ?? [] } }

    func known(of member: MemberID) -> MemberClaims { claims[member] ?? MemberClaims() }

    func newest(of member: MemberID) -> VerifiedClaim? { claims[member]?.rows.first }

    /// Whether this claim of ours is of the time since this node began to sign, and yet not signed by it: another
    /// device has our key, or had it in an earlier life while the clock was ahead.
    func isForeign(_ claim: FrontierClaim) -> Bool {
        guard let first = ownSigned.first, first.member == claim.member, claim.counter > first.counter else {
            return false
        }
        return !ownSigned.contains(ClaimKey(member: claim.member, counter: claim.counter))
    }

    /// Nil when newer rows state everything that this row does.
    subscript(key: ClaimKey) -> VerifiedClaim? {
        claims[key.member]?.rows.first { $0.claim.counter == key.counter }
    }

    /// - Parameter implied: the heads that its hash implies, as far as this node knows them: it holds those itself.
    mutating func add(
        _ claim: VerifiedClaim, implying implied: [MemberID: UInt64], among authors: [UInt64: MemberID]
    ) {
        MemberClaims.raise(&highest, by: claim.claim.heads, among: authors)
        claims[claim.claim.member, default: MemberClaims()].add(claim, implying: implied, among: authors)
    }

    /// Makes the next claim tell others at once that we have this author's announcement.
    mutating func announced(_ author: MemberID) { urgent.insert(author) }

    /// Schedules a newer claim at once, or after the least interval since our last one. The machine calls this when a
    /// neighbour arrives, or when others hold a row of ours with a counter that ours must exceed.
    mutating func speak(_ now: Instant) {
        guard !isAsleep else { return }
        let due = max(now, ownAt.map { $0 + Self.intervalMin } ?? now)
        ownDue = min(ownDue ?? due, due)
    }

    /// The device is about to sleep, or awake again. Our claim says so at once: there may be no time for another.
    mutating func rest(isAsleep: Bool, _ now: Instant) {
        guard isAsleep != self.isAsleep else { return }
        self.isAsleep = isAsleep
        ownDue = now
    }

    /// The store grew, so our claim is out of date. Random delays spread the claims of many members about the same
    /// event. In a large tour a change that is no announcement waits for the next regular claim.
    mutating func changed(
        isUrgent: Bool, members: Int, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard isUrgent || !isStale else { return }
        isStale = true
        plan(after: isUrgent ? Self.intervalMin : Self.pause(members: members), members, &step)
    }

    /// The user read on. The new position waits for the next regular claim, but not for long.
    mutating func readMoved(
        to clock: LogicalClock, members: Int, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard raiseOwnRead(clock), !isReadStale else { return }
        isReadStale = true
        plan(after: max(Self.readInterval, Self.pause(members: members)), members, &step)
    }

    /// - Returns: whether this raised the read position.
    @discardableResult
    mutating func raiseOwnRead(_ clock: LogicalClock?) -> Bool {
        guard let clock, clock > ownRead ?? .zero else { return false }
        ownRead = clock
        return true
    }

    /// A message arrived late with a clock at or below the read position, so the user has not seen it. This lowers the
    /// position: no claim that lists the message may say that it was read.
    private mutating func hold(_ late: LogicalClock) {
        guard let read = ownRead, late <= read else { return }
        ownRead = LogicalClock(value: late.value - min(late.value, 1))
    }

    /// The same for every message of these events that is not our own.
    mutating func hold(_ events: some Sequence<Event>, own: MemberID) {
        for event in events where event.header.author != own && event.header.eventClass.isMessage {
            hold(event.header.clock)
        }
    }

    /// The least time between two claims of one member: long enough that in a tour of fifty claims travel with the
    /// signs of life and cost nothing.
    static func pause(members: Int) -> Duration {
        min(max(Self.intervalMin, Self.intervalPerMember * members), Self.heartbeat)
    }

    /// Schedules our next claim at least `pause` after the last one, plus a short random delay.
    private mutating func plan(
        after pause: Duration, _ members: Int, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard !isAsleep else { return }
        let chance = step.jitter(Self.jitterMicroseconds * Int64(max(members, 1)))
        let earliest = max(step.now + Limits.claimDelay, ownAt.map { $0 + pause } ?? step.now)
        let due = earliest + chance
        ownDue = min(ownDue ?? due, due)
    }

    /// - Returns: whether our next claim is to be signed now.
    mutating func beginOwn(_ now: Instant) -> Bool {
        guard let due = ownDue, due <= now else { return false }
        ownDue = nil
        return true
    }

    /// The heads that our next claim lists.
    /// - Parameter settled: the heads that the claim's hash covers; nil if it has no hash.
    mutating func nextHeads(
        _ own: MemberID, of stored: [MemberID: KnownHead], settled: [MemberID: UInt64]?, repeats: Int,
        _ step: inout Step<some RandomNumberGenerator>
    ) -> [KnownHead] {
        let heads = ownHeads.next(
            of: stored, said: known(of: own).heads, urgent: urgent, settled: settled, repeats: repeats,
            step.now,
            using: &step.rng)
        let prefixes = Set(heads.map(\.prefix))
        urgent = urgent.filter { !prefixes.contains($0.prefix) }
        return heads
    }

    /// - Parameter implied: the heads that its hash implies.
    mutating func signed(
        _ claim: VerifiedClaim, implying implied: [MemberID: UInt64], among authors: Authors,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        ownAt = step.now
        if ownSigned.count == Self.ownSignedMax { ownSigned.removeFirst() }
        ownSigned.append(claim.key)
        isStale = ownHeads.rest != .none
        isReadStale = false
        let chance = step.jitter(Self.heartbeatJitterMicroseconds)
        let pause =
            switch ownHeads.rest {
            case .none: Self.heartbeat
            case .someHeads: Self.pause(members: authors.members.count)
            case .pressing: Self.intervalMin
            }
        ownDue = isAsleep ? nil : step.now + pause + chance
        add(claim, implying: implied, among: authors.byPrefix)
    }
}
