import SwiftProtobuf
import TourModel

/// A member's statement of what a server holds: the content of a row of `Synced`, a `FrontierRow` without tags. The
/// server names its heads by number, and the member need not have those events.
/// Source: `Protocol/09-mailbox.md`, "Synced".
package struct SyncedClaim: Hashable, Sendable {
    /// The member that asked the server.
    package var member: MemberID
    /// Increases with every row of this member.
    package var counter: UInt64
    /// The server's heads of some authors.
    package var heads: [PrefixedHead]

    package init(member: MemberID, counter: UInt64, heads: [PrefixedHead]) {
        self.member = member
        self.counter = counter
        self.heads = heads
    }

    /// The exact bytes that are signed.
    package func encode() -> [UInt8] {
        let row = WireFrontierRow.with {
            $0.member = member.prefix
            $0.counter = counter
            $0.authors = heads.map(\.prefix)
            $0.sequences = heads.map(\.sequence)
        }
        return encoded(row)
    }

    /// - Parameter named: returns the member with this prefix, if there is exactly one.
    /// - Returns: nil when there is none.
    /// - Throws: `WireError.recordMalformed` (scope record), also for more than `Limits.claimRowBytesMax` bytes.
    package static func decode(
        _ bytes: [UInt8], named: (_ prefix: UInt64) -> MemberID?
    ) throws(WireError) -> SyncedClaim? {
        guard bytes.count <= Limits.claimRowBytesMax, let row = decoded(WireFrontierRow.self, bytes), row.member > 0,
            row.through > 0 || row.digest == 0, row.tags.isEmpty,
            let heads = PrefixedHead.zip(row.authors, row.sequences)
        else { throw .recordMalformed }
        return named(row.member).map { SyncedClaim(member: $0, counter: row.counter, heads: heads) }
    }
}
