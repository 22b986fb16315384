import TourModel

// The faults of a swarm, planned before it starts: each kind from its own random numbers.
extension Swarm {
    /// How many of a thousand packets in a burst are lost.
    private static let burstLoss = 900
    /// Of each this many messages of a member the last is an announcement.
    private static let announcementInterval = 3
    /// From a member's removal to its back-dated event.
    private static let dateBackPause: Duration = .seconds(2)
    /// Between two acts of a liar, in milliseconds.
    private static let actInterval = 400
    private static let forkLength = 4
    private static let forkPause: Duration = .milliseconds(200)
    /// Events of a glutton beyond its share.
    private static let beyondShare = 3
    private static let gluttonPause: Duration = .milliseconds(100)
    /// Admins beside the founder.
    private static let admins = 3
    /// Messages written at once.
    private static let heap = 50...400
    private static let stepMillisecondsMax: Int64 = 10 * 60 * 1_000

    func prepare() {
        simulation.conditions.latency = .milliseconds(options.latency)
        simulation.conditions.jitter = .milliseconds(options.jitter)
        simulation.conditions.bytesPerSecond = Int64(options.rate) * 1_000
        simulation.breaksPerMille = options.breaks
        simulation.air.lossPerMille = options.air.loss
        simulation.air.doublesPerMille = options.air.doubles
        simulation.air.isBlocked = options.air.blocked > 0
        simulation.air.hasPaths = options.air.pathless != 1
        simulation.air.arePathsBlocked = options.air.pathless == 2
        for liar in roles.forkers + roles.flooders + roles.gluttons { simulation.silence(liar) }
        for liar in roles.liars { simulation.feign(liar) }
        for node in roles.unset { simulation.startIn1970(node) }
        planMessages()
        planJoins()
        planLoss()
        planPartitions()
        planMutes()
        planCrashes()
        planClocks()
        planAttacks()
        planActs()
        planHeaps()
        planDisks()
        guests?.begin()
        simulation.overlayConditions.silentPerMille = options.silent
        for segment in options.networks { simulation.share(segment) }
        simulation.connectAll()
    }

    /// A member who is on, chosen by `lot`, admits a device, unless none is on: a later call admits it then.
    static func admit(_ newcomer: Int, lot: Int, _ simulation: Simulation) {
        let hosts = simulation.honest
        guard !simulation.nodes[newcomer].isAlive, !hosts.isEmpty else { return }
        simulation.admit(newcomer, by: hosts[lot % hosts.count].number)
    }

    /// Captures the simulation unowned, since the simulation's agenda owns the step.
    private func plan(_ time: Duration, _ step: @escaping (Simulation) -> Void) {
        simulation.after(time) { [unowned simulation = simulation] in step(simulation) }
    }

    /// A random moment in the time with faults.
    private func moment(_ rng: inout SplitMix64) -> Duration {
        .milliseconds(Int64.random(in: 0..<Int64(options.seconds) * 1_000, using: &rng))
    }

    private func planMessages() {
        var rng = SwarmStream.messages.generator(seed: seed)
        for node in 0..<options.nodes {
            for message in 0..<options.messages {
                let text = "message \(message) of \(node)"
                if message % Self.announcementInterval == Self.announcementInterval - 1 {
                    plan(moment(&rng)) { $0.announce(text, node: node) }
                } else {
                    plan(moment(&rng)) { $0.write(text, node: node) }
                }
            }
        }
    }

    private func planJoins() {
        var rng = SwarmStream.joins.generator(seed: seed)
        for joiner in roles.joiners {
            let lot = Int.random(in: 0..<options.nodes, using: &rng)
            plan(moment(&rng)) { Self.admit(joiner, lot: lot, $0) }
        }
    }

    private func planLoss() {
        guard options.loss > 0 else { return }
        guard options.bursts > 0 else {
            simulation.conditions.lossPerMille = options.loss
            return
        }
        var rng = SwarmStream.loss.generator(seed: seed)
        var time = Duration.zero
        while time < .seconds(options.seconds) {
            let length = Duration.milliseconds(Int64.random(in: 100...1_500, using: &rng))
            plan(time) { $0.conditions.lossPerMille = Self.burstLoss }
            plan(time + length) { $0.conditions.lossPerMille = 0 }
            // Bursts and gaps together lose as many packets as the options say.
            time += length * max(Self.burstLoss, options.loss) / options.loss
        }
    }

    private func planPartitions() {
        var rng = SwarmStream.partitions.generator(seed: seed)
        for _ in 0..<options.partitions {
            let sides = halves(&rng)
            let start = moment(&rng)
            let length = Duration.milliseconds(Int64.random(in: 1_000...20_000, using: &rng))
            plan(start) { $0.partition(sides) }
            plan(start + length) { $0.heal() }
        }
    }

    /// One side no longer receives the other, which still receives it.
    private func planMutes() {
        var rng = SwarmStream.mutes.generator(seed: seed)
        for _ in 0..<options.mutes {
            let sides = halves(&rng)
            plan(moment(&rng)) { simulation in
                for node in sides[0] {
                    for other in sides[1] { simulation.mute(node, towards: other) }
                }
            }
        }
    }

    private func halves(_ rng: inout SplitMix64) -> [[Int]] {
        let sides = (0..<options.nodes).map { _ in Bool.random(using: &rng) }
        return [true, false].map { side in sides.indices.filter { sides[$0] == side } }
    }

    private func planCrashes() {
        var rng = SwarmStream.crashes.generator(seed: seed)
        for _ in 0..<options.crashes {
            let node = honestNode(&rng)
            let start = moment(&rng)
            let rest = Duration.milliseconds(Int64.random(in: 20...10_000, using: &rng))
            plan(start) { $0.crash(node) }
            plan(start + rest) { $0.restart(node) }
        }
    }

    private func planClocks() {
        var rng = SwarmStream.clocks.generator(seed: seed)
        for _ in 0..<options.steps {
            let node = honestNode(&rng)
            let step = Int64.random(in: -Self.stepMillisecondsMax...Self.stepMillisecondsMax, using: &rng)
            plan(moment(&rng)) { $0.stepClock(node, by: step) }
        }
        // About half of the nodes that start in 1970 learn the time on the way.
        for node in roles.unset {
            let time = moment(&rng) * 2
            if time < .seconds(options.seconds) { plan(time) { $0.setClock(node) } }
        }
    }

    private func planAttacks() {
        var rng = SwarmStream.attacks.generator(seed: seed)
        for liar in roles.forkers {
            // In the first half, so that the fork has time to spread.
            let time = moment(&rng) / 2
            plan(time) { $0.fork(liar, length: Self.forkLength, pause: Self.forkPause) }
        }
        for glutton in roles.gluttons {
            let time = moment(&rng) / 2
            plan(time) { $0.overfill(glutton, beyond: Self.beyondShare, pause: Self.gluttonPause) }
        }
        for milliseconds in stride(from: 0, to: options.seconds * 1_000, by: Self.actInterval) {
            for liar in roles.liars {
                plan(.milliseconds(milliseconds)) {
                    $0.lie(liar)
                    $0.babble(liar, count: 2)
                }
            }
            for flooder in roles.flooders {
                plan(.milliseconds(milliseconds)) {
                    $0.flood(flooder)
                    $0.babble(flooder, count: 20)
                }
            }
        }
    }

    /// The founder makes a few admins, and all of them then act on randomly chosen members, wherever the network is
    /// partitioned.
    private func planActs() {
        guard options.acts > 0 else { return }
        var rng = SwarmStream.acts.generator(seed: seed)
        let leaders = roles.honest.prefix(Self.admins + 1)
        for admin in leaders.dropFirst() { plan(.zero) { $0.give(Rank.admin, to: admin, by: 0) } }
        let ranks: [Rank?] = [nil, .member, .guide, .admin]
        for _ in 0..<options.acts {
            let leader = leaders[Int.random(in: 0..<leaders.count, using: &rng)]
            let target = honestNode(&rng)
            let rank = ranks[Int.random(in: 0..<ranks.count, using: &rng)]
            let time = moment(&rng)
            plan(time) { $0.give(rank, to: target, by: leader) }
            if rank == nil { plan(time + Self.dateBackPause) { $0.dateBack(target) } }
        }
    }

    /// Messages written while no node ran, or copied into the tour: more than datagrams carry.
    private func planHeaps() {
        guard options.heaps > 0 else { return }
        var rng = SwarmStream.heaps.generator(seed: seed)
        for _ in 0..<options.heaps {
            let (node, count) = (honestNode(&rng), Int.random(in: Self.heap, using: &rng))
            plan(moment(&rng)) { $0.write(count: count, node: node) }
        }
    }

    /// Disks that are full for a while, or refuse some of what they are given.
    private func planDisks() {
        guard options.disks > 0 else { return }
        var rng = SwarmStream.disks.generator(seed: seed)
        for _ in 0..<options.disks {
            let node = honestNode(&rng)
            let start = moment(&rng)
            let length = Duration.milliseconds(Int64.random(in: 500...15_000, using: &rng))
            let failures = Bool.random(using: &rng) ? 1_000 : Int.random(in: 20...500, using: &rng)
            plan(start) { $0.failWrites(of: node, perMille: failures) }
            plan(start + length) { $0.failWrites(of: node, perMille: 0) }
        }
    }

    private func honestNode(_ rng: inout SplitMix64) -> Int {
        roles.honest[Int.random(in: 0..<roles.honest.count, using: &rng)]
    }
}
