import TourGroup
import TourRuntime

/// Nothing was sealed under a key that a device which its author knew to be removed can compute by itself; and, once
/// all is well, everybody has the keys of the same heads.
package struct EpochChecker: Checker {
    package let name = "epoch"
    private let isSettled: Bool

    /// - Parameter isSettled: whether all control events have reached everybody.
    package init(isSettled: Bool = false) { self.isSettled = isSettled }

    package func problems(in simulation: Simulation) -> [String] {
        var problems = [String]()
        let unsafe = simulation.counts.unsafeSeals
        if unsafe > 0 { problems.append("\(unsafe) events were sealed for somebody removed") }
        guard isSettled, let first = simulation.honest.first else { return problems }
        let heads = first.group.keyring.graph.heads
        return problems
            + simulation.honest.compactMap { node -> String? in
                let keyring = node.group.keyring
                if keyring.graph.heads != heads { return "node \(node.number) has other heads" }
                guard keyring.holders.active.contains(node.id) else { return nil }
                guard keyring.sending == nil || !heads.allSatisfy(keyring.isHeld), couldLearn(node, simulation) else {
                    return nil
                }
                return "node \(node.number) lacks a key"
            }
    }

    /// Whether somebody near has what the node lacks. Where links are given, those of removed members stay, who have no
    /// key to pass on: a node that has no other neighbour would look for one, and cannot here.
    private func couldLearn(_ node: SimulatedNode, _ simulation: Simulation) -> Bool {
        guard !simulation.topology.choosesLinks else { return true }
        let holders = simulation.honest.filter { $0.group.keyring.sending != nil }
        return holders.isEmpty || holders.contains { node.machine.link(to: $0.id) != nil }
    }
}
