import TourModel
import TourWire

/// The open links: what travels on each, on its connection or by datagrams.
struct Links: Sendable {
    private var states: [LinkID: GossipLink] = [:]
    /// The member at the other end of each.
    private(set) var members: [LinkID: MemberID] = [:]

    var isEmpty: Bool { states.isEmpty }

    /// In order.
    var ids: [LinkID] { states.keys.sorted() }

    var values: some Collection<GossipLink> { states.values }

    /// Changes one link in place.
    subscript(link: LinkID) -> GossipLink? {
        get { states[link] }
        _modify { yield &states[link] }
    }

    mutating func add(_ link: LinkID, _ member: MemberID) {
        states[link] = GossipLink(member: member)
        members[link] = member
    }

    mutating func remove(_ link: LinkID) -> GossipLink? {
        members[link] = nil
        return states.removeValue(forKey: link)
    }

    mutating func visit(_ body: (inout GossipLink) -> Void) { states.visitValues(body) }

    /// Visits the links in place: a copy of one takes longer than the check.
    mutating func addDueTimes(to deadline: inout Deadline) { states.visitValues { $0.addDueTimes(to: &deadline) } }

    /// Whether pushes arrive on a lossy path: then they may be late.
    var isTreeLossy: Bool { states.values.contains { $0.branch.peerIsEager && $0.path.loss.isHigh } }

    /// Whether somebody but this member pushes to us.
    func isPushed(except member: MemberID?) -> Bool {
        states.values.contains { $0.branch.peerIsEager && $0.member != member }
    }

    /// Records that a member has signed that it has this author's log through `sequence`.
    mutating func raise(_ author: MemberID, to sequence: UInt64, having member: MemberID) {
        for link in states.keys where states[link]?.member == member { states[link]?.peer.raise(author, to: sequence) }
    }

    /// Compares control events with peers that name an author unknown to the roster, until the roster explains it.
    mutating func compareControls(_ step: inout Step<some RandomNumberGenerator>) {
        for link in ids where states[link]?.unknown.compare(step.now) == true {
            step.outputs.append(.compareControls(link))
        }
    }

    /// Records a head of an author that the roster does not know.
    /// - Parameter said: the head as the peer named it; nil: the peer sent a run.
    mutating func record(
        unknown head: PrefixedHead, _ said: HeardHead? = nil, of link: LinkID, _ authors: Authors, _ now: Instant
    ) {
        if !authors.isAmbiguous(head.prefix) { states[link]?.unknown.record(head, said, now) }
    }

    /// The roster knows more authors: what peers named counts now.
    /// - Returns: the authors of whom peers have more than this node.
    mutating func resolveUnknown(_ authors: Authors, _ logs: Logs) -> [MemberID] {
        var lacked = [MemberID]()
        for link in ids {
            guard let unknown = states[link]?.unknown.heads, !unknown.isEmpty else { continue }
            for (prefix, sequence) in unknown {
                guard let author = authors[prefix] else { continue }
                if let said = states[link]?.unknown.remove(prefix) { states[link]?.peer.keep(said, of: author) }
                states[link]?.peer.raise(author, to: sequence)
                if logs.lacks(author, through: sequence) { lacked.append(author) }
            }
        }
        return lacked
    }

    /// How far an author's log reaches, as far as any peer has it.
    func reach(_ author: MemberID) -> UInt64 { states.values.reduce(0) { max($0, $1.peer.has[author]) } }

    // MARK: - Pulls of peers

    /// Starts reading for the first pull that waits, unless the link lags: then it resumes when the queue has drained.
    mutating func serve(_ link: LinkID, _ logs: Logs, _ step: inout Step<some RandomNumberGenerator>) {
        while states[link]?.isLagging == false, let action = states[link]?.served.next(logs) {
            switch action {
            case .load(let id, let range, let most): step.outputs.append(.load(link, id: id, range, bytesMax: most))
            case .finish(let id, let isTruncated):
                step.outputs.append(.send(link, .served(id: id, truncated: isTruncated)))
            }
        }
    }

    mutating func loaded(
        _ link: LinkID, _ id: UInt32, _ events: [Event], _ logs: Logs, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let author = states[link]?.served.recordLoaded(id, events) else { return }
        for run in Run.runs(of: events, hops: 0, pushed: false) { step.outputs.append(.send(link, .run(run))) }
        if let last = events.last { states[link]?.peer.raise(author, to: last.header.sequence) }
        serve(link, logs, &step)
    }

    // MARK: - Datagrams. Source: `Protocol/08-datagrams.md`, "Paths".

    /// Sends a message by datagram if its kind may, it fits and datagrams are proven to arrive; otherwise over the
    /// connection.
    /// - Parameter haste: nil for the default of the message's kind.
    mutating func send(
        _ message: LinkMessage, _ haste: LinkPath.Urgency? = nil, to link: LinkID,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard message.mayGoByDatagram, states[link]?.path.isOffered == true else {
            return step.outputs.append(.send(link, message))
        }
        let bytes = message.encode().count
        let haste = haste ?? message.haste
        if states[link]?.path.acquire(bytes, haste, now: step.now) == true {
            sendParcel([message], bytes, haste, to: link, &step)
        } else {
            step.outputs.append(.send(link, message))
            if states[link]?.path.wantsTry(step.now) == true { sendParcel([], 0, .pressing, to: link, &step) }
        }
    }

    private mutating func sendParcel(
        _ messages: [LinkMessage], _ bytes: Int, _ haste: LinkPath.Urgency, to link: LinkID,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let datagram = states[link]?.path.send(messages, bytes: bytes, haste, step.now) else { return }
        step.outputs.append(.unicast(link, datagram))
    }

    /// Does what is due on the path of a link.
    /// - Returns: frontiers that were lost.
    mutating func runPath(
        _ link: LinkID, _ multicast: Multicast, _ step: inout Step<some RandomNumberGenerator>
    ) -> [[TaggedHead]] {
        guard let due = states[link]?.path.nextDeadline, due <= step.now else { return [] }
        // A peer whose rows are heard on a segment needs no question.
        if let state = states[link], state.path.isLifeDue(step.now), multicast.hears(state.member, step.now) {
            states[link]?.path.awaitLife(step.now)
        }
        guard let work = states[link]?.path.run(step.now) else { return [] }
        for datagram in work.datagrams { step.outputs.append(.unicast(link, datagram)) }
        for message in work.givenUp { step.outputs.append(.send(link, message)) }
        return work.retold.compactMap { message in if case .have(let have) = message { have.heads } else { nil } }
    }
}

extension LinkMessage {
    /// Urgent runs, changes of the tree and questions are pressing.
    fileprivate var haste: LinkPath.Urgency {
        switch self {
        case .run(let run): run.isUrgent ? .pressing : .live
        case .want, .prune: .pressing
        case .rows: .calm
        default: .late
        }
    }
}
