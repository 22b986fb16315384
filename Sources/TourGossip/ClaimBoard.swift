import TourModel
import TourWire

/// What each member last said of itself, and when this node speaks of itself again.
struct ClaimBoard: Sendable {
    private(set) var newest: [MemberID: VerifiedClaim] = [:]
    /// How far the user has read, as our claims say; never less than any claim of ours said.
    private(set) var ownRead: LogicalClock?
    /// When this node's own claim is due to be signed.
    var ownDue: Instant?
    private var ownAt: Instant?
    /// Our claim no longer says all that we have, and `ownDue` stands for that.
    private var isStale = false
    /// The same of what we have read.
    private var isReadStale = false

    var rows: [ClaimRow] { newest.keys.sorted().compactMap { newest[$0]?.row } }

    func isNews(_ claim: FrontierClaim) -> Bool { (newest[claim.member]?.claim.counter ?? 0) < claim.counter }

    mutating func add(_ claim: VerifiedClaim) { newest[claim.claim.member] = claim }

    /// A neighbour came. It is told what we said last; a newer claim follows at once, unless we just made one.
    mutating func linkUp(_ now: Instant) {
        let due = max(now, ownAt.map { $0 + Limits.claimIntervalMin } ?? now)
        ownDue = min(ownDue ?? due, due)
    }

    /// The store grew: our claim is out of date. Chance spreads what many members say of the same event.
    mutating func changed(_ now: Instant, members: Int, using rng: inout some RandomNumberGenerator) {
        guard !isStale else { return }
        isStale = true
        plan(after: Limits.claimIntervalMin, now, members, &rng)
    }

    /// The user read on. It waits for a claim that goes out anyway, but not for long.
    mutating func readMoved(
        to clock: LogicalClock, _ now: Instant, members: Int, using rng: inout some RandomNumberGenerator
    ) {
        guard raiseOwnRead(clock), !isReadStale else { return }
        isReadStale = true
        plan(after: Limits.readInterval, now, members, &rng)
    }

    /// - Returns: whether that is news.
    @discardableResult
    mutating func raiseOwnRead(_ clock: LogicalClock?) -> Bool {
        guard let clock, clock > ownRead ?? .zero else { return false }
        ownRead = clock
        return true
    }

    /// Our next claim is due so long after the last one at the earliest, later in a large tour, and a little by chance.
    private mutating func plan(
        after interval: Duration, _ now: Instant, _ members: Int, _ rng: inout some RandomNumberGenerator
    ) {
        let chance = Int64.random(in: 0...Limits.claimJitterMicroseconds * Int64(max(members, 1)), using: &rng)
        let pause = max(interval, Limits.claimIntervalPerMember * members)
        let earliest = max(now + Limits.claimDelay, ownAt.map { $0 + pause } ?? now)
        let due = earliest + .microseconds(chance)
        ownDue = min(ownDue ?? due, due)
    }

    mutating func signed(_ claim: VerifiedClaim, _ now: Instant) {
        ownAt = now
        isStale = false
        isReadStale = false
        ownDue = now + Limits.claimHeartbeat
        add(claim)
    }
}

/// A claim whose signature is checked, with the row as it came.
package struct VerifiedClaim: Hashable, Sendable {
    package let claim: FrontierClaim
    /// The exact row; `hops` counts the link it came by.
    package let row: ClaimRow

    /// For the shell, which has checked the signature (or made it).
    package init(claim: FrontierClaim, row: ClaimRow) {
        self.claim = claim
        self.row = row
    }
}

// Members' signed claims about themselves: kept by the highest counter, passed on once. Quickly along the tree; on the
// other links late, and only what the peer has not shown to know: in a mesh that is next to nothing.
extension GossipMachine {
    mutating func received(_ rows: [ClaimRow], _ origin: Origin, _ outputs: inout [Output]) {
        guard origin.link.map({ links[$0]?.isDistrusted != true }) ?? true else { return }
        var news = [MemberID: (row: ClaimRow, counter: UInt64)]()
        for row in rows {
            guard let claim = try? FrontierClaim(decoding: row.row) else {
                if let link = origin.link { links[link]?.badRuns += 1 }
                continue
            }
            guard members.contains(claim.member) else { continue }
            let known = board.newest[claim.member]?.claim.counter ?? 0
            if claim.counter >= known { heardOf(claim.member, from: origin) }
            // One check a member and message, whatever it is made of.
            if claim.counter > max(known, news[claim.member]?.counter ?? 0) {
                news[claim.member] = (row, claim.counter)
            }
        }
        let sorted = news.keys.sorted().compactMap { news[$0]?.row }
        if !sorted.isEmpty { outputs.append(.verifyClaims(origin, sorted)) }
    }

    /// Where the newest claim of this member came from, it need not be told.
    private mutating func heardOf(_ member: MemberID, from origin: Origin) {
        switch origin {
        case .link(let link): links[link]?.claims.remove(member)
        case .air(let id): segments[id]?.claims.remove(member)
        }
    }

    /// Claims that their members did not sign.
    mutating func forged(_ origin: Origin, _ count: Int, _ now: Instant) {
        switch origin {
        case .link(let link): links[link]?.badRuns += count
        case .air(let id): for _ in 0..<count { segments[id]?.noteBadRun(now) }
        }
    }

    mutating func take(
        _ claims: [VerifiedClaim], from origin: Origin, _ now: Instant, _ rng: inout some RandomNumberGenerator,
        _ outputs: inout [Output]
    ) {
        for claim in claims where board.isNews(claim.claim) {
            board.add(claim)
            guard claim.claim.member != own else {
                // We said this in an earlier life, by a clock that was ahead: the next row must say more.
                outputs.append(.ownCounter(claim.claim.counter))
                board.raiseOwnRead(claim.claim.readThrough)
                board.ownDue = now
                continue
            }
            passOn(claim, from: origin, now, &rng)
            outputs.append(.claimed(claim))
            // A neighbour's claim is as good as a Have.
            for head in claim.claim.heads {
                guard let author = authors[head.prefix] else { continue }
                raise(author, to: head.sequence, having: claim.claim.member)
                if case .air(let id) = origin { miss(author, through: head.sequence, on: id, now, &rng) }
            }
        }
    }

    private mutating func passOn(
        _ claim: VerifiedClaim, from origin: Origin, _ now: Instant, _ rng: inout some RandomNumberGenerator
    ) {
        guard claim.row.hops < Limits.hopsMax else { return }
        let source = origin.link.flatMap { links[$0]?.member }
        var reached = [SegmentID]()
        for id in activeSegments(now) where fitsDatagram(claim.row) {
            // Whoever brought it says it there itself.
            let isSaid = origin == .air(id) || source.map { segments[id]?.hears($0, now: now) == true } ?? false
            if !isSaid { plan(claimOf: claim.claim.member, on: id, at: now + Limits.claimDelay, &rng) }
            reached.append(id)
        }
        for link in links.keys.sorted() where link != origin.link {
            guard let state = links[link], state.member != claim.claim.member,
                !isReached(state.member, on: reached, now)
            else { continue }
            let jitter = Int64.random(in: 0...Limits.lazyClaimJitterMicrosecondsMax, using: &rng)
            let due = now + (state.isEager ? Limits.claimDelay : Limits.lazyClaimDelay + .microseconds(jitter))
            links[link]?.claims.insert(claim.claim.member)
            links[link]?.claimsDue = min(state.claimsDue ?? due, due)
        }
    }

    private mutating func plan(
        claimOf member: MemberID, on id: SegmentID, at time: Instant, _ rng: inout some RandomNumberGenerator
    ) {
        let due = time + .microseconds(Int64.random(in: 0...Limits.relayJitterMicroseconds, using: &rng))
        guard var segment = segments[id] else { return }
        segment.claims.insert(member)
        segment.claimsDue = min(segment.claimsDue ?? due, due)
        segments[id] = segment
    }

    mutating func flushClaims(_ now: Instant, _ outputs: inout [Output]) {
        for link in links.keys.sorted() {
            guard let state = links[link], let due = state.claimsDue, due <= now else { continue }
            links[link]?.claimsDue = nil
            links[link]?.claims = []
            sendRows(state.claims.sorted().compactMap { board.newest[$0]?.row }, to: link, &outputs)
        }
    }

    /// Our own word goes to every neighbour at once: to those who hear us in one datagram.
    mutating func take(own claim: VerifiedClaim, _ now: Instant, _ outputs: inout [Output]) {
        board.signed(claim, now)
        let active = fitsDatagram(claim.row) ? activeSegments(now) : []
        for id in active {
            segments[id]?.claims.insert(own)
            segments[id]?.claimsDue = now
        }
        for link in links.keys.sorted() {
            guard let state = links[link], !isReached(state.member, on: active, now) else { continue }
            sendRows([claim.row], to: link, &outputs)
        }
    }

    /// The newest claim of each member and how far the user has read, as the store keeps them over a restart.
    package mutating func restore(_ claims: [VerifiedClaim], readThrough: LogicalClock? = nil) {
        for claim in claims { board.add(claim) }
        board.raiseOwnRead(board.newest[own]?.claim.readThrough)
        board.raiseOwnRead(readThrough)
    }

    /// Sends a stored event again: on every segment, and on every link whose peer does not claim to have it. Links
    /// that pushes were pruned from are no exception; whoever lacks what stands before it in the log pulls that.
    mutating func resend(
        _ event: Event, hops: Int, _ now: Instant, _ rng: inout some RandomNumberGenerator,
        _ outputs: inout [Output]
    ) {
        let header = event.header
        guard hops < Limits.hopsMax, header.sequence <= stored[header.author] else { return }
        recent.add(event, hops: hops)
        _ = fly([event], hops: hops, on: activeSegments(now), from: nil, now, &rng)
        for link in links.keys.sorted() {
            guard let state = links[link], state.hasSpoken, state.member != header.author else { continue }
            let claim = board.newest[state.member]?.claim
            let claimed = claim.map { $0.heads.first { $0.prefix == header.author.prefix }?.sequence ?? 0 } ?? .max
            guard min(state.peerHas[header.author], claimed) < header.sequence else { continue }
            for run in Run.runs(of: [event], hops: hops, pushed: true) { outputs.append(.send(link, .run(run))) }
        }
    }

    func sendRows(_ rows: [ClaimRow], to link: LinkID, _ outputs: inout [Output]) {
        var batch = [ClaimRow]()
        var bytes = 0
        for row in rows {
            if bytes + row.row.count > Limits.slicePayloadBytesMax / 2, !batch.isEmpty {
                outputs.append(.send(link, .rows(batch)))
                batch = []
                bytes = 0
            }
            batch.append(row)
            bytes += row.row.count + 80
        }
        if !batch.isEmpty { outputs.append(.send(link, .rows(batch))) }
    }
}
