import TourCrypto
import TourGossip
import TourModel
import TourWire

/// A tour of simulated nodes under a virtual clock. Deterministic: one seed, one course of events.
///
/// It does what a node's shell does and what networks, disks and people do to it; every rule that is tested is the
/// production machines' own.
package final class Simulation {
    package let seed: UInt64
    package let topology: Topology
    /// What each author's log may take: a small one is full in no time.
    let share: LogShare
    package internal(set) var nodes: [SimulatedNode] = []
    package internal(set) var now = Instant(microseconds: 0)
    package internal(set) var trace = TraceHash()
    package internal(set) var counts = TrafficCounts()
    package var conditions = LinkConditions()
    /// Bytes a second of single links, where that is not as `conditions` say.
    package var rates: [Topology.Edge: Int64] = [:]
    package var nodeConditions = NodeConditions()
    package var air = AirConditions()
    /// Who is on each segment.
    var airs: [[Int]] = []
    /// Of a thousand links, how many break each virtual second.
    package var breaksPerMille = 0
    /// Where nodes choose their links: what happens to them, and how they came to those they have.
    package var overlayConditions = OverlayConditions()
    package internal(set) var overlayCounts = OverlayCounts()
    /// Who was given an address, ever.
    var owners: [Dialer.Address: Int] = [:]
    /// What a claim's signature check said, by its exact bytes: many nodes check the same row.
    var soundClaims: [ClaimRow: FrontierClaim] = [:]
    /// Members whom somebody removed, whether that came to count or not.
    package internal(set) var removed: Set<MemberID> = []
    /// Under which everybody joins.
    var invite: InviteSecret?
    var agenda = Agenda<Action>()
    var rng: SplitMix64
    var links: [LinkID: SimulatedLink] = [:]
    var linkOf: [Topology.Edge: LinkID] = [:]
    var nextLink: UInt64 = 1
    /// Which side of a partition each node is on.
    var sides: [Int: Int] = [:]
    /// The links byte by byte, where bytes and times are measured; nil: messages pass as values.
    var wires: Wires?
    /// Told of what a node has stored, and shows from then on.
    var onStored: ((_ node: Int, _ events: [Event]) -> Void)?

    /// Indirect: the agenda moves its entries about, and these are large.
    indirect enum Action {
        case deliver(LinkID, to: Int, LinkMessage)
        case drained(LinkID, from: Int)
        case hear(node: Int, life: Int, SegmentID, Datagram)
        case hearFrom(LinkID, at: Int, PathDatagram)
        case input(node: Int, life: Int, GossipMachine.Input)
        case commit(node: Int, life: Int)
        case load(node: Int, life: Int, LinkID, id: UInt32, Want.Range, bytesMax: Int)
        case timer(node: Int, life: Int)
        case connect(Topology.Edge)
        case cut(LinkID)
        case churn
        case dialling(DiallingStep)
        case step(() -> Void)
    }

    /// - Parameter members: how many nodes are members from the start; the others join later, if ever.
    package init(seed: UInt64, topology: Topology, members: Int? = nil, share: LogShare = .ofTour) {
        self.seed = seed
        self.topology = topology
        self.share = share
        rng = SplitMix64(seed: seed)
        assemble(members: members ?? topology.count)
        agenda.plan(.churn, at: now)
    }

    /// Does something later, in its place among everything else.
    package func after(_ delay: Duration, _ step: @escaping () -> Void) { agenda.plan(.step(step), at: now + delay) }

    /// Lets this much virtual time pass.
    package func run(for duration: Duration) {
        let end = now + duration
        while let time = agenda.nextTime, time <= end { advance() }
        now = end
    }

    /// Lets time pass until the condition holds, looked at every 100 ms.
    /// - Returns: the time it took; nil when `limit` passed first.
    package func run(atMost limit: Duration, until holds: () -> Bool) -> Duration? {
        let start = now
        while !holds() {
            guard now - start < limit else { return nil }
            run(for: .milliseconds(100))
        }
        return now - start
    }

    private func advance() {
        guard let (time, action) = agenda.next() else { return }
        now = time
        switch action {
        case .deliver(let link, let node, let message): deliver(message, link, to: node)
        case .drained(let link, let node): drained(link, node)
        case .hear(let node, let life, let segment, let datagram):
            if isCurrent(node, life) { hear(datagram, on: segment, node) }
        case .hearFrom(let link, let node, let datagram): hear(datagram, from: link, at: node)
        case .input(let node, let life, let input):
            if isCurrent(node, life) { feed(node, input) }
        case .commit(let node, let life):
            if isCurrent(node, life) { commit(node) }
        case .load(let node, let life, let link, let id, let range, let bytesMax):
            guard isCurrent(node, life) else { return }
            feed(node, .loaded(link, id: id, nodes[node].store.events(range, bytesMax: bytesMax)))
        case .timer(let node, let life):
            guard isCurrent(node, life), let due = nodes[node].timer, due <= now else { return }
            nodes[node].timer = nil
            feed(node, .timer)
        case .connect(let edge): connect(edge)
        case .cut(let link): cut(link)
        case .churn: churn()
        case .dialling(let step): take(step)
        case .step(let step): step()
        }
    }

    func isCurrent(_ node: Int, _ life: Int) -> Bool { nodes[node].isAlive && nodes[node].life == life }

    func plan(_ input: GossipMachine.Input, for node: Int, after delay: Duration) {
        agenda.plan(.input(node: node, life: nodes[node].life, input), at: now + delay)
    }

    /// The right time, in milliseconds since 1970.
    var wallMilliseconds: Int64 { 1_700_000_000_000 + now.microseconds / 1_000 }
}

/// What the links carried.
package struct TrafficCounts: Hashable, Sendable {
    package var messages = 0
    /// Padded, as they are on the wire.
    package var bytes = 0
    /// Events that arrived by push, duplicates included.
    package var pushedEvents = 0
    /// Events that arrived by pull, duplicates included.
    package var pulledEvents = 0
    /// Datagrams sent, with headers; and events that came in them, duplicates included.
    package var datagrams = 0
    package var datagramBytes = 0
    package var airedEvents = 0
    /// Of those, datagrams to one neighbour.
    package var unicasts = 0
    /// Datagrams that did not fit: there should be none.
    package var unsentDatagrams = 0
    package var wants = 0
    package var prunes = 0
    package var breaks = 0
    package var comparisons = 0
    /// Links closed because their queue passed `Limits.linkQueueBytesClose`.
    package var overflows = 0
    package var lostEvents = 0
    /// Entries of claims that named more than the claimant had stored.
    package var overclaims = 0
    /// Runs given to the store that did not continue the author's log there.
    package var brokenChains = 0
    /// Events that are shown before one that their author knew.
    package var misorders = 0
    /// Events sealed under a key that a device known to be removed can compute alone.
    package var unsafeSeals = 0
}
