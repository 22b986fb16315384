import TourAPI
import TourWords

/// What the creator of a tour loses with its key, and who can readmit it.
package struct RightsLoss: Sendable {
    /// Safe for a terminal.
    package let words: Phrase

    /// - Returns: nil for a tour that somebody else made.
    package init?(_ tour: TourDetails, _ list: MemberList) {
        guard tour.memberID == tour.creatorID else { return nil }
        let leading = list.members.filter { !$0.me && !$0.removed && !$0.left && $0.role != "member" }
        let names = leading.map { MemberName($0.name, namesake: $0.namesake ?? "").whole }
        let loss = Phrase("You made this tour: the creator's rights go with your key, and come back to nobody.")
        let way =
            names.isEmpty
            ? Phrase("Nobody else leads it: only a code that was made before lets you in again, as a plain member.")
            : Phrase("A code lets you in again as a plain member; \(Phrase(list: names)) can make one.")
        words = Phrase([loss, way], separator: "\n")
    }
}
