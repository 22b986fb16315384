import TourCrypto
import TourGossip
import TourModel
import TourRuntime
import TourWire

/// A tour of simulated nodes under a virtual clock. Deterministic: one seed, one course of events.
///
/// It plays the part of nodes' shells, and of networks, disks and people; every rule under test is the production
/// machines' own.
package final class Simulation {
    /// The source of all randomness.
    package let seed: UInt64
    /// Which nodes can reach each other.
    package let topology: Topology
    /// The size limit of each author's log: a small one fills up quickly.
    let share: LogShare
    /// By number.
    package internal(set) var nodes: [SimulatedNode] = []
    /// The virtual time.
    package internal(set) var now = Instant(microseconds: 0)
    /// A hash of everything that happened.
    package internal(set) var trace = TraceHash()
    /// Counts of messages, datagrams and faults.
    package internal(set) var counts = TrafficCounts()
    /// The usual behaviour of links.
    package var conditions = LinkConditions()
    /// Bytes a second of single links that differ from `conditions`.
    package var rates: [Topology.Edge: Int64] = [:]
    /// The speed of all nodes.
    package var nodeConditions = NodeConditions()
    /// The behaviour of datagrams.
    package var air = AirConditions()
    /// The members of each segment.
    var airs: [[Int]] = []
    /// How many of a thousand links break each virtual second.
    package var breaksPerMille = 0
    /// Where nodes choose their links: the behaviour of networks, and counts.
    package var overlayConditions = OverlayConditions()
    /// Counts of dials and repairs.
    package internal(set) var overlayCounts = OverlayCounts()
    /// The node that was ever given an address.
    var owners: [Dialer.Address: Int] = [:]
    /// The result of a claim's signature check, by its exact bytes: many nodes check the same row.
    var soundClaims: [ClaimRow: FrontierClaim] = [:]
    /// Members whom somebody removed, whether or not the removal counts in the end.
    package internal(set) var removed: Set<MemberID> = []
    /// The invite under which everybody joins.
    var invite: InviteSecret?
    var agenda = Agenda<Action>()
    var rng: SplitMix64
    var links: [LinkID: SimulatedLink] = [:]
    var linkOf: [Topology.Edge: LinkID] = [:]
    var nextLink: UInt64 = 1
    /// The side of a partition on which each node is.
    var sides: [Int: Int] = [:]
    /// The links byte by byte, where bytes and times are measured; nil: messages pass as values.
    var wires: Wires?
    /// Called with the events that a node has stored, and shows from then on.
    var onStored: ((_ node: Int, _ events: [Event]) -> Void)?

    /// Indirect: the agenda moves its entries, and these are large.
    indirect enum Action {
        case deliver(LinkID, to: Int, LinkMessage)
        case drained(LinkID, from: Int)
        case hear(node: Int, life: Int, SegmentID, Datagram)
        case hearFrom(LinkID, at: Int, PathDatagram)
        case input(node: Int, life: Int, TourInput)
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

    /// Runs a step later, in its order among all other actions.
    package func after(_ delay: Duration, _ step: @escaping () -> Void) { agenda.plan(.step(step), at: now + delay) }

    /// Lets this much virtual time pass.
    package func run(for duration: Duration) {
        let end = now + duration
        while let time = agenda.nextTime, time <= end { advance() }
        now = end
    }

    /// Lets time pass until the condition holds, checked every 100 ms.
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
            if isCurrent(node, life) { receive(datagram, on: segment, node) }
        case .hearFrom(let link, let node, let datagram): receive(datagram, from: link, at: node)
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
            feed(node, TourInput.timer)
        case .connect(let edge): connect(edge)
        case .cut(let link): cut(link)
        case .churn: churn()
        case .dialling(let step): perform(step)
        case .step(let step): step()
        }
    }

    func isCurrent(_ node: Int, _ life: Int) -> Bool { nodes[node].isAlive && nodes[node].life == life }

    /// The right time, in milliseconds since 1970.
    var wallMilliseconds: Int64 { Self.start + now.microseconds / 1_000 }

    /// A day after this version was made, in milliseconds since 1970: no right clock shows less.
    private static let start = NodeTime.builtAt + 86_400_000
}

/// The traffic of links and segments, and faults.
package struct TrafficCounts: Hashable, Sendable {
    /// Messages sent on links.
    package var messages = 0
    /// With padding, as on the wire.
    package var bytes = 0
    /// Events that arrived by push, duplicates included.
    package var pushedEvents = 0
    /// Events that arrived by pull, duplicates included.
    package var pulledEvents = 0
    /// Datagrams sent, with headers; and events that arrived in them, duplicates included.
    package var datagrams = 0
    /// Bytes of datagrams, with headers.
    package var datagramBytes = 0
    /// Events that arrived in datagrams, duplicates included.
    package var airedEvents = 0
    /// Of those, unicast datagrams.
    package var unicasts = 0
    /// Datagrams that were too large: there should be none.
    package var unsentDatagrams = 0
    /// Pulls sent.
    package var wants = 0
    /// Prunes sent.
    package var prunes = 0
    /// Links that broke.
    package var breaks = 0
    /// Comparisons of control events.
    package var comparisons = 0
    /// Links closed because their queue passed `Limits.linkQueueBytesClose`.
    package var overflows = 0
    /// What disks lost and refused.
    package var disks = DiskCounts()
    /// Entries of claims that named more than the claimant had stored.
    package var overclaims = 0
    /// Runs given to the store that did not continue the author's log.
    package var brokenChains = 0
    /// Events shown before one that their author knew.
    package var misorders = 0
    /// How often a message was shown as delivered that a member lacked.
    package var falseStatuses = 0
    /// Events sealed under a key that a device known to be removed can compute by itself.
    package var unsafeSeals = 0
}

/// What disks did not keep.
package struct DiskCounts: Hashable, Sendable {
    /// Events that crashes removed.
    package var lostEvents = 0
    /// Writes that were refused.
    package var refusedWrites = 0
}
