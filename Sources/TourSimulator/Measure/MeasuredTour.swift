import TourGossip
import TourGroup
import TourModel
import TourWire

/// A tour that is measured. Time passes only within its methods, so that the simulation's callbacks find `self`
/// alive.
final class MeasuredTour {
    /// Until everybody is linked and heard of by everybody.
    private static let linking: Duration = .seconds(10)
    /// Each member writes something meanwhile: claims name every author with a log, as every member of a real tour
    /// is.
    private static let introductions: Duration = .seconds(10)
    /// Until claims of that have spread, and beacons are as rare as they get.
    private static let settling: Duration = .seconds(60)
    private static let step: Duration = .milliseconds(10)

    let simulation: Simulation
    let conditions: MeasureConditions
    let book = DeliveryBook()
    /// Called when a member has a message.
    var onArrival: ((_ node: Int, _ events: [Event]) -> Void)?
    private(set) var rng: SplitMix64

    /// The tour is at rest afterwards.
    init(_ network: MeasuredNetwork, _ conditions: MeasureConditions, seed: UInt64) {
        simulation = Simulation(seed: seed, topology: network.topology)
        self.conditions = conditions
        // Random numbers other than the simulation's own.
        rng = SplitMix64(seed: ~seed)
        conditions.apply(to: simulation)
        simulation.measureWires()
        simulation.onStored = { [unowned self] node, events in
            self.book.stored(events, by: node, at: self.simulation.now)
            self.onArrival?(node, events)
        }
        for segment in network.segments { simulation.share(segment) }
        simulation.connectAll()
        simulation.run(for: Self.linking)
        for node in simulation.nodes.indices {
            let moment = rng.duration(upTo: Self.introductions)
            simulation.after(moment) { [unowned simulation = simulation] in
                simulation.write("I am member \(node).", node: node)
            }
        }
        simulation.run(for: Self.introductions + Self.settling)
    }

    var now: Instant { simulation.now }
    var counts: WireCounts { simulation.wires?.counts ?? WireCounts() }

    func run(for duration: Duration) { simulation.run(for: duration) }

    /// - Returns: the time it took; nil when `limit` passed first.
    func run(atMost limit: Duration, until holds: () -> Bool) -> Duration? {
        let start = simulation.now
        while !holds() {
            guard simulation.now - start < limit else { return nil }
            simulation.run(for: Self.step)
        }
        return simulation.now - start
    }

    /// Lets the remaining messages arrive. All must have been sent.
    @discardableResult
    func runUntilDelivered(within limit: Duration) -> Bool { run(atMost: limit) { book.missing == 0 } != nil }

    func after(_ delay: Duration, _ step: @escaping () -> Void) { simulation.after(delay, step) }

    func randomMember(of nodes: [Int]) -> Int { nodes[Int.random(in: 0..<nodes.count, using: &rng)] }

    func randomDuration(upTo most: Duration) -> Duration { rng.duration(upTo: most) }

    var text: String { String(repeating: "m", count: conditions.textBytes) }

    /// Plans this many messages, one at a random moment of each interval, each from a random one of these members.
    func plan(_ messages: Int, every interval: Duration, from nodes: [Int]) {
        for message in 0..<messages {
            let author = randomMember(of: nodes)
            let moment = interval * message + randomDuration(upTo: interval)
            sendText(from: author, after: moment)
        }
    }

    func sendText(from author: Int, after delay: Duration) {
        send(.text(text, replyTo: nil), from: author, after: delay)
    }

    /// A member writes this many messages at once, now; its disk has them already.
    func sendHeap(_ messages: Int, from author: Int) {
        let events = simulation.write(count: messages, node: author, text: text)
        let readers = simulation.nodes.indices.filter { $0 != author && simulation.nodes[$0].isAlive }
        for event in events { book.sent(event, at: now, to: readers) }
    }

    /// The guide writes an urgent announcement, now.
    func announce(from guide: Int) {
        let announcement = Content.Announcement(text: text, urgent: true, expiresAt: nil, replyTo: nil)
        send(.announcement(announcement), from: guide, after: .zero)
    }

    /// A member writes something after this time: its device seals and signs it, its disk stores it, then it is sent
    /// to all that are on.
    private func send(_ content: Content, from author: Int, after delay: Duration) {
        after(delay) { [unowned self] in
            let sentAt = self.now
            let work = self.simulation.occupy(author, for: self.conditions.eventWork) + self.conditions.authorDisk
            self.after(work) { [unowned self] in
                guard let event = self.simulation.write(content, node: author) else { return }
                let readers = self.simulation.nodes.filter { $0.isAlive && $0.number != author }.map(\.number)
                self.book.sent(event, at: sentAt, to: readers)
            }
        }
    }

    /// The member's device is without power from now on, and nothing tells the others.
    func silence(_ node: Int) {
        simulation.fallSilent(node)
        book.forget(node)
    }

    /// The largest sizes that the machines and links ever had.
    var queues: QueueFigures {
        var figures = QueueFigures(linkBytesMax: counts.linkQueueMax)
        for node in simulation.nodes {
            figures.machine.raise(to: node.sizeMax)
            let rows = node.store.claims.values.joined().reduce(0) { $0 + $1.row.row.count + $1.row.signature.count }
            figures.claimBytesMax = max(figures.claimBytesMax, rows)
        }
        return figures
    }
}

extension Simulation {
    /// A user has read everything up to this event.
    func read(_ event: Event, node: Int) {
        if nodes[node].isAlive { feed(node, .readMoved(event.header.clock)) }
    }

    /// Without power: links stay open until the others notice.
    func fallSilent(_ node: Int) { nodes[node].isAlive = false }
}
