import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Control events of a member that cost others as much as possible, within what one member may write.
package struct Burden {
    /// How many of each kind.
    package let count: Int

    package init(count: Int) { self.count = count }

    /// Admissions that depend on each other backwards: each is written by a device that a later event admits, and
    /// they are dated in that order, so that each repeated pass over them finds one more.
    func chain(
        from host: Author, _ invite: SigningKeyPair, tour: TourID, _ wall: Int64, using rng: inout SplitMix64
    ) -> [Event] {
        var author = host
        return (0..<count).map { number -> Event in
            let keys = Simulation.keys(using: &rng)
            let event = author.write(
                Simulation.admission(of: keys, under: invite, tour: tour), wallMilliseconds: wall - Int64(number))
            author = Author(
                identity: keys.identity, tour: tour, tail: .init(sequence: 0, id: .none), clock: .zero)
            return event
        }.reversed()
    }

    /// Control events without effect: removals and ranks that their author may not give.
    func noise(by author: inout Author, on victims: [MemberID], _ wall: Int64) -> [Event] {
        (0..<count).map { number in
            let victim = victims[number % victims.count]
            let bodies: [ControlBody] = [
                .remove(.init(member: victim, sequence: 0, last: .none, revoked: [], accepted: [])),
                .role(.init(member: victim, rank: .member, sequence: 0, replaces: [])),
                .revoke(invite: SigningKey(raw: victim.raw), accepted: []),
            ]
            return author.write(bodies[number % bodies.count], wallMilliseconds: wall)
        }
    }
}

extension Simulation {
    /// The liar admits devices that admit others, backwards, and writes events that it may not; sends all of them to
    /// every neighbour, in parts, the last first.
    package func burden(_ liar: Int, with burden: Burden, partBytes: Int) {
        guard let invite, let unopened = InviteSecret(seed: rng.bytes(InviteSecret.seedBytes)) else { return }
        let (tour, wall) = (nodes[liar].group.tour, wallMilliseconds)
        var author = nodes[liar].forger
        // One chain under an open code, one under a code that no invite opened, which no roster accepts.
        var events = burden.chain(from: author, invite.invitePair, tour: tour, wall, using: &rng)
        events += burden.chain(from: author, unopened.invitePair, tour: tour, wall, using: &rng)
        events += burden.noise(by: &author, on: nodes.map(\.id), wall)
        nodes[liar].forger = author
        var part = [[UInt8]]()
        for event in events {
            part.append(event.bytes)
            guard part.reduce(0, { $0 + $1.count }) >= partBytes || event.id == events.last?.id else { continue }
            for neighbour in topology.neighbours(of: liar) { inject(.control(part), from: liar, to: neighbour) }
            part = []
        }
    }
}

/// Computing the roster never takes an honest node more than a few steps for each event that it holds, whatever a
/// member wrote: checks the worst single time, not the average.
package struct EffortChecker: Checker {
    package let name = "effort"
    /// For each event held, and once more: a pass also covers the events that wait for their explanation, whose
    /// number is bounded separately.
    private static let stepsPerEventMax = 12
    private static let stepsMin = 4 * TourGroup.waitingMax

    package init() {}

    package func problems(in simulation: Simulation) -> [String] {
        simulation.honest.compactMap { node in
            let worst = node.group.costliest
            guard worst.steps > Self.stepsMin + Self.stepsPerEventMax * worst.held else { return nil }
            return "node \(node.number) took \(worst.steps) steps with \(worst.held) events"
        }
    }
}
