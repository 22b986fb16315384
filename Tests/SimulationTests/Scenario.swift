import Testing
import TourModel
import TourSimulator

extension Simulation {
    /// Every node that is on writes so many messages, each somewhere within this time.
    func everybodyWrites(_ count: Int, within time: Duration, using rng: inout SplitMix64) {
        for node in nodes.indices {
            for message in 0..<count {
                let delay = Duration.microseconds(Int64.random(in: 0..<time.microseconds, using: &rng))
                after(delay) { self.write("message \(message) of \(node)", node: node) }
            }
        }
    }

    /// The liveness phase: nothing goes wrong any more, and everybody comes to the same within the limit.
    func settle(
        within limit: Duration, excepting: Set<MemberID> = [], at location: SourceLocation = #_sourceLocation
    ) {
        breaksPerMille = 0
        conditions.lossPerMille = 0
        let checker = ConvergenceChecker(excepted: excepting)
        let time = run(atMost: limit) { checker.holds(in: self) }
        #expect(time != nil, "seed \(seed): no convergence in \(limit)", sourceLocation: location)
        // What is converged stays so, and no timer runs wild afterwards.
        run(for: .seconds(3))
        let checkers: [any Checker] = [
            checker, AcknowledgementChecker(), DuplicateChecker(), BoundsChecker(), ClaimChecker(), ChainChecker(),
        ]
        for checker in checkers {
            let problems = checker.problems(in: self)
            let shown = problems.prefix(5).joined(separator: "; ")
            #expect(problems.isEmpty, "seed \(seed): \(shown)", sourceLocation: location)
        }
    }
}

extension SwarmOptions {
    /// - Parameter text: as `--with` takes it; what it does not name is as it is by itself.
    init(_ text: String) throws(SwarmOptionFault) {
        self.init()
        try set(text)
    }
}

/// Plays a swarm that must end well.
@discardableResult
func playWell(
    _ seed: UInt64, _ options: SwarmOptions, at location: SourceLocation = #_sourceLocation
) -> SwarmResult {
    let result = Swarm(seed: seed, options: options).play()
    #expect(
        result.failure == nil, "seed \(seed): \(result.failure as Any); --with \(options.text)",
        sourceLocation: location)
    return result
}
