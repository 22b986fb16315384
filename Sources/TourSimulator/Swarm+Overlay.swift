import TourModel

// A swarm's requirements on nodes that choose their links.
extension Swarm {
    /// How long it may take, once all is well, until everybody is linked with its neighbours on the ring: a member
    /// that died unnoticed counts as present for half a minute, and then every address may have to be dialled for its
    /// member.
    private static let ringsBase: Duration = .seconds(60)
    private static let ringsPerNode: Duration = .seconds(3)
    /// How long until surplus links are given up: they are kept for half a minute, and end one a second.
    private static let fewLinksLimit: Duration = .seconds(90)

    private var ringsLimit: Duration { Self.ringsBase + Self.ringsPerNode * options.nodes }

    func awaitRings() -> SwarmFailure? {
        let checker = RingChecker()
        if simulation.run(atMost: ringsLimit, until: { checker.holds(in: simulation) }) != nil { return nil }
        return failure(of: checker, limit: ringsLimit)
    }

    func awaitFewLinks() -> SwarmFailure? {
        let checker = LinkCountChecker(isQuiet: true)
        let time = simulation.run(atMost: Self.fewLinksLimit) { checker.problems(in: simulation).isEmpty }
        return time == nil ? failure(of: checker, limit: Self.fewLinksLimit) : nil
    }

    private func failure(of checker: any Checker, limit: Duration) -> SwarmFailure {
        let problem = firstFailure([checker])?.problem ?? "too late"
        return SwarmFailure(checker: checker.name, problem: "not within \(limit): \(problem)")
    }
}

extension SwarmOptions {
    /// Distributes the nodes over the given number of networks, each of which shares a node with the next.
    var networks: [[Int]] {
        guard segments > 0 else { return [] }
        let size = max(2, (nodes + segments - 1) / segments)
        return stride(from: 0, to: nodes, by: size).map { Array($0...min($0 + size, nodes - 1)) }
    }
}
