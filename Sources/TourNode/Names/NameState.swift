import TourModel

/// The names that the members of a tour chose, and which of them read the same: anybody can choose another member's
/// name.
package struct NameState: Sendable {
    private var names: [MemberID: String] = [:]
    private var folded: [MemberID: String] = [:]
    private var holders: [String: Set<MemberID>] = [:]

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

    /// The other members whose names read like this member's.
    package func namesakes(of member: MemberID) -> Set<MemberID> {
        guard let key = folded[member], let all = holders[key], all.count > 1 else { return [] }
        return all.subtracting([member])
    }
}
