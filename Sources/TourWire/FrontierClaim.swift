import SwiftProtobuf
import TourModel

/// A member's statement of what it holds and has read: the content of a claim row.
/// Source: `Protocol/06-replication.md`, "Claims".
package struct FrontierClaim: Hashable, Sendable {
    /// The member that makes the claim.
    package var member: MemberID
    /// Increases with every claim of this member.
    package var counter: UInt64
    /// The heads of some authors, or of all. Their tags are salted with the counter.
    package var heads: [TaggedHead]
    /// All heads as one hash; nil: the claim covers only the listed ones.
    package var whole: WholeFrontier?
    /// The member has read everything up to this place in the tour's order; nil: nothing.
    package var readThrough: LogicalClock?
    /// The member's device sleeps from here on, until its next claim: its silence means nothing.
    package var isAsleep: Bool
    /// What the member's version can show; nil: it does not say.
    package var understands: Abilities?

    package init(
        member: MemberID, counter: UInt64, heads: [TaggedHead], whole: WholeFrontier? = nil,
        readThrough: LogicalClock? = nil, isAsleep: Bool = false, understands: Abilities? = nil
    ) {
        self.member = member
        self.whole = whole
        self.counter = counter
        self.heads = heads
        self.readThrough = readThrough
        self.isAsleep = isAsleep
        self.understands = understands
    }

    /// The value of `rest` in a row whose member sleeps. Any other value, a later version's included, means awake: a
    /// member that is wrongly taken to be awake is missed, one that is wrongly taken to sleep would not be.
    private static let asleep: UInt32 = 1

    /// The exact bytes that are signed.
    package func encode() -> [UInt8] {
        let row = WireFrontierRow.with {
            $0.member = member.prefix
            $0.counter = counter
            $0.authors = heads.map(\.prefix)
            $0.sequences = heads.map(\.sequence)
            $0.readClock = readThrough?.value ?? 0
            $0.through = whole?.through.value ?? 0
            $0.digest = whole?.digest ?? 0
            $0.tags = heads.map(\.tag)
            $0.rest = isAsleep ? Self.asleep : 0
            $0.understands = understands?.rawValue ?? 0
        }
        return encoded(row)
    }

    /// - Parameter named: returns the member with this prefix, if there is exactly one.
    /// - Returns: nil when there is none.
    /// - Throws: `WireError.recordMalformed` (scope record), also for more than `Limits.claimRowBytesMax` bytes: nodes
    ///   pass a row on as received, so it must fit every message.
    package static func decode(
        _ bytes: [UInt8], named: (_ prefix: UInt64) -> MemberID?
    ) throws(WireError) -> FrontierClaim? {
        guard bytes.count <= Limits.claimRowBytesMax, let row = decoded(WireFrontierRow.self, bytes), row.member > 0,
            row.through > 0 || row.digest == 0,
            let heads = TaggedHead.zip(row.authors, row.sequences, row.tags)
        else { throw .recordMalformed }
        guard let member = named(row.member) else { return nil }
        return FrontierClaim(
            member: member, counter: row.counter, heads: heads, whole: WholeFrontier(row),
            readThrough: row.readClock == 0 ? nil : LogicalClock(value: row.readClock),
            isAsleep: row.rest == asleep,
            understands: row.understands == 0 ? nil : Abilities(rawValue: row.understands))
    }
}

/// All heads of a member at one place in the tour's order, as a hash.
package struct WholeFrontier: Hashable, Sendable {
    /// The place in the tour's order.
    package let through: LogicalClock
    /// The `HeadsDigest` of the heads.
    package let digest: UInt64

    /// - Parameter through: not zero.
    package init(through: LogicalClock, digest: UInt64) {
        self.through = through
        self.digest = digest
    }

    fileprivate init?(_ row: WireFrontierRow) {
        guard row.through > 0 else { return nil }
        self.init(through: LogicalClock(value: row.through), digest: row.digest)
    }
}

extension TaggedHead {
    /// - Returns: nil for lists of unequal length, and for too long ones.
    static func zip(_ authors: [UInt64], _ sequences: [UInt64], _ tags: [UInt64]) -> [TaggedHead]? {
        guard tags.count == authors.count, let heads = PrefixedHead.zip(authors, sequences) else { return nil }
        return Swift.zip(heads, tags).map { TaggedHead(prefix: $0.prefix, sequence: $0.sequence, tag: $1) }
    }
}

extension PrefixedHead {
    static func zip(_ authors: [UInt64], _ sequences: [UInt64]) -> [PrefixedHead]? {
        guard authors.count == sequences.count, authors.count <= Limits.headsPerMessageMax else { return nil }
        return Swift.zip(authors, sequences).map { PrefixedHead(prefix: $0, sequence: $1) }
    }
}
