import TourGroup
import TourModel

extension SimulatedNode {
    /// Whether a member that this node knows lacks a message that was to reach it.
    func sees(_ member: SimulatedNode, lacking author: MemberID, through: UInt64) -> Bool {
        let held = UInt64(member.store.logs[author]?.count ?? 0)
        guard member.id != author, held < through, let known = group.roster.members[member.id], known.isActive
        else { return false }
        // Older messages need not reach a newcomer.
        let log = store.logs[author] ?? []
        return log[Int(held)..<min(log.count, Int(through))].contains { $0.header.clock >= known.admittedAt }
    }
}

/// No node ever showed a message as delivered that an honest member whom it knew lacked, and was to receive: a status
/// does not fall when a newcomer becomes known later.
package struct StatusChecker: Checker {
    package let name = "status"

    package init() {}

    package func problems(in simulation: Simulation) -> [String] {
        let count = simulation.counts.falseStatuses
        return count == 0 ? [] : ["\(count) times a message was shown as delivered that a member lacked"]
    }
}
