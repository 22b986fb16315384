import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

// Members who break the rules. They hold real keys, so their claims about themselves are signed.
extension Simulation {
    /// How many messages of a flood arrive at once.
    private static let floodMessages: UInt32 = 60

    /// The liar answers nothing, and its machines are idle.
    package func silence(_ liar: Int) { corrupt(liar) { _, _ in [] } }

    /// The liar claims to serve every request, and sends nothing.
    package func feign(_ liar: Int) {
        corrupt(liar) { _, message in
            if case .want(let want) = message { [.served(id: want.id, truncated: true)] } else { [] }
        }
    }

    /// The liar writes this many events twice: every other neighbour receives one branch, the rest the other.
    package func fork(_ liar: Int, length: Int, pause: Duration) {
        let start = nodes[liar].forger.tail
        let branches = [0, 1].map { branch -> [Event] in
            rewind(liar, to: start)
            return (0..<length).map { draft("branch \(branch), \($0)", node: liar) }
        }
        for (number, neighbour) in topology.neighbours(of: liar).enumerated() {
            for (index, event) in branches[number % 2].enumerated() {
                after(pause * (index + 1)) { [unowned self] in
                    self.inject(.run(Run([event], hops: 0, pushed: true)), from: liar, to: neighbour)
                }
            }
        }
    }

    /// The liar writes two events for one place, at the end of its log.
    package func equivocate(_ liar: Int, announcing: Bool = false) -> [Event] {
        let start = nodes[liar].forger.tail
        return [0, 1].map { branch in
            rewind(liar, to: start)
            return draft("the bus leaves at \(9 + branch)", announcing: announcing, node: liar)
        }
    }

    /// The liar pushes an event to one neighbour.
    package func hand(_ event: Event, from liar: Int, to neighbour: Int) {
        inject(.run(Run([event], hops: 0, pushed: true)), from: liar, to: neighbour)
    }

    /// A removed member signs an invite of its own for the place of its log where it first wrote content. It needs no
    /// link: another node passes the invite on.
    package func dateBack(_ liar: Int) {
        let hearers = nodes.indices.filter { $0 != liar && nodes[$0].isAlive && nodes[$0].isHonest }
        let log = nodes[liar].store.logs[nodes[liar].id] ?? []
        guard removed.contains(nodes[liar].id), let place = log.firstIndex(where: { $0.header.eventClass != .control }),
            let hearer = hearers.randomElement(using: &rng), let epoch = nodes[liar].group.currentEpoch,
            let secret = InviteSecret(seed: rng.bytes(InviteSecret.seedBytes))
        else { return }
        var forger = Author(
            identity: nodes[liar].keys.identity, tour: nodes[liar].group.tour,
            tail: Author.Tail(sequence: UInt64(place), id: log[place].header.previous), clock: nodes[liar].known)
        let body = nodes[liar].group.inviteBody(secret, uses: 0, expiresAt: nil, under: epoch)
        let event = forger.write(body, wallMilliseconds: wallMilliseconds(of: liar))
        feed(hearer, .controls([event.bytes]))
    }

    /// The liar goes on writing when its share is used up, and sends its neighbours all of it.
    package func overfill(_ liar: Int, beyond: Int, pause: Duration) {
        var size = nodes[liar].store.sizes[nodes[liar].id] ?? .zero
        var left = beyond
        var number = 0
        while left > 0 {
            let event = draft("on and on, \(number)", node: liar)
            if !share.hasRoom(for: .chat, after: size) { left -= 1 }
            size.add(.chat, byteCount: event.bytes.count)
            number += 1
            after(pause * number) { [unowned self] in
                for neighbour in topology.neighbours(of: liar) {
                    inject(.run(Run([event], hops: 0, pushed: true)), from: liar, to: neighbour)
                }
            }
        }
        let tail = nodes[liar].forger.tail
        let head = KnownHead(prefix: nodes[liar].id.prefix, sequence: tail.sequence, id: tail.id).tagged(0)
        after(pause * (number + 1)) { [unowned self] in
            for neighbour in topology.neighbours(of: liar) {
                inject(.have(Have(heads: [head])), from: liar, to: neighbour)
            }
        }
    }

    /// The liar tells one neighbour of events that do not exist, and claims to everybody to have events that it
    /// lacks.
    package func lie(_ liar: Int) {
        guard let target = anyNeighbour(of: liar) else { return }
        let victims = nodes.map(\.id).filter { $0 != nodes[liar].id }
        let lies = Lies.about(victims, using: &rng)
        for lie in lies { inject(lie, from: liar, to: target) }
        inject(.rows([falseClaim(of: liar)]), from: liar, to: target)
    }

    /// The liar gives one neighbour as much work as it can.
    package func flood(_ liar: Int) {
        guard let target = anyNeighbour(of: liar) else { return }
        let victim = nodes[target].id
        for id in 0..<Self.floodMessages {
            let range = Want.Range(author: victim, first: 1, last: .max)
            inject(.want(Want(id: id, ranges: [range], graft: id % 2 == 0)), from: liar, to: target)
            let garbage = Lies.garbage(of: victim, from: UInt64(id) + 1, count: 8, hops: 0, pushed: true)
            inject(garbage, from: liar, to: target)
            let stranger = TaggedHead(prefix: rng.next(), sequence: .max, tag: 1)
            inject(.have(Have(heads: [stranger])), from: liar, to: target)
        }
        inject(.rows((0..<8).map { _ in falseClaim(of: liar) }), from: liar, to: target)
    }

    /// The liar sends false datagrams in others' names on every network that it is on: it holds the key that seals
    /// datagrams, and nobody can tell who sent one.
    package func babble(_ liar: Int, count: Int) {
        for segment in airs.indices where airs[segment].contains(liar) {
            for number in 0..<count {
                let named = nodes[airs[segment][Int.random(in: 0..<airs[segment].count, using: &rng)]].id
                let victim = nodes[Int.random(in: 0..<nodes.count, using: &rng)].id
                var datagram = Datagram(sender: named.prefix, counter: rng.next() >> UInt64(number % 60))
                datagram.heard = nodes.prefix(40).map(\.id.shortPrefix)
                datagram.heads = [PrefixedHead(prefix: victim.prefix, sequence: rng.next() >> 1)]
                datagram.gaps = [
                    Datagram.Gap(author: victim.prefix, first: 1, last: .max),
                    Datagram.Gap(author: victim.prefix, first: .max, last: .max),
                ]
                datagram.lossPerMille = 1_000
                if case .run(let run) = Lies.garbage(
                    of: victim, from: UInt64(number) + 1, count: 1, hops: 0, pushed: true)
                {
                    datagram.runs = [run]
                }
                multicast(datagram, on: SegmentID(value: segment), from: liar)
            }
        }
    }

    /// An event of a liar's log that is neither stored nor sent yet.
    package func draft(_ text: String, announcing: Bool = false, node: Int) -> Event {
        guard let epoch = nodes[node].group.currentEpoch else { preconditionFailure("members hold the epoch's key") }
        let announcement = Content.Announcement(text: text, urgent: true, expiresAt: nil, replyTo: nil)
        return nodes[node].forger.write(
            announcing ? .announcement(announcement) : .text(text, replyTo: nil), under: epoch,
            wallMilliseconds: wallMilliseconds(of: node))
    }

    /// Moves the end of a liar's own log back, so that it writes a sequence again.
    package func rewind(_ node: Int, to tail: Author.Tail) { nodes[node].forger.rewind(to: tail) }

    private func anyNeighbour(of node: Int) -> Int? {
        let neighbours =
            topology.choosesLinks ? nodes[node].links.values.sorted() : topology.neighbours(of: node)
        guard !neighbours.isEmpty else { return nil }
        return neighbours[Int.random(in: 0..<neighbours.count, using: &rng)]
    }

    /// The liar's signed claim to have a million events of every author.
    private func falseClaim(of liar: Int) -> ClaimRow {
        let microseconds = UInt64(clamping: wallMilliseconds) * 1_000
        nodes[liar].forgedCounter = max(microseconds, nodes[liar].forgedCounter + 1)
        let heads = nodes.map { TaggedHead(prefix: $0.id.prefix, sequence: 1_000_000, tag: 1) }
        let claim = FrontierClaim(member: nodes[liar].id, counter: nodes[liar].forgedCounter, heads: heads)
        let row = claim.encode()
        let digest = ClaimSigner.digest(row, of: nodes[liar].id, tour: nodes[liar].group.tour)
        return ClaimRow(row: row, signature: nodes[liar].keys.identity.sign(digest), hops: 0)
    }
}
