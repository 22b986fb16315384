import TourCrypto
import TourModel
import TourWire

/// When a seat's claim row is due, and what it lists. Source: `Protocol/15-seats.md`, "Rows".
package struct SeatRows: Sendable {
    /// What the node knows at one moment.
    package struct Facts {
        /// What the phone has.
        package var has: Frontier
        /// The same, as far as it is known which events these are: a row lists no others.
        package var known: [MemberID: KnownHead]
        /// What the seat's rows state so far, by the author's prefix.
        package var stated: [UInt64: UInt64]
        /// What the node had at a settled place, with its hash.
        package var settled: (whole: WholeFrontier, heads: [MemberID: UInt64])?
        /// The counter of the seat's newest row; 0: there is none.
        package var counter: UInt64
        /// How far the guest has read.
        package var read: LogicalClock
        /// How many members the tour has.
        package var members: Int

        package init(
            has: Frontier, known: [MemberID: KnownHead], stated: [UInt64: UInt64],
            settled: (whole: WholeFrontier, heads: [MemberID: UInt64])?, counter: UInt64 = 0, read: LogicalClock,
            members: Int
        ) {
            self.has = has
            self.known = known
            self.stated = stated
            self.settled = settled
            self.counter = counter
            self.read = read
            self.members = members
        }
    }

    /// What a row says, still without its counter.
    package struct Row: Equatable {
        package var heads: [KnownHead]
        package var whole: WholeFrontier?
        package var read: LogicalClock?

        /// The seat's own statement, signed.
        /// - Parameter counter: higher than that of each row of the seat before.
        package func signed(
            by pair: SigningKeyPair, of member: MemberID, counter: UInt64, in tour: TourID
        ) -> VerifiedClaim {
            let claim = FrontierClaim(
                member: member, counter: counter, heads: heads.map { $0.tagged(counter) }, whole: whole,
                readThrough: read)
            let bytes = claim.encode()
            let signature = pair.sign(Hash.of(.frontier, tour.bytes, member.bytes, bytes).bytes)
            return VerifiedClaim(claim: claim, row: ClaimRow(row: bytes, signature: signature, hops: 0))
        }
    }

    /// As `ClaimState` has it for a node's own rows.
    private static let heartbeat: Duration = .milliseconds(9_500)
    private static let chanceMicroseconds: Int64 = 1_000_000

    private var madeAt: Instant?
    /// The time after `madeAt` at which a row that changes nothing is due.
    private var pause = Self.heartbeat
    private var saidRead = LogicalClock.zero
    private var saidHas = Frontier()

    package init() {}

    /// Whether `next` may give a row: what it needs costs more than this.
    package func mayBeDue(has: Frontier, read: LogicalClock, now: Instant) -> Bool {
        guard let madeAt else { return true }
        let isNews = read != saidRead || has != saidHas
        return now - madeAt >= (isNews ? SeatClaims.pause(members: 0) : pause)
    }

    /// - Returns: nil while no row is due.
    package mutating func next(
        _ facts: Facts, now: Instant, using rng: inout some RandomNumberGenerator
    ) -> Row? {
        var unsaid = facts.known.filter { $0.value.sequence > facts.stated[$0.value.prefix] ?? 0 }
        let isNews = !unsaid.isEmpty || facts.read != saidRead
        if let madeAt {
            let due = isNews ? min(SeatClaims.pause(members: facts.members), pause) : pause
            guard now - madeAt >= due else { return nil }
        }
        let settled = facts.settled.flatMap { settled in
            settled.heads.allSatisfy { facts.has[$0.key] >= $0.value } ? settled : nil
        }
        // The hash says of these what a list would.
        if let settled { unsaid = unsaid.filter { $0.value.sequence > settled.heads[$0.key] ?? 0 } }
        let listed = unsaid.sorted { $0.key < $1.key }.prefix(OwnHeads.listedMax).map(\.value)
        madeAt = now
        pause = Self.heartbeat + .microseconds(Int64.random(in: 0...Self.chanceMicroseconds, using: &rng))
        saidRead = facts.read
        if listed.count == unsaid.count { saidHas = facts.has }
        return Row(
            heads: listed, whole: settled?.whole, read: facts.read > .zero ? facts.read : nil)
    }
}
