import TourCrypto
import TourGossip
import TourModel
import TourWire

/// Whether, and until when, this node shares its position in one tour, and the rows that it signs there. Source:
/// `Protocol/06-replication.md`, "Positions".
///
/// Used on the node's loop alone.
package final class TourSharing {
    private let tour: TourID
    private var sharing: Sharing?
    /// The last counter with which we signed a row.
    private var counter: UInt64 = 0

    private static let endBytes = 8

    package init(tour: TourID) { self.tour = tour }

    /// Whether a sharing has begun and was not ended.
    package var isSharing: Bool { sharing != nil }

    /// The sharing; nil once its time is over.
    package func current(wallMilliseconds: Int64) -> Sharing? {
        sharing.flatMap { $0.until > wallMilliseconds ? $0 : nil }
    }

    /// Begins to share, or sets another end.
    /// - Parameter until: milliseconds since 1970.
    /// - Throws: `NodeError`, with the code of a `StoreError`.
    package func begin(until: Int64, _ host: some PlacesHost) throws {
        try store(until, host)
        sharing = Sharing(until: until)
    }

    /// Ends the sharing, and withdraws the position that was sent.
    /// - Returns: whether anything was shared.
    /// - Throws: `NodeError`, with the code of a `StoreError`.
    package func end(_ host: some PlacesHost) throws -> Bool {
        guard let sharing else { return false }
        try store(nil, host)
        self.sharing = nil
        // Each row has an end of its own; to stop earlier, a row withdraws the position.
        if sharing.until > host.wallMilliseconds { sign(nil, until: sharing.until, host) }
        return true
    }

    /// Resumes a sharing from before a restart.
    package func resume(_ host: some PlacesHost) {
        guard let facts = host.facts(of: tour), let kept = host.setting(Self.setting(facts.own)),
            kept.count == Self.endBytes
        else { return }
        let until = kept.reduce(Int64(0)) { $0 << 8 | Int64($1) }
        if until > host.wallMilliseconds, facts.isActive { sharing = Sharing(until: until) }
    }

    /// Once a second: ends a sharing whose time is over.
    /// - Returns: whether it ended.
    package func tick(_ host: some PlacesHost) -> Bool {
        guard let sharing else { return false }
        let isActive = host.facts(of: tour)?.isActive == true
        guard sharing.until <= host.wallMilliseconds || !isActive else { return false }
        do { return try end(host) } catch {
            host.count(NodeError(storing: error))
            return false
        }
    }

    /// Sends our position, if the tour shares it and another row is due.
    func send(_ fix: Fix, _ host: some PlacesHost) {
        guard let current = current(wallMilliseconds: host.wallMilliseconds),
            host.facts(of: tour)?.isActive == true, current.isDue(fix, host.now)
        else { return }
        sharing?.said(fix, at: host.now)
        sign(fix, until: current.until, host)
    }

    /// A row of our own, perhaps from an earlier life: our next rows continue after its counter.
    package func record(_ claim: PositionClaim, own: MemberID) {
        if claim.member == own { counter = max(counter, claim.counter) }
    }

    /// - Parameter fix: nil: the sharing has ended.
    private func sign(_ fix: Fix?, until: Int64, _ host: some PlacesHost) {
        guard let own = host.facts(of: tour)?.own else { return }
        // The counter is the wall clock in microseconds, and never falls behind one that we signed before.
        counter = max(UInt64(clamping: host.wallMicroseconds), counter &+ 1)
        guard let claim = PositionClaim(member: own, counter: counter, until: until, fix: fix) else { return }
        let row = claim.encode()
        guard let signature = host.sign(PositionRow.digest(row, of: own, tour: tour), in: tour) else { return }
        let signed = ClaimRow(row: row, signature: signature, hops: 0)
        let lapse = host.now + .milliseconds(claim.until - host.wallMilliseconds)
        host.publish(VerifiedPosition(claim: claim, row: signed, lapsesAt: lapse), in: tour)
    }

    private func store(_ until: Int64?, _ host: some PlacesHost) throws {
        guard let own = host.facts(of: tour)?.own else { return }
        let value = until.map { until in
            (0..<Self.endBytes).map { UInt8(truncatingIfNeeded: until >> (56 - 8 * $0)) }
        }
        try host.setSetting(Self.setting(own), value)
    }

    /// The store's key for the end of a member's sharing.
    private static func setting(_ member: MemberID) -> String { "sharing/\(member.hex)" }
}
