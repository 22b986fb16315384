/// A node's heads: for each author the highest contiguous sequence. The difference of two frontiers is a set of ranges.
@usableFromInline
package struct Frontier: Hashable, Sendable {
    /// The heads by author; none is 0.
    @usableFromInline package internal(set) var heads: [MemberID: UInt64]

    package init(_ heads: [MemberID: UInt64] = [:]) { self.heads = heads.filter { $0.value > 0 } }

    /// The highest sequence held without a gap below it; 0 when nothing of this author is held.
    @inlinable package subscript(author: MemberID) -> UInt64 { heads[author] ?? 0 }

    /// Raises one author's head; ignores a lower value (claims only grow).
    @inlinable package mutating func raise(_ author: MemberID, to sequence: UInt64) {
        if sequence > self[author] { heads[author] = sequence }
    }

    /// Raises each head to that of the other frontier, where that is higher.
    package mutating func merge(_ other: Frontier) {
        for (author, sequence) in other.heads { raise(author, to: sequence) }
    }
}
