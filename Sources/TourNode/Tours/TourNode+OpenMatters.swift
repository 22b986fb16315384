import TourAPI
import TourModel
import TourRuntime

extension TourNode {
    /// What ends unanswered if the tour ends now; nothing of a tour that has ended.
    package func openMatters(_ tour: String?) throws -> OpenMatters {
        let session = try session(tour)
        let missing = try roll(tour).map { $0.open ? $0.members.filter { $0.state == .missing } : [] } ?? []
        let view = session.view(store)
        return OpenMatters(
            lost: openAlarms(in: session).map(\.name),
            unanswered: missing.map { member in
                MemberID(hex: member.memberID).map(view.distinctName(of:)) ?? member.name
            },
            urgent: try urgent(tour).compactMap { urgent in
                let missing = urgent.members - urgent.understoodBy
                return missing > 0 ? OpenMatters.Urgent(text: urgent.text, missing: missing) : nil
            })
    }
}
