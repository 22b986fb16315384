import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Control events by a member that cost others as much as it can make them cost, within what one member may write.
package struct Burden {
    /// Of each kind.
    package let count: Int

    package init(count: Int) { self.count = count }

    /// Admissions that hang on one another backwards: each is by the device that a later one makes known, and they are
    /// dated in that order, so that whoever goes through them again and again finds one more each time.
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

    /// What is nothing to anybody: it leaves, and takes ranks that it has not.
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
    /// The liar lets devices in that let others in, backwards, and does what it may not; every neighbour is told, a
    /// part at a time, the last first.
    package func burden(_ liar: Int, with burden: Burden, partBytes: Int) {
        guard let invite, let unopened = InviteSecret(seed: rng.bytes(InviteSecret.seedBytes)) else { return }
        let (tour, wall) = (nodes[liar].group.tour, wallMilliseconds)
        var author = nodes[liar].author
        // Some under a code that is open, the others under one that nobody opened: these are in no roster.
        var events = burden.chain(from: author, invite.invitePair, tour: tour, wall, using: &rng)
        events += burden.chain(from: author, unopened.invitePair, tour: tour, wall, using: &rng)
        events += burden.noise(by: &author, on: nodes.map(\.id), wall)
        nodes[liar].author = author
        var part = [[UInt8]]()
        for event in events {
            part.append(event.bytes)
            guard part.reduce(0, { $0 + $1.count }) >= partBytes || event.id == events.last?.id else { continue }
            for neighbour in topology.neighbours(of: liar) { inject(.control(part), from: liar, to: neighbour) }
            part = []
        }
    }
}

/// Working out who is in the tour never takes an honest node more steps than a few for each event that it holds,
/// whatever a member wrote: the worst single time, not the average.
package struct EffortChecker: Checker {
    package let name = "effort"
    /// For each event held; and once: what waits to be explained is gone through too, and is bounded by itself.
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
