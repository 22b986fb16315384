import TourWeb

/// What the creator of a tour loses with its key, and who can let it in again.
package struct RightsLoss: Sendable {
    /// Safe for a terminal.
    package let text: String

    /// - Parameters:
    ///   - tour: as the local API gives one tour.
    ///   - members: its answer about the members.
    /// - Returns: nil for a tour that somebody else made.
    package init?(_ tour: JSON, _ members: JSON) {
        guard tour["memberID"] != nil, tour["memberID"] == tour["creatorID"] else { return nil }
        let leading = (members["members"]?.list ?? []).filter { member in
            member["me"]?.flag != true && member["removed"]?.flag != true && member["left"]?.flag != true
                && member.shown("role") != "member"
        }
        let names = leading.map { MemberName($0.shown("name"), namesake: $0.shown("namesake")).whole }
        let loss = "You made this tour: the creator's rights go with your key, and come back to nobody."
        let way =
            names.isEmpty
            ? "Nobody else leads it: only a code that was made before lets you in again, as a plain member."
            : "A code lets you in again as a plain member; \(names.joined(separator: ", ")) can make one."
        text = "\(loss)\n\(way)"
    }
}
