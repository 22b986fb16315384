import TourGossip
import TourGroup
import TourModel
import TourWire

/// No place of a guest's log got two events, and no host said what its guest's phone cannot believe.
struct GuestChecker: Checker {
    let name = "guest"
    let guests: SimulatedGuests

    func problems(in simulation: Simulation) -> [String] {
        let forks = guests.seats.forks
        return (forks == 0 ? [] : ["\(forks) places of guests' logs have two events"]) + guests.phones.flatMap(\.faults)
    }
}

/// No node believes that a guest has what its phone was never shown.
struct GuestClaimChecker: Checker {
    let name = "guest-claim"
    let guests: SimulatedGuests

    func problems(in simulation: Simulation) -> [String] {
        simulation.honest.flatMap { node in
            guests.phones.compactMap { phone -> String? in
                guard let member = phone.member else { return nil }
                let own = phone.brought.head.sequence
                let has = Dictionary(
                    phone.has.heads.map { ($0.key.prefix, $0.value) }, uniquingKeysWith: max
                ).merging([member.prefix: own], uniquingKeysWith: max)
                let isFalse = SeatClaims.stated(by: member, in: node.gossip).contains { $0.value > has[$0.key] ?? 0 }
                return isFalse ? "node \(node.number) believes too much of \(phone.name)" : nil
            }
        }
    }
}

/// Once all is well: everybody has what guests confirmed, and of each guest's log only the host that its last record
/// named wrote.
struct GuestLogChecker: Checker {
    let name = "guest-log"
    let guests: SimulatedGuests

    func problems(in simulation: Simulation) -> [String] {
        guests.phones.flatMap { phone -> [String] in
            guard let member = phone.member else { return ["\(phone.name) never came in"] }
            return simulation.honest.flatMap { node -> [String] in
                let log = node.store.logs[member] ?? []
                guard !log.isEmpty else { return ["node \(node.number) has nothing of \(phone.name)"] }
                var problems = [String]()
                let lost = phone.confirmed.filter { $0.key > UInt64(log.count) || log[Int($0.key) - 1].id != $0.value }
                if !lost.isEmpty { problems.append("node \(node.number) lacks \(lost.count) events of \(phone.name)") }
                if UInt64(log.count) != phone.head.sequence {
                    problems.append("node \(node.number) has \(log.count) events of \(phone.name)")
                }
                return problems + strangers(in: log, node, simulation).map { "\(phone.name): \($0)" }
            }
        }
    }

    /// Events of a log that another host wrote than the one that its last record named.
    private func strangers(
        in log: [Event], _ node: SimulatedNode, _ simulation: Simulation
    ) -> [String] {
        var host: MemberID?
        return log.compactMap { event in
            if case .seat(let record)? = try? node.group.open(event) { host = record.host }
            let maker = guests.seats.makers[event.id].map { simulation.nodes[$0].id }
            return maker == host ? nil : "another host wrote event \(event.header.sequence)"
        }
    }
}

/// Once all is well: every node shows the last message of each member as one that the guests have.
struct GuestReceiptChecker: Checker {
    let name = "guest-receipt"
    let guests: SimulatedGuests

    func problems(in simulation: Simulation) -> [String] {
        let honest = simulation.honest
        return honest.flatMap { node in
            guests.phones.compactMap { phone -> String? in
                guard let member = phone.member, let since = node.group.roster.members[member]?.admittedAt else {
                    return "node \(node.number) does not know \(phone.name)"
                }
                let lacks = honest.contains { author in
                    let last = node.store.logs[author.id]?.last { $0.header.eventClass.isMessage }
                    guard let last, last.header.clock >= since else { return false }
                    return !node.shows(last.header, heldBy: member)
                }
                if lacks, simulation.now > Instant(microseconds: 100_000_000), simulation.now.microseconds % 1_000_000 < 100_000 {
                    print("DBG \(simulation.now.microseconds / 1000) \(phone.name) host \(phone.host as Any) alive \(simulation.nodes.map(\.isAlive)) held \(simulation.nodes.indices.map { guests.seats.debug(member, at: $0) })")
                }
                return lacks ? "node \(node.number) does not know what \(phone.name) has" : nil
            }
        }
    }
}
