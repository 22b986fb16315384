import TourModel

/// The names that the members of a tour chose, and which of them read the same: anybody can choose another member's
/// name.
package struct NameState: Sendable {
    private var names: [MemberID: String] = [:]
    private var folded: [MemberID: String] = [:]
    private var holders: [String: Set<MemberID>] = [:]
    /// The clock of the event that last set each member's name.
    private var clocks: [MemberID: LogicalClock] = [:]
    /// The clock of the event that last named the tour; zero: none has.
    package private(set) var tourNameClock = LogicalClock.zero

    package init() {}

    /// The name that the member chose; nil: none yet.
    package subscript(member: MemberID) -> String? { names[member] }

    package mutating func set(_ name: String, of member: MemberID) {
        if let before = folded[member] { holders[before]?.remove(member) }
        let key = DisplayName.folded(name)
        names[member] = name
        folded[member] = key
        holders[key, default: []].insert(member)
    }

    /// Records a name that an event with this clock sets, unless a later one set another.
    package mutating func set(_ name: String, of member: MemberID, at clock: LogicalClock) {
        guard clocks[member] ?? .zero <= clock else { return }
        clocks[member] = clock
        set(name, of: member)
    }

    /// An event with this clock names the tour.
    /// - Returns: whether its name counts.
    package mutating func recordTourName(at clock: LogicalClock) -> Bool {
        guard tourNameClock <= clock else { return false }
        tourNameClock = clock
        return true
    }

    /// The other members whose names read like this member's.
    package func namesakes(of member: MemberID) -> Set<MemberID> {
        guard let key = folded[member], let all = holders[key], all.count > 1 else { return [] }
        return all.subtracting([member])
    }
}
