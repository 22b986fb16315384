import TourModel
import TourWire

/// The state of the pull for one author's missing events.
enum Pull: Hashable, Sendable {
    /// Pulled at this time: a push may still bring it, or every peer that has it is in its refusal pause.
    case waiting(until: Instant)
    /// Pulled as soon as the best neighbour that has it is free.
    case queued
    /// Pulled from this link, from this sequence.
    case asked(LinkID, from: UInt64)
}

// Pulls of missing events: each author is pulled from one neighbour that has the events, several links at once, each
// with one open pull. A link that brings nothing is skipped for a while, so pulls do not go in circles.
extension GossipMachine {
    mutating func schedulePull(_ author: MemberID, at due: Instant) {
        switch pulls[author] {
        case nil: pulls[author] = .waiting(until: due)
        case .waiting(let until) where due < until: pulls[author] = .waiting(until: due)
        case .waiting, .queued: arePullsDue = true
        case .asked: break
        }
    }

    /// Queues the author again because this link's run was of no use.
    mutating func pullElsewhere(_ author: MemberID, not link: LinkID?) {
        if case .asked(let other, _) = pulls[author], other != link { return }
        pulls[author] = .queued
        arePullsDue = true
    }

    /// The authors that the open pull of a link asks for, each with its first sequence.
    func asked(of link: LinkID) -> [MemberID: UInt64] {
        pulls.compactMapValues { pull in
            guard case .asked(link, let first) = pull else { return nil }
            return first
        }
    }

    mutating func startPulls(_ step: inout Step<some RandomNumberGenerator>) {
        for link in links.keys.sorted() {
            guard let asked = links[link]?.asked, asked.due <= step.now else { continue }
            links[link]?.failures += 1
            endPull(link, step.now)
        }
        guard !pulls.isEmpty else { return }
        for (author, pull) in pulls {
            guard case .waiting(let until) = pull, until <= step.now else { continue }
            pulls[author] = .queued
            arePullsDue = true
        }
        guard arePullsDue else { return }
        arePullsDue = false
        let wants = assign(&step)
        for link in wants.keys.sorted() {
            guard let ranges = wants[link] else { continue }
            ask(link, ranges, &step)
        }
    }

    /// Finds a neighbour for every queued author.
    private mutating func assign(
        _ step: inout Step<some RandomNumberGenerator>
    ) -> [LinkID: [Want.Range]] {
        var wants = [LinkID: [Want.Range]]()
        let queued = pulls.keys.filter { pulls[$0] == .queued }
        for author in queued.sorted() {
            switch source(of: author, beside: wants, &step) {
            case .nobody: pulls[author] = nil
            case .later(let until): pulls[author] = .waiting(until: until)
            case .busy: break
            case .link(let link, let last):
                let first = expected(author)
                wants[link, default: []].append(Want.Range(author: author, first: first, last: last))
                pulls[author] = .asked(link, from: first)
            }
        }
        return wants
    }

    private mutating func ask(_ link: LinkID, _ ranges: [Want.Range], _ step: inout Step<some RandomNumberGenerator>) {
        let id = nextPullID
        nextPullID &+= 1
        links[link]?.asked = GossipLink.Asked(id: id, now: step.now)
        // A short gap that no push filled means that the tree lacks a branch here. A long gap is history.
        let graft = ranges.allSatisfy { $0.last - $0.first < Limits.graftEventsMax }
        if graft { for range in ranges { mended[range.author] = range.last } }
        send(.want(Want(id: id, ranges: ranges, graft: graft)), to: link, &step)
        if graft { join(link, &step) }
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
        of author: MemberID, beside wants: [LinkID: [Want.Range]], _ step: inout Step<some RandomNumberGenerator>
    ) -> Source {
        let next = expected(author)
        let end = end(of: author)
        guard next <= end else { return .nobody }
        var best: (link: LinkID, cost: Int, last: UInt64, isBusy: Bool)?
        var later: Instant?
        for link in links.keys.sorted() {
            guard let state = links[link], state.peerHas[author] >= next, !state.isDistrusted,
                !state.badAuthors.contains(author)
            else { continue }
            if let until = state.refusals[author]?.until, until > step.now {
                later = min(later ?? until, until)
                continue
            }
            let count = wants[link]?.count ?? 0
            let isBusy = state.asked != nil || count >= Limits.pullRangesMax
            let cost =
                state.failures * 10_000 + (isBusy ? 5_000 : 0) + count * 10 + Int.random(in: 0..<10, using: &step.rng)
            if best.map({ cost < $0.cost }) ?? true { best = (link, cost, min(state.peerHas[author], end), isBusy) }
        }
        if let best { return best.isBusy ? .busy : .link(best.link, last: best.last) }
        return later.map(Source.later) ?? .nobody
    }

    /// The peer has sent its answer to one pull. The machine pulls again what is still missing.
    mutating func served(_ link: LinkID, _ id: UInt32, _ now: Instant) {
        guard links[link]?.asked?.id == id else { return }
        endPull(link, now)
    }

    private mutating func endPull(_ link: LinkID, _ now: Instant) {
        links[link]?.asked = nil
        arePullsDue = true
        for (author, first) in asked(of: link) {
            pulls[author] = .queued
            if expected(author) > first {
                links[link]?.failures = 0
                links[link]?.refusals[author] = nil
            } else {
                links[link]?.refuse(author, now)
            }
        }
    }

    mutating func wanted(_ link: LinkID, _ want: Want, _ step: inout Step<some RandomNumberGenerator>) {
        // A `Want` that only grafts: the peer misses signs of life and asks for nothing else.
        if want.graft, want.ranges.isEmpty, links[link]?.isEager == false { owe(link, step.now) }
        if want.graft { join(link, &step) }
        guard var state = links[link] else { return }
        guard state.serving.count < Limits.servingMax else {
            step.outputs.append(.fault(.link(link), .tooManyPulls))
            return
        }
        let ranges = Self.distinct(want.ranges)
        state.serving.append(GossipLink.Serving(id: want.id, ranges: ranges, budget: Limits.pullBytesMax))
        links[link] = state
        lookForUrgent(in: ranges, link, &step)
        serve(link, &step)
    }

    /// Drops duplicates within one request: of ranges of one author that overlap the first stays.
    private static func distinct(_ ranges: [Want.Range]) -> [Want.Range] {
        var kept = [Want.Range]()
        for range in ranges {
            let isCovered = kept.contains {
                $0.author == range.author && $0.first <= range.last && range.first <= $0.last
            }
            if !isCovered { kept.append(range) }
        }
        return kept
    }

    /// Starts reading for the first pull that waits, unless the link lags: then it resumes when the queue has drained.
    mutating func serve(_ link: LinkID, _ step: inout Step<some RandomNumberGenerator>) {
        while let state = links[link], !state.isLagging, let serving = state.serving.first, !serving.isLoading {
            if var range = serving.ranges.first, serving.budget > 0 {
                // The range is clamped: no peer makes us look for events that we do not have.
                range.last = min(range.last, stored[range.author], end(of: range.author))
                guard range.first <= range.last else {
                    links[link]?.serving[0].ranges.removeFirst()
                    continue
                }
                links[link]?.serving[0].ranges[0] = range
                links[link]?.serving[0].isLoading = true
                step.outputs.append(.load(link, id: serving.id, range, bytesMax: serving.budget))
                return
            }
            step.outputs.append(.send(link, .served(id: serving.id, truncated: !serving.ranges.isEmpty)))
            links[link]?.serving.removeFirst()
        }
    }

    mutating func loaded(
        _ link: LinkID, _ id: UInt32, _ events: [Event], _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard var serving = links[link]?.serving.first, serving.id == id, let range = serving.ranges.first else {
            return
        }
        for run in Run.runs(of: events, hops: 0, pushed: false) { step.outputs.append(.send(link, .run(run))) }
        serving.budget -= events.reduce(0) { $0 + $1.bytes.count }
        serving.isLoading = false
        if let last = events.last, last.header.sequence < range.last {
            serving.ranges[0].first = last.header.sequence + 1
        } else {
            serving.ranges.removeFirst()
        }
        links[link]?.serving[0] = serving
        if let last = events.last { links[link]?.peerHas.raise(range.author, to: last.header.sequence) }
        serve(link, &step)
    }
}
