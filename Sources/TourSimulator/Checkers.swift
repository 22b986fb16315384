import TourGossip
import TourGroup
import TourModel
import TourWire

/// Examines a simulation and reports what is wrong with it, one line each.
package protocol Checker {
    var name: String { get }
    func problems(in simulation: Simulation) -> [String]
}

extension Simulation {
    /// The nodes that are on and follow the rules.
    package var honest: [SimulatedNode] { nodes.filter { $0.isAlive && $0.isHonest } }
}

/// All honest nodes hold the same bytes, in the same order.
package struct ConvergenceChecker: Checker {
    package let name = "convergence"
    /// Authors whose logs need not agree: those who write a sequence twice.
    package let excepted: Set<MemberID>

    package init(excepted: Set<MemberID> = []) { self.excepted = excepted }

    package func problems(in simulation: Simulation) -> [String] {
        let honest = simulation.honest
        guard let first = honest.first else { return ["no node is left"] }
        let expected = log(of: first)
        return honest.dropFirst().compactMap { node in
            let log = log(of: node)
            guard log != expected else { return nil }
            return "node \(node.number) has \(log.count) events, node \(first.number) has \(expected.count)"
        }
    }

    /// Quick: compares heads alone, which is equivalent since the logs are chained by ids.
    package func holds(in simulation: Simulation) -> Bool {
        let heads = simulation.honest.map { node in
            node.store.heads.filter { !excepted.contains($0.key) }.mapValues(\.id)
        }
        return heads.allSatisfy { $0 == heads.first }
    }

    private func log(of node: SimulatedNode) -> [[UInt8]] {
        node.store.inOrder.filter { !excepted.contains($0.header.author) }.map(\.bytes)
    }
}

/// No honest node holds more of a log than its author's share, whatever the author wrote.
package struct ShareChecker: Checker {
    package let name = "share"

    package init() {}

    package func problems(in simulation: Simulation) -> [String] {
        simulation.honest.flatMap { node in
            node.store.logs.values.compactMap { log -> String? in
                var size = LogSize.zero
                let taken = size.add(log[...], within: simulation.share)
                guard taken < log.count, let author = log.first?.header.author else { return nil }
                return "node \(node.number) holds \(log.count) events of \(author), which is beyond its share"
            }
        }
    }
}

/// Every event that a user was told is kept is held by its author and by everybody else who is on.
package struct AcknowledgementChecker: Checker {
    package let name = "acknowledgement"
    /// Authors whose logs end somewhere: removed members.
    package let excepted: Set<MemberID>

    package init(excepted: Set<MemberID> = []) { self.excepted = excepted }

    package func problems(in simulation: Simulation) -> [String] {
        let honest = simulation.honest
        return simulation.nodes.filter { $0.isHonest && !excepted.contains($0.id) }.flatMap { author in
            author.acknowledged.flatMap { event in
                honest.compactMap { node -> String? in
                    let log = node.store.logs[author.id] ?? []
                    let index = Int(event.header.sequence) - 1
                    if index < log.count, log[index].id == event.id { return nil }
                    return "node \(node.number) lacks event \(event.header.sequence) of node \(author.number)"
                }
            }
        }
    }
}

/// No event is stored twice or out of its log's order, and no node holds two events for one place of a log.
package struct DuplicateChecker: Checker {
    package let name = "duplicate"

    package init() {}

    package func problems(in simulation: Simulation) -> [String] {
        simulation.honest.flatMap { node -> [String] in
            let events = node.store.inOrder
            var problems = [String]()
            if node.store.misplaced > 0 { problems.append("node \(node.number) misplaced \(node.store.misplaced)") }
            if Set(events.map(\.id)).count != events.count { problems.append("node \(node.number) has an id twice") }
            let places = Set(events.map { "\($0.header.author.hex) \($0.header.sequence)" })
            if places.count != events.count { problems.append("node \(node.number) has a place twice") }
            return problems
        }
    }
}

/// All honest nodes show the same bytes for each place of a log, or all know that the log ends before it. None shows a
/// message as one that a member has who holds another event at its place.
package struct EquivocationChecker: Checker {
    package let name = "equivocation"

    package init() {}

    package func problems(in simulation: Simulation) -> [String] {
        let honest = simulation.honest
        return simulation.nodes.map(\.id).flatMap { author -> [String] in
            let logs = honest.map { (node: $0, log: $0.store.logs[author] ?? []) }
            return (0..<(logs.map(\.log.count).max() ?? 0)).flatMap { index -> [String] in
                let holders = logs.filter { index < $0.log.count }
                guard Set(holders.map { $0.log[index].id }).count > 1 else { return [] }
                let place = UInt64(index) + 1
                let unaware = honest.filter { $0.gossip.logEnd(of: author) >= place }.map {
                    "node \($0.number) does not know that \(author) wrote place \(place) twice"
                }
                return unaware + holders.flatMap { falseReceipts(at: $0.node, of: $0.log[index], among: holders) }
            }
        }
    }

    private func falseReceipts(
        at node: SimulatedNode, of event: Event, among holders: [(node: SimulatedNode, log: [Event])]
    ) -> [String] {
        holders.filter { $0.log[Int(event.header.sequence) - 1].id != event.id }.compactMap { other, _ in
            guard node.shows(event.header, heldBy: other.id) else { return nil }
            return "node \(node.number) shows place \(event.header.sequence) as one that node \(other.number) has"
        }
    }
}

/// Nothing exceeded its bound, and no machine asked for its timer again at once.
package struct BoundsChecker: Checker {
    package let name = "bounds"

    package init() {}

    package func problems(in simulation: Simulation) -> [String] {
        var problems = simulation.nodes.filter(\.isHonest).flatMap { node -> [String] in
            var problems = [String]()
            if !node.sizeMax.isBounded(members: node.met.count) {
                problems.append("node \(node.number) held \(node.sizeMax)")
            }
            if node.tightTimers > 0 { problems.append("node \(node.number) had \(node.tightTimers) tight timers") }
            return problems
        }
        if simulation.counts.overflows > 0 { problems.append("\(simulation.counts.overflows) links overflowed") }
        return problems
    }
}

/// No urgent event was shown twice; once all is well, none is ahead of its log any more.
package struct AheadChecker: Checker {
    package let name = "ahead"
    /// Authors who may have written two logs: events of one may stay ahead of the other. Nil while logs may be
    /// behind.
    package let excepted: Set<MemberID>?

    package init(settledBut excepted: Set<MemberID>? = nil) { self.excepted = excepted }

    package func problems(in simulation: Simulation) -> [String] {
        simulation.honest.flatMap { node -> [String] in
            var problems = [String]()
            let twice = node.store.shown.values.count { $0 > 1 }
            if twice > 0 { problems.append("node \(node.number) showed \(twice) twice") }
            guard let excepted else { return problems }
            let ahead = node.store.ahead.filter { !excepted.contains($0.key) }.values.reduce(0) { $0 + $1.count }
            if ahead > 0 { problems.append("node \(node.number) has \(ahead) ahead of their logs") }
            return problems
        }
    }
}

/// The machines gave no store a run that does not continue its author's log.
package struct ChainChecker: Checker {
    package let name = "chain"

    package init() {}

    package func problems(in simulation: Simulation) -> [String] {
        simulation.counts.brokenChains == 0 ? [] : ["\(simulation.counts.brokenChains) runs did not continue a log"]
    }
}

/// No member ever claimed more than it had stored.
package struct ClaimChecker: Checker {
    package let name = "claim"

    package init() {}

    package func problems(in simulation: Simulation) -> [String] {
        simulation.counts.overclaims == 0 ? [] : ["\(simulation.counts.overclaims) entries of claims were not stored"]
    }
}

/// No node believes that another has an event which it lacks. Valid only if nothing was lost since: a crash may
/// remove claimed events.
package struct ReceiptChecker: Checker {
    package let name = "receipt"
    /// Authors of whom each node may hold something else.
    package let excepted: Set<MemberID>

    package init(excepted: Set<MemberID> = []) { self.excepted = excepted }

    package func problems(in simulation: Simulation) -> [String] {
        let honest = simulation.honest
        let claimants = Dictionary(uniqueKeysWithValues: honest.map { ($0.id, $0) })
        let authors = Dictionary(uniqueKeysWithValues: simulation.nodes.map { ($0.id.prefix, $0.id) })
        return honest.flatMap { node -> [String] in
            node.store.claims.keys.sorted().compactMap { member -> String? in
                guard let claims = node.store.claims[member], let claimant = claimants[member] else { return nil }
                let isFalse = claims.flatMap(\.claim.heads).contains { head in
                    guard let author = authors[head.prefix], !excepted.contains(author) else { return false }
                    return head.sequence > UInt64(claimant.store.logs[author]?.count ?? 0)
                }
                return isFalse ? "node \(node.number) believes too much of node \(claimant.number)" : nil
            }
        }
    }
}

/// In the tour's order, no event comes before one that its author knew and whose clock the author believed.
package struct CausalityChecker: Checker {
    package let name = "causality"

    package init() {}

    package func problems(in simulation: Simulation) -> [String] {
        simulation.counts.misorders == 0 ? [] : ["\(simulation.counts.misorders) events come before what they follow"]
    }
}
