import TourGroup
import TourModel
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
        problems += simulation.honest.filter { $0.group.keyring.graph.heads != heads }
            .map { "node \($0.number) has other heads" }
        return problems + Self.lacking(in: simulation).sorted().map { "node \($0) lacks a key" }
    }

    /// The numbers of the members that lack a head's key which somebody near holds, or nobody at all, and of those that
    /// hold every head's key and may not send all the same. A key passes from link to link, one at each review: who is
    /// further away is named once it has come near.
    static func lacking(in simulation: Simulation) -> Set<Int> {
        Set(
            simulation.honest.filter { node in
                let keyring = node.group.keyring
                guard keyring.holders.active.contains(node.id) else { return false }
                let missing = keyring.graph.heads.filter { !keyring.isHeld($0) }
                guard !missing.isEmpty else { return keyring.sending == nil }
                return missing.contains { couldLearn($0, node, simulation) }
            }.map(\.number))
    }

    /// Whether a linked member holds the key, or nobody does. Where links are given, those of removed members stay, who
    /// pass on no key: a node that has no other neighbour would look for one, and cannot here.
    private static func couldLearn(_ epoch: EpochID, _ node: SimulatedNode, _ simulation: Simulation) -> Bool {
        guard !simulation.topology.choosesLinks else { return true }
        let active = node.group.keyring.holders.active
        let holders = simulation.honest.filter { active.contains($0.id) && $0.group.keyring.isHeld(epoch) }
        return holders.isEmpty || holders.contains { node.machine.link(to: $0.id) != nil }
    }
}
