import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourWire

/// Rows of claims and positions on their way to the verifier and back: which that arrived by datagram are verified at
/// once, and which wait for each other.
struct RowChecks: Sendable {
    /// Rows that arrived together from one origin.
    typealias Batch = (origin: Origin, claims: [HeardClaim])

    /// Verifying this many signatures takes less time than waking another thread and being woken by it.
    private static let claimsCheckedAtOnceMax = 2

    /// Rows that arrived by datagram and are verified in a moment.
    private var gathered = GatheredClaims()
    /// When they are.
    private(set) var dueAt: Instant?

    // MARK: - Claims

    /// Has claims verified: at once, but for those of a datagram that are not urgent.
    mutating func verify(
        _ heard: [HeardClaim], from origin: Origin, in group: TourGroup, _ backlog: inout Backlog,
        reading links: OpenLinks, _ step: inout TourStep, isUrgent: (HeardClaim) -> Bool
    ) {
        var batches: [Batch] = [(origin, heard)]
        if case .multicast = origin {
            batches = receive(
                heard, urgent: heard.filter(isUrgent), from: origin, hasRoom: backlog.hasRoomForDatagrams, &step)
        }
        for batch in batches { Self.verify(batch, in: group, &backlog, reading: links, &step) }
    }

    /// Has those verified that have waited long enough.
    mutating func verifyDue(
        in group: TourGroup, _ backlog: inout Backlog, reading links: OpenLinks, _ step: inout TourStep
    ) {
        guard let dueAt, dueAt <= step.now else { return }
        for batch in drain() { Self.verify(batch, in: group, &backlog, reading: links, &step) }
    }

    private static func verify(
        _ batch: Batch, in group: TourGroup, _ backlog: inout Backlog, reading links: OpenLinks,
        _ step: inout TourStep
    ) {
        guard !batch.claims.isEmpty else { return }
        let members = group.roster.members
        let check = ClaimCheck(
            origin: batch.origin, claims: batch.claims.map { ($0, members[$0.claim.member]?.identity) },
            tour: group.tour, isPrompt: batch.claims.count <= claimsCheckedAtOnceMax)
        backlog.change(by: check.weight, reading: links, &step)
        step.emit(.verifyClaims(check))
    }

    /// - Parameter claims: the sound ones.
    /// - Returns: what the replication learns of it.
    func checked(
        _ check: ClaimCheck, _ claims: [VerifiedClaim], _ backlog: inout Backlog, reading links: OpenLinks,
        _ step: inout TourStep
    ) -> [GossipMachine.Input] {
        backlog.change(by: -check.weight, reading: links, &step)
        return [.claims(check.origin, claims)]
            + forged(check.claims.count - claims.count, from: check.origin, &step)
    }

    private func forged(_ count: Int, from origin: Origin, _ step: inout TourStep) -> [GossipMachine.Input] {
        for _ in 0..<count { step.emit(.fault(VerificationFault.badSignature)) }
        return count > 0 ? [.forgedClaims(origin, count: count)] : []
    }

    /// Rows arrived by datagram.
    /// - Parameters:
    ///   - urgent: those of them that are verified at once.
    ///   - hasRoom: a datagram's rows are sent again: without room they are dropped.
    /// - Returns: what to verify now.
    private mutating func receive(
        _ heard: [HeardClaim], urgent: [HeardClaim], from origin: Origin, hasRoom: Bool, _ step: inout TourStep
    ) -> [Batch] {
        guard hasRoom else { return [] }
        let others = heard.filter { !urgent.contains($0) }
        let isFirst = gathered.add(others, origin)
        if gathered.isFull { return [(origin, urgent)] + drain() }
        if isFirst {
            let delays = GatheredClaims.delayMinMicroseconds...GatheredClaims.delayMaxMicroseconds
            dueAt = step.now + .microseconds(Int64.random(in: delays, using: &step.rng))
        }
        return [(origin, urgent)]
    }

    private mutating func drain() -> [Batch] {
        dueAt = nil
        return gathered.drain()
    }

    // MARK: - Positions

    func verify(
        _ heard: [HeardPosition], from origin: Origin, in group: TourGroup, _ backlog: inout Backlog,
        reading links: OpenLinks, _ step: inout TourStep
    ) {
        let members = group.roster.members
        backlog.change(by: heard.count, reading: links, &step)
        let rows = heard.map { ($0, members[$0.claim.member]?.identity) }
        step.emit(.verifyPositions(PositionCheck(origin: origin, rows: rows, tour: group.tour)))
    }

    /// - Parameter sound: the sound ones.
    /// - Returns: what the replication learns of it.
    func checked(
        _ check: PositionCheck, _ sound: [HeardPosition], _ backlog: inout Backlog, reading links: OpenLinks,
        _ step: inout TourStep
    ) -> [GossipMachine.Input] {
        backlog.change(by: -check.rows.count, reading: links, &step)
        return [.positions(check.origin, Self.current(sound, at: step.time))]
            + forged(check.rows.count - sound.count, from: check.origin, &step)
    }

    /// The sound ones of a position check that hold now.
    /// - Parameter time: a row dated ahead would suppress newer ones, as an event dated ahead would drag our clock
    ///   along.
    private static func current(_ sound: [HeardPosition], at time: ClockReading) -> [VerifiedPosition] {
        let wall = time.wallMilliseconds
        return sound.filter {
            $0.claim.signedAt <= wall + Limits.clockLeadMillisecondsMax && $0.claim.until > wall
        }
        .map { $0.verified(lapsesAt: time.now + .milliseconds($0.claim.until - wall)) }
    }
}
