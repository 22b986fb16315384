import TourCrypto
import TourGossip
import TourModel
import TourWire

/// Signs our claims, and watches for another device that signs with our key. Source: `Protocol/06-replication.md`,
/// "Claims".
package struct ClaimSigner: Sendable {
    /// Signs of a second device count only if they continue: for at least, and with pauses of at most.
    private static let twinSignsApartMin: Duration = .seconds(15)
    private static let twinSignsApartMax: Duration = .seconds(180)

    /// When this run of the node began, in microseconds since 1970.
    private let startedAt: Int64
    /// What this node shows its user.
    private let understands: Abilities
    /// The last counter with which we signed a row.
    private(set) var counter: UInt64
    /// The highest counter of a row of ours that was signed elsewhere.
    private var foreignCounter: UInt64 = 0
    private var firstTwinSignAt: Instant?
    /// When another device last signed with our key, once that is certain.
    private(set) var twinSeenAt: Instant?

    init(startedAt: Int64, counter: UInt64, understands: Abilities = .own) {
        self.startedAt = startedAt
        self.understands = understands
        self.counter = counter
    }

    /// The counter is the wall clock in microseconds, and never falls behind one that we signed before.
    mutating func sign(
        _ heads: [KnownHead], _ whole: WholeFrontier?, readThrough: LogicalClock?, isAsleep: Bool,
        by identity: SigningKeyPair, as member: MemberID, in tour: TourID, wallMicroseconds: Int64
    ) -> VerifiedClaim {
        counter = max(UInt64(clamping: wallMicroseconds), counter &+ 1)
        let claim = FrontierClaim(
            member: member, counter: counter, heads: heads.map { $0.tagged(counter) }, whole: whole,
            readThrough: readThrough, isAsleep: isAsleep, understands: understands)
        let row = claim.encode()
        let signature = identity.sign(Self.digest(row, of: member, tour: tour))
        return VerifiedClaim(claim: claim, row: ClaimRow(row: row, signature: signature, hops: 0))
    }

    /// Others know a row of ours with a counter that we did not sign. Counters are microseconds since 1970: one from
    /// before our start may come from an earlier life of ours, a later one comes from another device with our key.
    /// After a clock was set back, rows that others stored of an earlier life look like the latter, but arrive only at
    /// first.
    /// - Returns: whether this is a sign of another device.
    mutating func record(counter known: UInt64) -> Bool {
        defer {
            counter = max(counter, known)
            foreignCounter = max(foreignCounter, known)
        }
        return known > foreignCounter && known > UInt64(clamping: startedAt)
    }

    /// A sign that another device has our key: it counts only if such signs continue.
    /// - Returns: whether it is certain now for the first time.
    mutating func recordTwinSign(now: Instant) -> Bool {
        let recent = firstTwinSignAt.flatMap { now - $0 <= Self.twinSignsApartMax ? $0 : nil }
        firstTwinSignAt = recent ?? now
        guard let recent, now - recent >= Self.twinSignsApartMin else { return false }
        defer { twinSeenAt = now }
        return twinSeenAt == nil
    }

    /// H("frontier", tour id, member id, row): what a claim's signature covers.
    package static func digest(_ row: [UInt8], of member: MemberID, tour: TourID) -> [UInt8] {
        Hash.of(.frontier, tour.bytes, member.bytes, row).bytes
    }
}
