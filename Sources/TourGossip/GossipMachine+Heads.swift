import TourCrypto
import TourModel
import TourWire

// Equal heads mean equal logs: heads that others name are compared with the events here by their tags. A tag is no
// proof, since nobody signs that of a `Have`: it only makes this node ask for the other event.
// Source: `Protocol/06-replication.md`, "Tags".
extension GossipMachine {
    /// How an event that somebody named relates to the one that is stored at its place.
    private enum Verdict {
        case same, other
        /// Nothing is stored there yet, or no event has this number.
        case ahead
        /// This node does not remember which event it is, or the log ends before it: the number alone counts.
        case unknown
    }

    /// A head that counts, up to the end of its log.
    private func counted(_ head: HeardHead, of author: MemberID) -> PrefixedHead {
        PrefixedHead(prefix: author.prefix, sequence: min(head.sequence, logs.end(of: author)))
    }

    private func verdict(on head: HeardHead, of author: MemberID) -> Verdict {
        let end = logs.end(of: author)
        let place = min(head.sequence, end)
        guard place > 0, place <= logs.stored[author] else { return .ahead }
        guard head.sequence <= end, let ours = order.id(of: author, at: head.sequence, logs) else { return .unknown }
        return head.names(ours) ? .same : .other
    }

    // MARK: - Links

    /// Compares heads that the peer of a link named, and keeps those that lie ahead.
    mutating func compare(_ have: Have, on link: LinkID, _ step: inout Step<some RandomNumberGenerator>) {
        var others = [MemberID: UInt64]()
        for head in have.heads {
            guard let author = authors[head.prefix] else { continue }
            let heard = HeardHead(head, salt: have.salt)
            switch verdict(on: heard, of: author) {
            case .ahead: links[link]?.peer.keep(heard, of: author)
            case .other: others[author] = head.sequence
            case .same, .unknown: break
            }
        }
        ask(for: others, on: link, &step)
    }

    /// The peer of a link holds other events than this node at these places, as tags say: asks for them.
    private mutating func ask(
        for others: [MemberID: UInt64], on link: LinkID, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard !others.isEmpty, links[link]?.isDistrusted == false else { return }
        var ranges = [Want.Range]()
        for (author, last) in others.sorted(by: { $0.key < $1.key }) where ranges.count < Limits.pullRangesMax {
            guard links[link]?.pulls.doubt(author, at: last, step.now) == true else { continue }
            ranges.append(Pulls.branch(of: author, through: last))
        }
        guard !ranges.isEmpty else { return }
        step.outputs.append(.send(link, .want(Want(id: pulls.makeID(), ranges: ranges, graft: false))))
    }

    // MARK: - Claims

    /// Compares the heads that a claim lists, and asks its member, if that is a neighbour, for events that differ.
    /// Others are asked by their own neighbours.
    /// - Returns: what the member has of the logs as they are stored here.
    mutating func compare(
        _ claim: FrontierClaim, implying implied: [MemberID: UInt64], _ step: inout Step<some RandomNumberGenerator>
    ) -> [PrefixedHead] {
        let (heads, others) = covered(by: claim, implying: implied)
        ask(for: others, of: claim.member, &step)
        return heads
    }

    private mutating func ask(
        for others: [MemberID: UInt64], of member: MemberID, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard !others.isEmpty else { return }
        for link in links.ids where links.members[link] == member { ask(for: others, on: link, &step) }
    }

    /// Compares a claim with the logs as they are stored here: how much of them its member has, and at which places it
    /// has other events. A head that lies ahead says nothing yet: the events before it may differ.
    func covered(
        by claim: FrontierClaim, implying implied: [MemberID: UInt64]
    ) -> (heads: [PrefixedHead], others: [MemberID: UInt64]) {
        var heads = implied.map { PrefixedHead(prefix: $0.key.prefix, sequence: $0.value) }
        var others = [MemberID: UInt64]()
        for head in claim.heads {
            guard let author = authors[head.prefix] else { continue }
            let heard = HeardHead(head, salt: claim.counter)
            switch verdict(on: heard, of: author) {
            case .same, .unknown: heads.append(counted(heard, of: author))
            case .other: others[author] = head.sequence
            case .ahead: break
            }
        }
        return (heads, others)
    }

    // MARK: - Stored since

    /// More of a log is stored, or its end has moved: compares what neighbours and members named behind `old`.
    mutating func compareHeard(
        of author: MemberID, since old: UInt64, _ step: inout Step<some RandomNumberGenerator>
    ) {
        for link in links.ids {
            guard let head = links[link]?.peer.takeHeard(of: author, through: logs.stored[author]),
                verdict(on: head, of: author) == .other
            else { continue }
            ask(for: [author: head.sequence], on: link, &step)
        }
        guard claims.highest[author.prefix] ?? 0 > old else { return }
        for member in claims.claims.keys.sorted() where member != own {
            guard let head = claims.claims[member]?.heard(author.prefix), head.sequence > old else { continue }
            switch verdict(on: head, of: author) {
            case .same, .unknown: step.outputs.append(.covered(member, [counted(head, of: author)]))
            case .other: ask(for: [author: head.sequence], of: member, &step)
            case .ahead: break
            }
        }
    }
}
