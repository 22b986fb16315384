import TourModel
import TourWire

/// What each member said of itself, and when this node speaks of itself again.
struct ClaimBoard: Sendable {
    private(set) var claims: [MemberID: MemberClaims] = [:]
    /// Per author, by prefix, the highest sequence that any member said to have.
    private(set) var highest: [UInt64: UInt64] = [:]
    /// How far the user has read, as our claims say: of what is here, everything up to this clock was displayed.
    private(set) var ownRead: LogicalClock?
    /// When this node's own claim is due to be signed.
    var ownDue: Instant?
    private var ownHeads = OwnHeads()
    /// Authors of announcements that no row of ours lists yet.
    private var urgent: Set<MemberID> = []
    private var ownAt: Instant?
    /// Our claim no longer says all that we have, and `ownDue` stands for that.
    private var isStale = false
    /// The same of what we have read.
    private var isReadStale = false

    /// Everybody's, as few as say all that is known.
    var all: [VerifiedClaim] { claims.keys.sorted().flatMap { claims[$0]?.rows ?? [] } }

    func known(of member: MemberID) -> MemberClaims { claims[member] ?? MemberClaims() }

    func newest(of member: MemberID) -> VerifiedClaim? { claims[member]?.rows.first }

    /// Nil when that row says nothing any more that newer ones do not.
    subscript(key: ClaimKey) -> VerifiedClaim? {
        claims[key.member]?.rows.first { $0.claim.counter == key.counter }
    }

    /// - Parameter opened: the same with all heads that it means, as far as they are known.
    mutating func add(
        _ claim: VerifiedClaim, saying opened: FrontierClaim? = nil, among authors: [UInt64: MemberID]
    ) {
        let opened = opened ?? claim.claim
        MemberClaims.raise(&highest, by: opened.heads, among: authors)
        claims[claim.claim.member, default: MemberClaims()].add(claim, saying: opened, among: authors)
    }

    /// Others are to hear at once that we have this author's announcement.
    mutating func announced(_ author: MemberID) { urgent.insert(author) }

    /// A neighbour came, or others hold a row of ours that ours must go behind: a newer claim follows at once, unless
    /// we just made one.
    mutating func speak(_ now: Instant) {
        let due = max(now, ownAt.map { $0 + Limits.claimIntervalMin } ?? now)
        ownDue = min(ownDue ?? due, due)
    }

    /// The store grew: our claim is out of date. Chance spreads what many members say of the same event. What is no
    /// announcement waits for a claim that goes out anyway, in a large tour.
    mutating func changed(
        isUrgent: Bool, _ now: Instant, members: Int, using rng: inout some RandomNumberGenerator
    ) {
        guard isUrgent || !isStale else { return }
        isStale = true
        plan(after: isUrgent ? Limits.claimIntervalMin : Self.pause(members: members), now, members, &rng)
    }

    /// The user read on. It waits for a claim that goes out anyway, but not for long.
    mutating func readMoved(
        to clock: LogicalClock, _ now: Instant, members: Int, using rng: inout some RandomNumberGenerator
    ) {
        guard raiseOwnRead(clock), !isReadStale else { return }
        isReadStale = true
        plan(after: max(Limits.readInterval, Self.pause(members: members)), now, members, &rng)
    }

    /// - Returns: whether that is news.
    @discardableResult
    mutating func raiseOwnRead(_ clock: LogicalClock?) -> Bool {
        guard let clock, clock > ownRead ?? .zero else { return false }
        ownRead = clock
        return true
    }

    /// A message came late, with a clock up to which all was read: nobody has seen this one yet. No claim that says
    /// that it is here may say that it was read.
    mutating func hold(_ late: LogicalClock) {
        guard let read = ownRead, late <= read else { return }
        ownRead = LogicalClock(value: late.value - min(late.value, 1))
    }

    /// The least time between two claims of one member: so long that in a tour of fifty they come with the signs of
    /// life and cost nothing.
    static func pause(members: Int) -> Duration {
        min(max(Limits.claimIntervalMin, Limits.claimIntervalPerMember * members), Limits.claimHeartbeat)
    }

    /// Our next claim is due so long after the last one at the earliest, and a little later by chance.
    private mutating func plan(
        after pause: Duration, _ now: Instant, _ members: Int, _ rng: inout some RandomNumberGenerator
    ) {
        let chance = Int64.random(in: 0...Limits.claimJitterMicroseconds * Int64(max(members, 1)), using: &rng)
        let earliest = max(now + Limits.claimDelay, ownAt.map { $0 + pause } ?? now)
        let due = earliest + .microseconds(chance)
        ownDue = min(ownDue ?? due, due)
    }

    /// What our next claim lists.
    /// - Parameter settled: what its hash says; nil: it has none.
    mutating func nextHeads(
        _ own: MemberID, of stored: Frontier, settled: [MemberID: UInt64]?, repeats: Int, _ now: Instant,
        using rng: inout some RandomNumberGenerator
    ) -> [PrefixedHead] {
        let heads = ownHeads.next(
            of: stored, said: known(of: own).heads, urgent: urgent, settled: settled, repeats: repeats, now,
            using: &rng)
        let prefixes = Set(heads.map(\.prefix))
        urgent = urgent.filter { !prefixes.contains($0.prefix) }
        return heads
    }

    /// - Parameter opened: the claim with all heads that it means.
    mutating func signed(
        _ claim: VerifiedClaim, saying opened: FrontierClaim, among authors: [UInt64: MemberID], _ now: Instant,
        members: Int, using rng: inout some RandomNumberGenerator
    ) {
        ownAt = now
        isStale = ownHeads.rest != .none
        isReadStale = false
        let chance = Duration.microseconds(Int64.random(in: 0...Limits.heartbeatJitterMicroseconds, using: &rng))
        let pause =
            switch ownHeads.rest {
            case .none: Limits.claimHeartbeat
            case .someHeads: Self.pause(members: members)
            case .pressing: Limits.claimIntervalMin
            }
        ownDue = now + pause + chance
        add(claim, saying: opened, among: authors)
    }
}
