import TourModel
import TourWire

// Beacons name what members have and whom they hear: soon after a change, then ever less often.
// Source: `Protocol/08-datagrams.md`, "Beacons".
extension Multicast {
    /// Handles heads that a datagram names.
    ///
    /// Any member of the tour can forge these heads in the sender's name: they make us ask and send, and never count as
    /// the sender's frontier. Only its signed claims do.
    /// - Returns: the authors of whom so much is missing that it is pulled at once.
    mutating func receive(
        _ heads: [PrefixedHead], of sender: MemberID, on id: SegmentID, _ authors: Authors, _ logs: Logs,
        _ step: inout Step<some RandomNumberGenerator>
    ) -> [MemberID] {
        guard !heads.isEmpty else { return [] }
        let isAsking = segments[id]?.isActive(now: step.now) == true
        var (isSame, isToTell) = (true, false)
        var distant = [MemberID]()
        for head in heads {
            guard let author = authors[head.prefix] else { continue }
            if logs.lacks(author, through: head.sequence) {
                // A node that asks need not also state that it has less.
                isSame = false
                isToTell = isToTell || !isAsking
                if miss(author, through: head.sequence, isSaid: author == sender, on: id, logs, &step) {
                    distant.append(author)
                }
            } else if head.sequence < min(logs.stored[author], logs.end(of: author)), !isFlying(author, step.now) {
                isToTell = true
                recordForBeacon(author)
            }
        }
        cancelTails(namedIn: heads, on: id, logs, &step)
        if isToTell { scheduleBeacon(on: id, &step) } else if isSame { segments[id]?.trickle.consistent += 1 }
        return distant
    }

    /// Another member names our last event: our own announcement of it can wait.
    private mutating func cancelTails(
        namedIn heads: [PrefixedHead], on id: SegmentID, _ logs: Logs, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard segments[id]?.tailsOwed ?? 0 > 0,
            heads.contains(where: { $0.prefix == own.prefix && $0.sequence == logs.stored[own] })
        else { return }
        segments[id]?.tailsOwed = 0
        segments[id]?.trickle.doubled(step.now, using: &step.rng)
    }

    /// A member has less than we have: the next beacon comes soon, unless others send theirs first.
    private mutating func scheduleBeacon(on id: SegmentID, _ step: inout Step<some RandomNumberGenerator>) {
        guard let segment = segments[id] else { return }
        let least = segment.trickleMin(now: step.now)
        segments[id]?.trickle.least = least
        // The beacon is already due within that time.
        guard segment.trickle.interval > least else { return }
        segments[id]?.trickle.reset(step.now, using: &step.rng)
    }

    /// Whether this author's last change is still on its way.
    private func isFlying(_ author: MemberID, _ now: Instant) -> Bool {
        newsAt[author].map { now - $0 < Limits.flightTime } ?? false
    }

    /// Records that more of an author's log is stored.
    mutating func recordNews(of author: MemberID, _ now: Instant) {
        recordForBeacon(author)
        newsAt[author] = now
    }

    /// Lists an author in the next beacons, which name the authors that changed last.
    private mutating func recordForBeacon(_ author: MemberID) {
        beaconNews.removeAll { $0 == author }
        beaconNews.append(author)
        if beaconNews.count > Limits.beaconHeadsMax / 2 { beaconNews.removeFirst() }
    }

    /// Sends a beacon if it is due.
    mutating func beacon(
        on id: SegmentID, _ logs: Logs, _ links: Links, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let segment = segments[id], let due = segment.trickle.due, due <= step.now else { return }
        if segment.tailsOwed > 0 { return sendTail(on: id, logs, &step) }
        segments[id]?.trickle.doubled(step.now, using: &step.rng)
        // Until a member is proven to hear us, every beacon is an attempt.
        let isSaid = segment.trickle.consistent >= Trickle.redundancy && segment.isActive(now: step.now)
        guard !isSaid, segments[id]?.budget.acquire(Limits.paddedDatagramBytesMin * 2, now: step.now) == true else {
            return
        }
        var datagram = Datagram(sender: own.prefix, counter: 0)
        datagram.heads = beaconHeads(logs)
        datagram.heard = voicesToName(on: id, others: Limits.beaconHeardMax, links, &step)
        send(datagram, on: id, &step)
    }

    /// Announces the head of this node's own log and of the logs that changed just before: short, since it follows each
    /// event.
    private mutating func sendTail(on id: SegmentID, _ logs: Logs, _ step: inout Step<some RandomNumberGenerator>) {
        segments[id]?.tailsOwed -= 1
        segments[id]?.trickle.doubled(step.now, using: &step.rng)
        if segments[id]?.tailsOwed ?? 0 > 0 { segments[id]?.trickle.bring(forward: step.now + Segment.tailRepeat) }
        guard segments[id]?.budget.acquire(Limits.paddedDatagramBytesMin * 2, now: step.now) == true else { return }
        var datagram = Datagram(sender: own.prefix, counter: 0)
        let named = beaconNews.suffix(Limits.tailHeadsMax).filter { $0 != own } + [own]
        datagram.heads = named.filter { logs.stored[$0] > 0 }.map {
            PrefixedHead(prefix: $0.prefix, sequence: logs.stored[$0])
        }
        send(datagram, on: id, &step)
    }

    /// Heads that changed a moment ago: they travel with datagrams that go out anyway, so that fewer nodes send them on
    /// their own. Our own head goes out when no copy of its event is to follow.
    func newsHeads(_ logs: Logs, _ now: Instant) -> [PrefixedHead] {
        beaconNews.suffix(Limits.newsHeadsMax).filter {
            $0 != own && newsAt[$0].map { now - $0 < Limits.newsTime } ?? false
        }.map { PrefixedHead(prefix: $0.prefix, sequence: logs.stored[$0]) }
    }

    /// The heads that changed last, and some of the others in turn.
    private mutating func beaconHeads(_ logs: Logs) -> [PrefixedHead] {
        let all = logs.stored.heads.keys.sorted()
        var named = beaconNews.filter { logs.stored[$0] > 0 }
        for author in all.dropFirst(beaconTurn).prefix(Limits.beaconHeadsMax - named.count)
        where !named.contains(author) { named.append(author) }
        beaconTurn = beaconTurn + Limits.beaconHeadsMax / 2 < all.count ? beaconTurn + Limits.beaconHeadsMax / 2 : 0
        return named.map { PrefixedHead(prefix: $0.prefix, sequence: logs.stored[$0]) }
    }

    /// The voices that a datagram names: neighbours, since these decide by it what they push; new voices, which nobody
    /// may have answered yet; and a random choice of the others, who learn by it that this node hears them.
    func voicesToName(
        on id: SegmentID, others count: Int, _ links: Links, _ step: inout Step<some RandomNumberGenerator>
    ) -> [UInt16] {
        guard let segment = segments[id] else { return [] }
        let neighbours = Set(links.members.values)
        let heard = segment.voices.keys.filter { segment.hears($0, now: step.now) }.sorted()
        let near = heard.filter(neighbours.contains).prefix(Limits.beaconHeardMax)
        let far = heard.filter { !neighbours.contains($0) }.shuffled(using: &step.rng)
        let fresh = far.filter { segment.isNew($0, now: step.now) }
        let old = far.filter { !segment.isNew($0, now: step.now) }
        let named = near + (fresh + old).prefix(min(count, Limits.beaconHeardMax - near.count))
        return named.map(\.shortPrefix)
    }
}
