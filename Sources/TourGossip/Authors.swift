import TourModel
import TourWire

/// The members whose events this node accepts, and the names that frontiers have for them.
struct Authors: Sendable {
    /// All members.
    private(set) var members: Set<MemberID> = []
    /// Those of the members that make links from a person's device: witnesses of our own log.
    private(set) var people: Set<MemberID> = []
    /// The members whom a frontier can name.
    private(set) var byPrefix: [UInt64: MemberID] = [:]
    private var ambiguous: Set<UInt64> = []

    subscript(prefix: UInt64) -> MemberID? { byPrefix[prefix] }

    /// Whether two members share this prefix.
    func isAmbiguous(_ prefix: UInt64) -> Bool { ambiguous.contains(prefix) }

    mutating func add(_ new: some Sequence<MemberID>) {
        for member in new where members.insert(member).inserted {
            let prefix = member.prefix
            if byPrefix[prefix] != nil || ambiguous.contains(prefix) {
                // Two members share a prefix: their frontiers cannot be told apart, so neither is used.
                byPrefix[prefix] = nil
                ambiguous.insert(prefix)
            } else {
                byPrefix[prefix] = member
            }
        }
    }

    /// - Parameter people: nil: all members whose log does not end.
    mutating func set(people: Set<MemberID>?, ended: some Sequence<MemberID>) {
        self.people = people ?? members.subtracting(ended)
    }
}
