import TourModel
import TourWire

/// `Have`s name what changed here to the neighbours that got no push. Source: `Protocol/06-replication.md`,
/// "Frontiers".
struct Haves: Sendable {
    private var changed: Set<MemberID> = []
    /// Those of the changed authors whose events were pulled: nobody else received them.
    private var fetched: Set<MemberID> = []
    private(set) var due: Instant?
    /// The stored heads when late `Have`s were last checked, and when they are checked next.
    private var lateHeads: [MemberID: KnownHead] = [:]
    private(set) var lateDue: Instant?

    var isEmpty: Bool { changed.isEmpty }

    mutating func add(_ author: MemberID) { changed.insert(author) }

    mutating func add(fetched author: MemberID) { fetched.insert(author) }

    /// Schedules a `Have` after changes have gathered. A node that lies behind the same hole in the tree does not wait
    /// that long again.
    /// - Parameter isMended: whether a hole in the tree was filled for one of the changed authors.
    mutating func schedule(
        isMended: Bool, beside links: Links, _ step: inout Step<some RandomNumberGenerator>
    ) {
        // Where many datagrams are late the tree need not have a hole.
        if isMended, !links.isTreeLossy {
            plan(Limits.haveDelayOfMended, Limits.haveJitterOfMendedMicroseconds, &step)
        } else if due == nil {
            plan(isLossy: links.isTreeLossy, &step)
        }
    }

    private mutating func plan(isLossy: Bool, _ step: inout Step<some RandomNumberGenerator>) {
        if isLossy {
            plan(Limits.haveDelayWhenLossy, Limits.haveJitterWhenLossyMicroseconds, &step)
        } else {
            plan(Limits.haveDelay, Limits.haveJitterMicroseconds, &step)
        }
    }

    private mutating func plan(_ least: Duration, _ most: Int64, _ step: inout Step<some RandomNumberGenerator>) {
        let time = step.now + least + step.jitter(most)
        due = min(due ?? time, time)
    }

    /// The peer lost a `Have` with these authors: they go out with the next change.
    mutating func scheduleAgain(
        _ authors: [MemberID], on link: LinkID, _ links: inout Links, _ step: inout Step<some RandomNumberGenerator>
    ) {
        links[link]?.peer.addUnsent(authors)
        if due == nil { plan(isLossy: links.isTreeLossy, &step) }
    }

    /// Sends each neighbour the heads that it is not known to have, if they are due.
    mutating func flush(
        _ logs: Logs, _ multicast: Multicast, _ links: inout Links, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let time = due, time <= step.now else { return }
        due = nil
        let authors = changed
        let pulled = fetched
        changed = []
        // Heads that are not stored yet go out when they are.
        fetched = pulled.filter { !logs.isStored($0) }
        let active = multicast.active(step.now)
        for link in links.ids {
            guard let state = links[link] else { continue }
            links[link]?.peer.removeUnsent { logs.isStored($0) }
            // A neighbour that datagrams reach received the rest when we did.
            let isReached = multicast.isReached(state.member, on: active, step.now)
            if isReached { links[link]?.peer.isToldLate = true }
            let candidates = isReached ? authors.intersection(pulled) : authors
            let news = candidates.union(state.peer.unsent).filter { state.peer.has[$0] < logs.stored[$0] }.sorted()
            guard !news.isEmpty else { continue }
            let heads = news.prefix(Limits.headsPerMessageMax).compactMap { logs.storedHeads[$0] }
            links.send(step.have(heads), to: link, &step)
        }
    }

    // MARK: - To one peer

    /// The link's queue is empty again: the peer can now pull what was not pushed meanwhile.
    static func catchUp(_ link: LinkID, _ logs: Logs, _ links: Links, _ step: inout Step<some RandomNumberGenerator>) {
        guard let state = links[link] else { return }
        let news = logs.storedHeads.filter { state.peer.has[$0.key] < $0.value.sequence }.sorted { $0.key < $1.key }
        guard !news.isEmpty, state.hasSpoken else { return }
        let have = step.have(news.prefix(Limits.headsPerMessageMax).map(\.value))
        step.outputs.append(.send(link, have))
    }

    /// The peer takes part from here on. It may have dropped this node's first `Have`, which came before it knew the
    /// sender; so this node says it again, as far as the peer lacks something, or an empty one: a peer that has heard
    /// none pushes nothing.
    /// - Parameter known: what the peer has, by prefix.
    static func greet(
        _ link: LinkID, _ known: [UInt64: UInt64], _ logs: Logs, _ step: inout Step<some RandomNumberGenerator>
    ) {
        let news = logs.storedHeads.filter { known[$0.key.prefix] ?? 0 < $0.value.sequence }.sorted { $0.key < $1.key }
        let have = step.have(news.prefix(Limits.headsPerMessageMax).map(\.value))
        step.outputs.append(.send(link, have))
    }

    // MARK: - Neighbours that hear us

    /// An announcement is stored: everybody learns of that without waiting.
    mutating func raiseLate(_ author: MemberID, in logs: Logs) { lateHeads[author] = logs.storedHeads[author] }

    mutating func scheduleLate(at time: Instant) { lateDue = min(lateDue ?? time, time) }

    /// Sends `Have`s, late and only of what is still missing, to neighbours that datagrams reach or reached at the last
    /// announcement, if that is due.
    /// - Parameter pause: the time until the next check.
    mutating func flushLate(
        pause: Duration, _ logs: Logs, _ multicast: Multicast, _ links: inout Links,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        let active = multicast.active(step.now)
        let heads = lateHeads.sorted { $0.key < $1.key }
        let isCalm = lateHeads == logs.storedHeads
        for link in links.ids {
            guard let state = links[link] else { continue }
            let isReached = multicast.isReached(state.member, on: active, step.now)
            guard isReached || state.peer.isToldLate else { continue }
            if isCalm, !isReached { links[link]?.peer.isToldLate = false }
            let news = heads.filter { state.peer.has[$0.key] < $0.value.sequence && $0.key != state.member }
                .prefix(Limits.headsPerMessageMax)
            guard !news.isEmpty else { continue }
            let have = step.have(news.map(\.value))
            step.outputs.append(.send(link, have))
        }
        lateHeads = logs.storedHeads
        lateDue = isCalm ? nil : step.now + pause
    }
}
