import SwiftProtobuf
import TourModel

/// A member's statement of its position, until it stops sharing: the content of a position row.
/// Source: `Protocol/06-replication.md`, "Positions".
package struct PositionClaim: Hashable, Sendable {
    /// The member that shares its position.
    package let member: MemberID
    /// Microseconds since 1970 when the row was signed; increases with every row of this member.
    package let counter: UInt64
    /// When the sharing ends, in milliseconds since 1970.
    package let until: Int64
    /// The position; nil: the member has stopped before `until`.
    package let fix: Fix?

    /// - Returns: nil for values that nobody may sign: a missing end or one too far off, a fix without its time, or a
    ///   fix later than the row.
    package init?(member: MemberID, counter: UInt64, until: Int64, fix: Fix?) {
        let signedAt = Int64(clamping: counter / 1_000)
        guard counter > 0, signedAt <= LogicalClock.millisecondsMax,
            (1...signedAt + Limits.sharingMillisecondsMax).contains(until)
        else { return nil }
        if let fix {
            guard let fixedAt = fix.fixedAt, fixedAt <= signedAt + Limits.fixLeadMillisecondsMax else { return nil }
        }
        self.member = member
        self.counter = counter
        self.until = until
        self.fix = fix
    }

    /// When the row was signed, by its member's clock, in milliseconds since 1970.
    package var signedAt: Int64 { Int64(clamping: counter / 1_000) }

    /// The exact bytes that are signed.
    package func encode() -> [UInt8] {
        encoded(
            WirePositionRow.with {
                $0.member = member.prefix
                $0.counter = counter
                $0.until = UInt64(clamping: until)
                if let fix { $0.fix = fix.wire }
            })
    }

    /// - Parameter named: returns the member with this prefix, if there is exactly one.
    /// - Returns: nil when there is none.
    /// - Throws: `WireError.recordMalformed` (scope record), also for more than `Limits.positionRowBytesMax` bytes.
    package static func decode(
        _ bytes: [UInt8], named: (_ prefix: UInt64) -> MemberID?
    ) throws(WireError) -> PositionClaim? {
        guard bytes.count <= Limits.positionRowBytesMax, let row = decoded(WirePositionRow.self, bytes),
            row.member > 0, let until = Int64(exactly: row.until)
        else { throw .recordMalformed }
        let fix = row.hasFix ? Fix(row.fix) : nil
        guard !row.hasFix || fix != nil else { throw .recordMalformed }
        guard let member = named(row.member) else { return nil }
        guard let claim = PositionClaim(member: member, counter: row.counter, until: until, fix: fix) else {
            throw .recordMalformed
        }
        return claim
    }
}
