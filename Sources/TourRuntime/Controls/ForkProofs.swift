import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Logs that hold two events for one place: proves to everybody the first place with two different signed events,
/// unless the log ends before it already. Source: `Protocol/05-events.md`, "Cuts".
struct ForkProofs: Sendable {
    /// Authors whose forks we have proven, or are about to prove: one proof for each while this node runs, since an
    /// author can fork its log at any number of places.
    private var proven: Set<MemberID> = []

    /// - Parameter known: where the other branch may be.
    /// - Returns: nil if the author's forks need no proof of ours.
    func question(
        on events: [Event], beside known: ForkQuestion.Known, own: MemberID, in group: TourGroup
    ) -> ForkQuestion? {
        guard let author = events.first?.header.author, author != own, !proven.contains(author),
            let identity = group.roster.members[author]?.identity
        else { return nil }
        return ForkQuestion(author: author, identity: identity, tour: group.tour, events: events, known: known)
    }

    /// Newly stored events: control events may have arrived before for the same places.
    func questions(onStored events: [Event], own: MemberID, in group: TourGroup) -> [ForkQuestion] {
        events.compactMap { event in
            group.rival(of: event).flatMap {
                question(on: [$0], beside: .events([event]), own: own, in: group)
            }
        }
    }

    /// Control events that arrived without their logs: another event may hold their place.
    func questions(
        onControls events: [Event], own: MemberID, in group: TourGroup, _ stored: Frontier
    ) -> [ForkQuestion] {
        events.compactMap { event in
            let (place, head): (UInt64, UInt64) = (event.header.sequence, stored[event.header.author])
            return place > head ? nil : question(on: [event], beside: .stored(place...place), own: own, in: group)
        }
    }

    /// - Returns: whether to write this proof.
    mutating func accept(_ proof: ForkProof, of author: MemberID, in group: TourGroup) -> Bool {
        guard let place = proof.place(in: group.tour),
            group.roster.members[author]?.end?.sequence ?? .max >= place.sequence
        else { return false }
        return proven.insert(author).inserted
    }

    /// The proof could not be written: the next run of the other branch shows the fork again.
    mutating func forget(_ author: MemberID) { proven.remove(author) }
}
