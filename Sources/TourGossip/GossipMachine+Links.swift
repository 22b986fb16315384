import TourCrypto
import TourModel
import TourWire

// Links that open and close, and what arrives on links and segments: each message goes to the parts that it concerns.
extension GossipMachine {
    // MARK: - Open and closed

    mutating func linkUp(_ link: LinkID, _ member: MemberID, _ step: inout Step<some RandomNumberGenerator>) {
        links.add(link, member)
        for id in multicast.ids { multicast.greet(on: id, members: authors.members.count, &step) }
        for heads in logs.wholeFrontier {
            let have = step.have(heads)
            step.outputs.append(.send(link, have))
        }
        claims.speak(step.now)
        links[link]?.claims.addAll(of: claims, step.now)
        positions.queueAll(on: link, &links, step.now)
    }

    mutating func linkDown(_ link: LinkID) {
        guard let lost = links.remove(link) else { return }
        pulls.linkDown(link)
        // A peer that had no room for us never took part: nothing was exchanged on this link.
        guard lost.hasSpoken else { return }
        // The tree may have lost a branch: this node pushes to all remaining peers until duplicates prune again.
        links.visit { $0.branch.restore() }
    }

    /// Asks the peer for pushes, and for these ranges.
    mutating func graft(_ link: LinkID, _ ranges: [Want.Range], _ step: inout Step<some RandomNumberGenerator>) {
        links.send(.want(Want(id: pulls.makeID(), ranges: ranges, graft: true)), to: link, &step)
        tree.join(link, logs, multicast, &links, &step)
    }

    // MARK: - Messages

    mutating func receive(_ message: LinkMessage, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>) {
        guard let link = origin.link, links[link] != nil else { return }
        switch message {
        case .have(let have): receive(have, on: link, &step)
        case .run(let run): receive(run, origin, &step)
        case .want(let want): receive(want, on: link, &step)
        case .served(let id, _): pulls.served(link, id, logs, &links, step.now)
        case .prune:
            guard let parent = tree.pruned(link, multicast, &links, step.now) else { return }
            let next = logs.expected(tree.root)
            graft(parent, [Want.Range(author: tree.root, first: next, last: next)], &step)
        case .rows(let rows): claims.receive(rows, origin, authors, tree, &multicast, &links, &step)
        case .positions(let rows): positions.receive(rows, origin, authors, logs, &links, &step)
        default: step.outputs.append(.fault(origin, .unexpectedMessage))
        }
    }

    private mutating func receive(
        _ have: Have, on link: LinkID, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard links[link]?.isDistrusted != true else { return }
        if links[link]?.hasSpoken == false {
            links[link]?.recordSpoken()
            let known = Dictionary(have.heads.map { ($0.prefix, $0.sequence) }, uniquingKeysWith: max)
            urgent.offerAhead(on: link, known, logs, &step)
            Haves.greet(link, known, logs, &step)
        }
        for head in have.heads {
            guard let author = authors[head.prefix] else {
                let said = HeardHead(head, salt: have.salt)
                let number = PrefixedHead(prefix: head.prefix, sequence: head.sequence)
                links.record(unknown: number, said, of: link, authors, step.now)
                continue
            }
            links[link]?.peer.raise(author, to: head.sequence)
            pulls.schedule(author, through: head.sequence, of: link, logs, links, &step)
        }
        compare(have, on: link, &step)
    }

    private mutating func receive(_ want: Want, on link: LinkID, _ step: inout Step<some RandomNumberGenerator>) {
        // A `Want` that only grafts: the peer misses signs of life and asks for nothing else.
        if want.graft, want.ranges.isEmpty, links[link]?.branch.isEager == false {
            links[link]?.claims.addAll(of: claims, step.now)
        }
        if want.graft { tree.join(link, logs, multicast, &links, &step) }
        guard links[link]?.served.hasRoom == true else {
            step.outputs.append(.fault(.link(link), .tooManyPulls))
            return
        }
        let ranges = Pulls.distinct(want.ranges)
        links[link]?.served.add(want.id, ranges)
        urgent.lookForUrgent(in: ranges, link, logs, &step)
        links.serve(link, logs, &step)
    }

    // MARK: - Datagrams

    mutating func receive(_ datagram: PathDatagram, from link: LinkID, _ step: inout Step<some RandomNumberGenerator>) {
        guard links[link]?.path.receive(datagram, step.now) == true else { return }
        for message in datagram.messages {
            if let message = links[link]?.branch.inOrder(message, datagram.number) {
                receive(message, .path(link), &step)
            }
        }
    }

    mutating func receive(_ datagram: Datagram, on id: SegmentID, _ step: inout Step<some RandomNumberGenerator>) {
        guard let sender = authors[datagram.sender], multicast.isOn(id) else { return }
        // Our own datagrams do not come back to us: another device has our key, or somebody claims our prefix. Only
        // signed rows prove which.
        guard sender != own else {
            return claims.receive(datagram.rows, .multicast(id), authors, tree, &multicast, &links, &step)
        }
        if multicast.record(datagram, of: sender, on: id, members: authors.members.count, &step) {
            for run in datagram.runs { receive(run, .multicast(id), &step) }
        }
        claims.receive(datagram.rows, .multicast(id), authors, tree, &multicast, &links, &step)
        for author in multicast.receive(datagram.heads, of: sender, on: id, authors, logs, &step) {
            pulls.schedule(author, at: step.now)
        }
        multicast.receive(datagram.gaps, on: id, authors, logs, &step)
    }
}
