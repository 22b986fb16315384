import SwiftProtobuf
import TourModel

/// What a member says it holds and has read: the content of a claim row.
package struct FrontierClaim: Hashable, Sendable {
    package var member: MemberID
    /// Grows with every claim of this member.
    package var counter: UInt64
    package var heads: [PrefixedHead]
    /// The member has read everything up to this place in the tour's order; nil: nothing.
    package var readThrough: LogicalClock?

    package init(member: MemberID, counter: UInt64, heads: [PrefixedHead], readThrough: LogicalClock? = nil) {
        self.member = member
        self.counter = counter
        self.heads = heads
        self.readThrough = readThrough
    }

    /// The exact bytes that are signed.
    package func encode() -> [UInt8] {
        let row = WireFrontierRow.with {
            $0.member = member.data
            $0.counter = counter
            $0.authors = heads.map(\.prefix)
            $0.sequences = heads.map(\.sequence)
            $0.readClock = readThrough?.value ?? 0
        }
        return encoded(row)
    }

    /// - Throws: `WireError.recordMalformed` (scope record), also for more than `Limits.claimRowBytesMax` bytes: a row
    ///   is passed on as it came, and must fit every message.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        guard bytes.count <= Limits.claimRowBytesMax, let row = decoded(WireFrontierRow.self, bytes),
            let member = MemberID(row.member),
            let heads = PrefixedHead.zip(row.authors, row.sequences)
        else { throw .recordMalformed }
        self.init(
            member: member, counter: row.counter, heads: heads,
            readThrough: row.readClock == 0 ? nil : LogicalClock(value: row.readClock))
    }
}

extension PrefixedHead {
    static func zip(_ authors: [UInt64], _ sequences: [UInt64]) -> [PrefixedHead]? {
        guard authors.count == sequences.count, authors.count <= Limits.headsPerMessageMax else { return nil }
        return Swift.zip(authors, sequences).map { PrefixedHead(prefix: $0, sequence: $1) }
    }
}
