import TourGroup

/// All honest nodes compute one roster, byte for byte, whichever members acted on each other while they were apart.
package struct RosterChecker: Checker {
    package let name = "roster"

    package init() {}

    package func problems(in simulation: Simulation) -> [String] {
        let honest = simulation.honest
        guard let first = honest.first else { return [] }
        let expected = first.group.roster.canonicalBytes
        return honest.dropFirst().compactMap { node in
            guard node.group.roster.canonicalBytes != expected else { return nil }
            let counts = "\(node.group.controlCount) control events and \(first.group.controlCount)"
            return "nodes \(node.number) and \(first.number) have two rosters, of \(counts)"
        }
    }
}
