import TourGroup
import TourModel
import TourRuntime

/// No node shows a message as delivered that an honest member lacks and was to receive. Valid while no crash has
/// removed anything: a disk may lose what its node has claimed.
package struct StatusChecker: Checker {
    package let name = "status"

    package init() {}

    package func problems(in simulation: Simulation) -> [String] {
        guard simulation.counts.lostEvents == 0 else { return [] }
        let honest = simulation.honest
        return honest.flatMap { node -> [String] in
            let marks = node.machine.receipts.state.marks
            return marks.keys.sorted().flatMap { author -> [String] in
                let through = marks[author]?.deliveredThrough ?? 0
                return honest.filter { $0.id != author && lacks($0, author, through: through, as: node) }.map {
                    "node \(node.number) shows \(through) events of \(author) as delivered, \($0.number) lacks some"
                }
            }
        }
    }

    private func lacks(_ member: SimulatedNode, _ author: MemberID, through: UInt64, as node: SimulatedNode) -> Bool {
        let held = UInt64(member.store.logs[author]?.count ?? 0)
        guard held < through, let known = node.group.roster.members[member.id], known.isActive else { return false }
        // Older messages need not reach a newcomer.
        let log = node.store.logs[author] ?? []
        return log[Int(held)..<min(log.count, Int(through))].contains { $0.header.clock >= known.admittedAt }
    }
}
