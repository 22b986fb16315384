import TourModel

/// The names that the members of a tour gave themselves, and which of them are read as the same: anybody can take
/// anybody's.
package struct NameBook: Sendable {
    private var names: [MemberID: String] = [:]
    private var folded: [MemberID: String] = [:]
    private var holders: [String: Set<MemberID>] = [:]

    package init() {}

    package subscript(member: MemberID) -> String? { names[member] }

    package mutating func set(_ name: String, of member: MemberID) {
        if let before = folded[member] { holders[before]?.remove(member) }
        let key = DisplayName.folded(name)
        names[member] = name
        folded[member] = key
        holders[key, default: []].insert(member)
    }

    /// The others whose names are read like this member's.
    package func namesakes(of member: MemberID) -> Set<MemberID> {
        guard let key = folded[member], let all = holders[key], all.count > 1 else { return [] }
        return all.subtracting([member])
    }
}
