import TourGroup

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
                return keyring.sending == nil || !heads.allSatisfy(keyring.isHeld)
                    ? "node \(node.number) lacks a key" : nil
            }
    }
}
