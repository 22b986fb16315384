import TourModel
import TourWire

// Datagrams to one neighbour: what goes by them instead of the connection, and what comes.
// Source: `Protocol/08-datagrams.md`, "Paths".
extension GossipMachine {
    /// Sends by datagram what may go so and fits, where datagrams are proven to come through; else over the connection.
    /// - Parameter isLive: whether somebody waits for it, as for every run.
    mutating func send(
        _ message: LinkMessage, isLive: Bool = false, to link: LinkID, _ now: Instant, _ outputs: inout [Output]
    ) {
        guard message.mayGoByDatagram, links[link]?.path.isOffered == true else {
            return outputs.append(.send(link, message))
        }
        let bytes = message.encode().count
        if links[link]?.path.takes(bytes, now: now) == true {
            sendParcel([message], bytes, isLive: isLive, to: link, now, &outputs)
        } else {
            outputs.append(.send(link, message))
            if links[link]?.path.wantsTry(now) == true { sendParcel([], 0, isLive: false, to: link, now, &outputs) }
        }
    }

    private mutating func sendParcel(
        _ messages: [LinkMessage], _ bytes: Int, isLive: Bool, to link: LinkID, _ now: Instant,
        _ outputs: inout [Output]
    ) {
        let datagram = links[link]?.path.send(
            messages, bytes: bytes, isLive: isLive || messages.contains(where: \.isLive),
            isPressing: messages.contains(where: \.isPressing), now)
        if let datagram { outputs.append(.unicast(link, datagram)) }
    }

    mutating func hear(
        _ datagram: PathDatagram, from link: LinkID, _ now: Instant, _ rng: inout some RandomNumberGenerator,
        _ outputs: inout [Output]
    ) {
        guard links[link]?.path.hear(datagram, now) == true else { return }
        for message in datagram.messages { receive(message, .path(link), now, &rng, &outputs) }
    }

    /// Whether datagrams go to the peer of a link; nil when the replication has not begun there.
    package func pathQuality(of link: LinkID) -> PathQuality? { links[link]?.path.quality }

    mutating func runPaths(_ now: Instant, _ outputs: inout [Output]) {
        for link in links.keys.sorted() {
            guard let due = links[link]?.path.nextDeadline, due <= now,
                let (datagrams, givenUp) = links[link]?.path.run(now)
            else { continue }
            for datagram in datagrams { outputs.append(.unicast(link, datagram)) }
            for message in givenUp { outputs.append(.send(link, message)) }
        }
    }
}

extension LinkMessage {
    /// Whether somebody waits for it.
    fileprivate var isLive: Bool {
        guard case .run = self else { return false }
        return true
    }

    /// Whether it shall not wait for chance: what is urgent, and what changes the tree or is asked for.
    fileprivate var isPressing: Bool {
        switch self {
        case .run(let run): run.isUrgent
        case .want, .prune: true
        default: false
        }
    }
}
