import TourModel
import TourWire

/// The pulls of missing events: each author is pulled from one neighbour that has the events, several links at once,
/// each with one open pull. A link that brings nothing is skipped for a while, so pulls do not go in circles.
struct Pulls: Sendable {
    /// How long a push may still bring an event that a `Have` named before this node pulls it, also where pushes travel
    /// on lossy paths: a pull travels on the connection, which is slower still. Then the random delay on top.
    private static let graftDelay: Duration = .milliseconds(80)
    private static let graftDelayWhenLossy: Duration = .milliseconds(400)
    private static let graftJitterMicrosecondsMax: Int64 = 20_000
    /// How long this node waits before it pulls what a neighbour's row shows: pushes, answers and frontiers bring it
    /// sooner.
    private static let claimedDelay: Duration = .seconds(2)
    private static let claimedJitterMicroseconds: Int64 = 1_000_000
    /// A gap of more events than this is pulled at once: no push will fill it.
    static let graftEventsMax: UInt64 = 64

    private var pulls: [MemberID: Pull] = [:]
    /// Whether a pull that waits for a free neighbour may find one now.
    private(set) var areDue = false
    private var nextID: UInt32 = 1
    /// For each author the last event pulled because the tree had a hole there: other nodes lack it too.
    private var mended: [MemberID: UInt64] = [:]

    /// The state of the pull for one author's missing events.
    private enum Pull: Hashable, Sendable {
        /// Pulled at this time: a push may still bring it, or every peer that has it is in its refusal pause.
        case waiting(until: Instant)
        /// Pulled as soon as the best neighbour that has it is free.
        case queued
        /// Pulled from this link, from this sequence.
        case asked(LinkID, from: UInt64)
    }

    /// Authors waited for or pulled.
    var count: Int { pulls.count }

    /// Authors pulled where the tree had a hole.
    var mendedCount: Int { mended.count }

    func addDueTimes(to deadline: inout Deadline) {
        for pull in pulls.values { if case .waiting(let until) = pull { deadline.consider(until) } }
    }

    /// An id for a message of ours that pulls or grafts.
    mutating func makeID() -> UInt32 {
        defer { nextID &+= 1 }
        return nextID
    }

    // MARK: - What to pull

    mutating func schedule(_ author: MemberID, at due: Instant) {
        switch pulls[author] {
        case nil: pulls[author] = .waiting(until: due)
        case .waiting(let until) where due < until: pulls[author] = .waiting(until: due)
        case .waiting, .queued: areDue = true
        case .asked: break
        }
    }

    /// The peer of a link has events, as its `Have` says. A short gap is mostly closed by a push in a moment.
    mutating func schedule(
        _ author: MemberID, through last: UInt64, of link: LinkID, _ logs: Logs, _ links: Links,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard logs.lacks(author, through: last) else { return }
        let isLong = last - logs.expected(author) >= Self.graftEventsMax
        guard !isLong, links.isPushed(except: links[link]?.member) else { return schedule(author, at: step.now) }
        let jitter = step.jitter(Self.graftJitterMicrosecondsMax)
        let delay = links.isTreeLossy ? Self.graftDelayWhenLossy : Self.graftDelay
        schedule(author, at: step.now + delay + jitter)
    }

    /// A neighbour has events that we lack, as its claim says. Usually a push brings them in a moment; this pull finds
    /// what a link failed to announce.
    mutating func scheduleLater(
        _ author: MemberID, through last: UInt64, of member: MemberID, _ logs: Logs, _ links: Links,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard logs.lacks(author, through: last), pulls[author] == nil, links.members.values.contains(member)
        else { return }
        let jitter = step.jitter(Self.claimedJitterMicroseconds)
        schedule(author, at: step.now + Self.claimedDelay + jitter)
    }

    /// Queues the author again because this link's run was of no use.
    mutating func pullElsewhere(_ author: MemberID, not link: LinkID?) {
        if case .asked(let other, _) = pulls[author], other != link { return }
        pulls[author] = .queued
        areDue = true
    }

    /// The link has closed: its authors are pulled elsewhere.
    mutating func linkDown(_ link: LinkID) {
        for author in asked(of: link).keys { pulls[author] = .queued }
        areDue = true
    }

    /// The authors that the open pull of a link asks for, each with its first sequence.
    private func asked(of link: LinkID) -> [MemberID: UInt64] {
        pulls.compactMapValues { pull in
            guard case .asked(link, let first) = pull else { return nil }
            return first
        }
    }

    /// Removes the authors whose holes in the tree are filled as far as the store says.
    mutating func dequeueMended(_ logs: Logs) -> Set<MemberID> {
        let filled = Set(mended.filter { $0.value <= logs.stored[$0.key] }.keys)
        for author in filled { mended[author] = nil }
        return filled
    }

    // MARK: - Pulling

    /// Gives up pulls that brought nothing in time, and finds neighbours for the authors whose time has come.
    /// - Returns: what to ask each link for.
    mutating func assign(
        _ logs: Logs, _ links: inout Links, _ step: inout Step<some RandomNumberGenerator>
    ) -> [LinkID: [Want.Range]] {
        for link in links.ids {
            guard let asked = links[link]?.pulls.asked, asked.due <= step.now else { continue }
            links[link]?.pulls.recordFailure()
            end(link, logs, &links, step.now)
        }
        guard !pulls.isEmpty else { return [:] }
        for (author, pull) in pulls {
            guard case .waiting(let until) = pull, until <= step.now else { continue }
            pulls[author] = .queued
            areDue = true
        }
        guard areDue else { return [:] }
        areDue = false
        var wants = [LinkID: [Want.Range]]()
        let queued = pulls.keys.filter { pulls[$0] == .queued }
        for author in queued.sorted() {
            switch source(of: author, beside: wants, logs, links, &step) {
            case .nobody: pulls[author] = nil
            case .later(let until): pulls[author] = .waiting(until: until)
            case .busy: break
            case .link(let link, let last):
                let first = logs.expected(author)
                wants[link, default: []].append(Want.Range(author: author, first: first, last: last))
                pulls[author] = .asked(link, from: first)
            }
        }
        return wants
    }

    /// - Returns: whether the link joins the tree: a short gap that no push filled means that the tree lacks a branch
    ///   here. A long gap is history.
    mutating func ask(
        _ link: LinkID, _ ranges: [Want.Range], _ links: inout Links, _ step: inout Step<some RandomNumberGenerator>
    ) -> Bool {
        let id = makeID()
        links[link]?.pulls.begin(id, step.now)
        let graft = ranges.allSatisfy { $0.last - $0.first < Self.graftEventsMax }
        if graft { for range in ranges { mended[range.author] = range.last } }
        links.send(.want(Want(id: id, ranges: ranges, graft: graft)), to: link, &step)
        return graft
    }

    private enum Source {
        case link(LinkID, last: UInt64)
        /// The best neighbour that has it answers another pull.
        case busy
        /// Every neighbour that has it returned nothing when it was asked.
        case later(Instant)
        case nobody
    }

    /// The neighbour to ask: of those that have the events, one with the fewest failures and questions, ties broken at
    /// random.
    private func source(
        of author: MemberID, beside wants: [LinkID: [Want.Range]], _ logs: Logs, _ links: Links,
        _ step: inout Step<some RandomNumberGenerator>
    ) -> Source {
        let next = logs.expected(author)
        let end = logs.end(of: author)
        guard next <= end else { return .nobody }
        var best: (link: LinkID, cost: Int, last: UInt64, isBusy: Bool)?
        var later: Instant?
        for link in links.ids {
            guard let state = links[link], state.peer.has[author] >= next, !state.isDistrusted,
                !state.pulls.badAuthors.contains(author)
            else { continue }
            if let until = state.pulls.refusals[author]?.until, until > step.now {
                later = min(later ?? until, until)
                continue
            }
            let count = wants[link]?.count ?? 0
            let isBusy = state.pulls.asked != nil || count >= Limits.pullRangesMax
            let chance = Int.random(in: 0..<10, using: &step.rng)
            let cost = state.pulls.failures * 10_000 + (isBusy ? 5_000 : 0) + count * 10 + chance
            if best.map({ cost < $0.cost }) ?? true { best = (link, cost, min(state.peer.has[author], end), isBusy) }
        }
        if let best { return best.isBusy ? .busy : .link(best.link, last: best.last) }
        return later.map(Source.later) ?? .nobody
    }

    /// The peer has sent its answer to one pull. What is still missing is pulled again.
    mutating func served(_ link: LinkID, _ id: UInt32, _ logs: Logs, _ links: inout Links, _ now: Instant) {
        guard links[link]?.pulls.asked?.id == id else { return }
        end(link, logs, &links, now)
    }

    private mutating func end(_ link: LinkID, _ logs: Logs, _ links: inout Links, _ now: Instant) {
        links[link]?.pulls.end()
        areDue = true
        for (author, first) in asked(of: link) {
            pulls[author] = .queued
            if logs.expected(author) > first {
                links[link]?.pulls.recordSuccess(of: author)
            } else {
                links[link]?.pulls.refuse(author, now)
            }
        }
    }

    /// A log seems to fork: asks for the other branch, which shows where.
    /// - Parameter source: the link that showed it; for a datagram the author itself is asked.
    mutating func askForBranch(
        of author: MemberID, _ source: LinkID?, through last: UInt64, _ logs: inout Logs, _ links: Links,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard !logs.wasBranchAsked(of: author, step.now) else { return }
        let direct = links.ids.first { links[$0]?.member == author }
        guard let link = source ?? direct, last > 0 else { return }
        logs.recordBranchAsked(of: author, step.now)
        let range = Self.branch(of: author, through: last)
        step.outputs.append(.send(link, .want(Want(id: makeID(), ranges: [range], graft: false))))
    }

    /// The events up to a place, as many as one run holds.
    static func branch(of author: MemberID, through last: UInt64) -> Want.Range {
        let events = UInt64(Limits.runEventsMax)
        return Want.Range(author: author, first: last > events ? last - events + 1 : 1, last: last)
    }

    /// Drops duplicates within one request of a peer: of ranges of one author that overlap the first stays.
    static func distinct(_ ranges: [Want.Range]) -> [Want.Range] {
        var kept = [Want.Range]()
        for range in ranges {
            let isCovered = kept.contains {
                $0.author == range.author && $0.first <= range.last && range.first <= $0.last
            }
            if !isCovered { kept.append(range) }
        }
        return kept
    }
}
