/// Finds a small swarm that still fails: for each option in turn the simplest value, or else half the way towards it,
/// as long as the same checker reports a problem. Deterministic, like the swarms.
package struct Minimiser: Hashable, Sendable {
    /// The largest number of swarms to play for one case: a minute or two.
    package static let runsMax = 150

    /// The smallest failure so far.
    package private(set) var smallest: SwarmResult
    /// How many swarms were played.
    package private(set) var runs = 0
    private let checker: String

    /// - Returns: nil for a result without a failure.
    package init?(_ result: SwarmResult) {
        guard let failure = result.failure else { return nil }
        smallest = result
        checker = failure.checker
    }

    /// Tries all options until none can be made simpler.
    package mutating func minimise() {
        var before: SwarmOptions
        repeat {
            before = smallest.options
            minimiseTopology()
            for dimension in SwarmOptions.dimensions { minimise(dimension) }
        } while before != smallest.options && runs < Self.runsMax
    }

    private mutating func minimiseTopology() {
        var options = smallest.options
        options.topology = SwarmOptions().topology
        _ = stillFails(options)
    }

    private mutating func minimise(_ dimension: SwarmOptions.Dimension) {
        let simplest = SwarmOptions()[keyPath: dimension.path]
        var options = smallest.options
        options[keyPath: dimension.path] = simplest
        if stillFails(options) { return }
        while runs < Self.runsMax {
            options = smallest.options
            let value = options[keyPath: dimension.path]
            options[keyPath: dimension.path] = simplest + (value - simplest) / 2
            guard options[keyPath: dimension.path] != simplest, stillFails(options) else { return }
        }
    }

    /// Plays these options, and keeps them if they fail in the same way.
    private mutating func stillFails(_ options: SwarmOptions) -> Bool {
        let options = options.fitted()
        guard options != smallest.options, runs < Self.runsMax else { return false }
        runs += 1
        let result = Swarm(seed: smallest.seed, options: options).play()
        guard result.failure?.checker == checker else { return false }
        smallest = result
        return true
    }
}
