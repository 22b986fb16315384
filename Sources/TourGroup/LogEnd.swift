import TourModel

/// The last place in a member's log that counts: a removal's cut, or the place before a fork.
/// Source: `Protocol/05-events.md`, "Cuts".
package struct LogEnd: Hashable, Sendable {
    /// 0: nothing counts.
    package private(set) var sequence: UInt64
    /// The ids that removals name for the event there. An event counts only if it has all of them.
    package private(set) var named: Set<EventID>

    init(sequence: UInt64, named: Set<EventID> = []) {
        self.sequence = sequence
        self.named = named
    }

    /// The smaller of two ends; of two at one place both apply.
    mutating func lower(to other: LogEnd) {
        if other.sequence < sequence {
            self = other
        } else if other.sequence == sequence {
            named.formUnion(other.named)
        }
    }

    /// Whether the event with this id at this place counts.
    package func reaches(_ sequence: UInt64, _ id: EventID) -> Bool {
        sequence < self.sequence || sequence == self.sequence && named.isSubset(of: [id])
    }
}
