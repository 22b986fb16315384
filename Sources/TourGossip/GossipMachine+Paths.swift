import TourModel
import TourWire

// Datagrams to one neighbour: which messages travel so instead of on the connection, and which arrive.
// Source: `Protocol/08-datagrams.md`, "Paths".
extension GossipMachine {
    /// Sends a message by datagram if its kind may, it fits and datagrams are proven to arrive; otherwise over the
    /// connection.
    /// - Parameter haste: nil for the default of the message's kind.
    mutating func send(
        _ message: LinkMessage, _ haste: LinkPath.Urgency? = nil, to link: LinkID,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard message.mayGoByDatagram, links[link]?.path.isOffered == true else {
            return step.outputs.append(.send(link, message))
        }
        let bytes = message.encode().count
        let haste = haste ?? message.haste
        if links[link]?.path.acquire(bytes, haste, now: step.now) == true {
            sendParcel([message], bytes, haste, to: link, &step)
        } else {
            step.outputs.append(.send(link, message))
            if links[link]?.path.wantsTry(step.now) == true { sendParcel([], 0, .pressing, to: link, &step) }
        }
    }

    private mutating func sendParcel(
        _ messages: [LinkMessage], _ bytes: Int, _ haste: LinkPath.Urgency, to link: LinkID,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let datagram = links[link]?.path.send(messages, bytes: bytes, haste, step.now) else { return }
        step.outputs.append(.unicast(link, datagram))
    }

    mutating func receive(
        _ datagram: PathDatagram, from link: LinkID, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard links[link]?.path.receive(datagram, step.now) == true else { return }
        for message in datagram.messages {
            if let message = inOrder(message, datagram.number, link) {
                receive(message, .path(link), &step)
            }
        }
    }

    /// Messages that change the tree count in the order in which they were sent: a lost `Prune` repeated behind a later
    /// graft would leave the link one-sided.
    private mutating func inOrder(_ message: LinkMessage, _ number: UInt64, _ link: LinkID) -> LinkMessage? {
        let isLate = links[link].map { number < $0.treeNumber } ?? false
        switch message {
        case .prune: if isLate { return nil }
        case .want(var want) where want.graft:
            if isLate {
                want.graft = false
                return .want(want)
            }
        default: return message
        }
        links[link]?.treeNumber = number
        return message
    }

    /// Whether datagrams reach the peer of a link; nil when replication has not begun there.
    package func pathQuality(of link: LinkID) -> PathQuality? { links[link]?.path.quality }

    mutating func runPaths(
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        for link in links.keys.sorted() {
            guard let due = links[link]?.path.nextDeadline, due <= step.now else { continue }
            // A peer whose rows are heard on a segment needs no question.
            if let state = links[link], state.path.isLifeDue(step.now),
                segments.values.contains(where: { $0.hears(state.member, now: step.now) })
            {
                links[link]?.path.awaitLife(step.now)
            }
            guard let work = links[link]?.path.run(step.now) else { continue }
            for datagram in work.datagrams { step.outputs.append(.unicast(link, datagram)) }
            for message in work.givenUp { step.outputs.append(.send(link, message)) }
            for case .have(let heads) in work.retold { scheduleAgain(heads, on: link, &step) }
        }
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
