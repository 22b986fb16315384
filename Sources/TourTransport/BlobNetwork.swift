import NIOCore
import TourLink
import TourModel

/// The connections on one network, and the path that their files share. Lives on their loop.
final class BlobNetwork {
    private var way = BlobWay()
    private var valves: [BlobWay.Link: BlobValve] = [:]
    private var lastLink: BlobWay.Link = 0
    private var isLookScheduled = false
    private let loop: any EventLoop
    private let now: () -> Instant?

    init(loop: any EventLoop, now: @escaping () -> Instant?) {
        self.loop = loop
        self.now = now
    }

    func admit(_ valve: BlobValve) -> BlobWay.Link {
        lastLink += 1
        valves[lastLink] = valve
        return lastLink
    }

    func acquireTurn(for link: BlobWay.Link, bytes: Int) -> Bool {
        guard let now = now() else { return false }
        // A channel that is no socket has no readings, and is not limited.
        guard let reading = valves[link]?.reading else { return true }
        applyReadings(now, except: link)
        way.apply(reading, of: link, now: now)
        if way.acquireTurn(for: link, bytes: bytes, now: now) { return true }
        scheduleLook()
        return false
    }

    private func applyReadings(_ now: Instant, except known: BlobWay.Link? = nil) {
        for link in way.underWay where link != known {
            if let reading = valves[link]?.reading { way.apply(reading, of: link, now: now) }
        }
    }

    private func scheduleLook() {
        guard !isLookScheduled else { return }
        isLookScheduled = true
        loop.assumeIsolated().scheduleTask(in: .microseconds(BlobWay.lookInterval.microseconds)) {
            self.isLookScheduled = false
            self.look()
        }
    }

    private func look() {
        guard way.isAwaited, let now = now() else { return }
        applyReadings(now)
        for link in way.call(now: now) { valves[link]?.opens?() }
        // Scheduled after the valves' own work, however busy the loop is: a link that has not asked by the next look
        // loses its turn.
        loop.assumeIsolated().execute { self.scheduleLook() }
    }

    func leave(_ link: BlobWay.Link) { way.leave(link) }

    func forget(_ link: BlobWay.Link) {
        way.forget(link)
        valves[link] = nil
    }

    var isEmpty: Bool { valves.isEmpty }
}

/// All networks of a node, by our own address on them.
final class BlobNetworks {
    private var networks: [String: BlobNetwork] = [:]
    private let loop: any EventLoop
    private let now: () -> Instant?

    init(loop: any EventLoop, now: @escaping () -> Instant?) {
        self.loop = loop
        self.now = now
    }

    subscript(address: String) -> BlobNetwork {
        if let known = networks[address] { return known }
        let network = BlobNetwork(loop: loop, now: now)
        networks[address] = network
        return network
    }

    func forgetEmpty(_ address: String) {
        if networks[address]?.isEmpty == true { networks[address] = nil }
    }
}
