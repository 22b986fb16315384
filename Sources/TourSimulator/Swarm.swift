import TourModel

/// One seed played: members write while all faults in its options occur; then the faults end, liars are silent, and
/// within a stated time all nodes must agree. Played once.
package struct Swarm {
    /// How long convergence may take once all is well: what 16 hops of pushes do not reach is pulled from node to node.
    private static let convergenceBase: Duration = .seconds(60)
    private static let convergencePerNode: Duration = .seconds(1)
    /// Converged nodes must stay so, and no timer may run wild afterwards.
    private static let aftermath: Duration = .seconds(3)
    /// Within this time a member has a key that somebody near has: three reviews.
    private static let keysLimit: Duration = .seconds(30)
    private static let problemsShown = 3
    /// How many nodes let guests in.
    private static let hostsMax = 3

    /// The source of all randomness.
    package let seed: UInt64
    /// Fitted options.
    package let options: SwarmOptions
    let roles: SwarmRoles
    let simulation: Simulation
    /// nil: there are none.
    let guests: SimulatedGuests?

    package init(seed: UInt64, options: SwarmOptions) {
        let options = options.fitted()
        let roles = SwarmRoles(options, seed: seed)
        var rng = SwarmStream.topology.generator(seed: seed)
        var topology = Topology.make(options.topology, of: options.nodes, degree: options.degree, using: &rng)
        if topology.choosesLinks, options.segments > 0 {
            topology = Topology(count: options.nodes, networks: options.networks)
        }
        self.seed = seed
        self.options = options
        self.roles = roles
        simulation = Simulation(
            seed: seed, topology: topology.connecting(roles.honest + roles.joiners),
            members: options.nodes - options.joiners, share: options.logShare)
        guests =
            options.guests == 0
            ? nil
            : SimulatedGuests(
                simulation, hosts: Array(roles.honest.prefix(Self.hostsMax)), count: options.guests,
                messages: options.messages, rng: SwarmStream.guests.generator(seed: seed))
    }

    /// How long convergence may take once all is well.
    package var convergenceLimit: Duration { Self.convergenceBase + Self.convergencePerNode * options.nodes }

    /// Plays the swarm to its end.
    package func play() -> SwarmResult {
        prepare()
        var convergence: Duration?
        var repair: Duration?
        var failure = weather()
        if failure == nil {
            quieten()
            let quietAt = simulation.now
            convergence = settle()
            let written = eventsWritten
            failure = convergence == nil ? neverSettled() : nil
            if failure == nil, simulation.topology.choosesLinks {
                failure = awaitRings()
                repair = failure == nil ? simulation.now - quietAt : nil
                failure = failure ?? awaitFewLinks()
            }
            failure = failure ?? afterwards(written)
        }
        return SwarmResult(
            seed: seed, options: options, trace: simulation.trace.value,
            virtualTime: simulation.now - Instant(microseconds: 0), convergence: convergence,
            events: eventsWritten, counts: simulation.counts,
            repair: repair, overlay: simulation.overlayCounts, failure: failure)
    }

    /// The time with faults. Invariants are checked every second.
    private func weather() -> SwarmFailure? {
        let checkers: [any Checker] =
            [
                BoundsChecker(), ClaimChecker(), ChainChecker(), CausalityChecker(), AheadChecker(), LinkCountChecker(),
                ShareChecker(), EpochChecker(), StatusChecker(),
            ] + guestCheckers
        for _ in 0..<options.seconds {
            simulation.run(for: .seconds(1))
            if let failure = firstFailure(checkers) { return failure }
        }
        return nil
    }

    private func quieten() {
        for liar in roles.evil { simulation.silence(liar) }
        simulation.quieten(members: roles.honest)
        // Silent members with links would stand between the others: nobody can tell that they carry nothing.
        if simulation.topology.choosesLinks {
            for liar in roles.evil { simulation.crash(liar) }
        }
        for joiner in roles.joiners { Self.admit(joiner, lot: 0, simulation) }
        guests?.quieten()
    }

    /// - Returns: how long it took until all nodes agreed, and all guests are in; nil: too long.
    private func settle() -> Duration? {
        let checker = convergenceChecker
        let watchesRosters = options.acts > 0
        return simulation.run(atMost: convergenceLimit) {
            guests?.areSettled != false && checker.holds(in: simulation)
                && (!watchesRosters || RosterChecker().problems(in: simulation).isEmpty)
        }
    }

    /// - Parameter written: how many events had been written when all nodes agreed.
    private func afterwards(_ written: Int) -> SwarmFailure? {
        if options.amnesia > 0 { simulation.forgetLast(of: 0) }
        simulation.run(for: Self.aftermath)
        // Keys of removed members are still being replaced: in a long chain such an event takes longer than that.
        if eventsWritten > written, settle() == nil { return neverSettled() }
        if let failure = awaitKeys() ?? awaitGuestReceipts() { return failure }
        let excepted = excepted
        return firstFailure(
            [
                convergenceChecker, RosterChecker(), AcknowledgementChecker(excepted: simulation.removed),
                DuplicateChecker(), ReceiptChecker(excepted: excepted), BoundsChecker(), ClaimChecker(), ChainChecker(),
                CausalityChecker(), AheadChecker(settledBut: excepted), LinkCountChecker(), RingChecker(),
                EpochChecker(isSettled: true), ShareChecker(), StatusChecker(),
            ] + guestCheckers + guestLogCheckers)
    }

    /// A rekey leaves out members of whose logs its author knows nothing: they ask their neighbours for the key. Where
    /// links are given, that takes a review for each link on the way, so it is waited for as long as the key comes
    /// nearer.
    private func awaitKeys() -> SwarmFailure? {
        for _ in 0..<options.nodes {
            let late = EpochChecker.lacking(in: simulation)
            guard !late.isEmpty else { return nil }
            let written = eventsWritten
            let time = simulation.run(atMost: Self.keysLimit) {
                EpochChecker.lacking(in: simulation).isDisjoint(with: late)
            }
            // A member that learnt a key meanwhile may have made the next one.
            if eventsWritten > written, settle() == nil { return neverSettled() }
            // The checker says who has none.
            guard time != nil else { return nil }
        }
        return nil
    }

    /// Logs of forkers need not agree, nor do those of removed members.
    private var excepted: Set<MemberID> {
        simulation.removed.union(roles.forkers.map { simulation.nodes[$0].id })
    }

    private var convergenceChecker: ConvergenceChecker { ConvergenceChecker(excepted: excepted) }

    private var eventsWritten: Int {
        simulation.nodes.reduce(guests?.confirmed ?? 0) { $0 + $1.acknowledged.count }
    }

    private func neverSettled() -> SwarmFailure {
        let checker = convergenceChecker
        let found = firstFailure([checker, RosterChecker()])?.problem
        let problem = found ?? (guests?.areSettled == false ? "a guest is not back" : "the heads differ")
        return SwarmFailure(checker: checker.name, problem: "not within \(convergenceLimit): \(problem)")
    }

    func firstFailure(_ checkers: [any Checker]) -> SwarmFailure? {
        for checker in checkers {
            let problems = checker.problems(in: simulation)
            guard !problems.isEmpty else { continue }
            let shown = problems.prefix(Self.problemsShown).joined(separator: "; ")
            let rest = problems.count - Self.problemsShown
            return SwarmFailure(checker: checker.name, problem: rest > 0 ? "\(shown); and \(rest) more" : shown)
        }
        return nil
    }
}
