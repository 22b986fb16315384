import TourJSON
import TourWords

/// What the creator of a tour loses with its key, and who can readmit it.
package struct RightsLoss: Sendable {
    /// Safe for a terminal.
    package let words: Phrase

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
        let loss = Phrase("You made this tour: the creator's rights go with your key, and come back to nobody.")
        let way =
            names.isEmpty
            ? Phrase("Nobody else leads it: only a code that was made before lets you in again, as a plain member.")
            : Phrase("A code lets you in again as a plain member; \(Phrase(list: names)) can make one.")
        words = Phrase([loss, way], separator: "\n")
    }
}
