import TourGroup
import TourModel
import TourRuntime

extension SimulatedNode {
    /// The first message that was to reach a member whom this node knows, and that the member lacks.
    func lacking(_ member: SimulatedNode, of author: MemberID, through: UInt64) -> EventHeader? {
        let held = UInt64(member.store.logs[author]?.count ?? 0)
        guard member.id != author, held < through, let known = group.roster.members[member.id], known.isActive
        else { return nil }
        // Older messages need not reach a newcomer.
        let log = store.logs[author] ?? []
        return log[Int(held)..<min(log.count, Int(through))].first { $0.header.clock >= known.admittedAt }?.header
    }

    /// Whether this node shows a message as one that the member has.
    func shows(_ header: EventHeader, heldBy member: MemberID) -> Bool {
        machine.receipts.state.receipt(of: header, for: member, storedAt: 0).state != .missing
    }
}

/// No node ever showed a message as delivered that an honest member whom it knew lacked, and was to receive. A status
/// does not fall when a newcomer becomes known later, but nothing says that the newcomer itself has the message.
package struct StatusChecker: Checker {
    package let name = "status"

    package init() {}

    package func problems(in simulation: Simulation) -> [String] {
        let count = simulation.counts.falseStatuses
        return count == 0 ? [] : ["\(count) times a message was shown as delivered that a member lacked"]
    }
}
