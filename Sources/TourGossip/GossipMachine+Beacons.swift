import TourModel
import TourWire

// What members say that they have, and whom they hear: soon after a change, then ever more seldom.
// Source: `Protocol/08-datagrams.md`, "Beacons".
extension GossipMachine {
    // Anybody in the tour may have said this in the sender's name: it makes us ask and speak, and never counts as what
    // the sender has. Only its signed claims do.
    mutating func hear(
        _ heads: [PrefixedHead], of sender: MemberID, on id: SegmentID, _ now: Instant,
        _ rng: inout some RandomNumberGenerator
    ) {
        guard !heads.isEmpty else { return }
        let isAsking = segments[id]?.isActive(now: now) == true
        var (isSame, isToTell) = (true, false)
        for head in heads {
            guard let author = authors[head.prefix] else { continue }
            if lacks(author, through: head.sequence) {
                // Who asks need not say as well that it has less.
                isSame = false
                isToTell = isToTell || !isAsking
                miss(author, through: head.sequence, isSaid: author == sender, on: id, now, &rng)
            } else if head.sequence < min(stored[author], end(of: author)), !isFlying(author, now) {
                isToTell = true
                noteForBeacon(author)
            }
        }
        sayTailElsewhere(heads, on: id, now, &rng)
        if isToTell {
            tellSoon(on: id, now, &rng)
        } else if isSame {
            segments[id]?.trickle.consistent += 1
        }
    }

    /// Somebody names our last event: our own word of it can wait.
    private mutating func sayTailElsewhere(
        _ heads: [PrefixedHead], on id: SegmentID, _ now: Instant, _ rng: inout some RandomNumberGenerator
    ) {
        guard segments[id]?.tailsOwed ?? 0 > 0,
            heads.contains(where: { $0.prefix == own.prefix && $0.sequence == stored[own] })
        else { return }
        segments[id]?.tailsOwed = 0
        segments[id]?.trickle.doubled(now, using: &rng)
    }

    /// Somebody has less than we: the next beacon comes soon, unless others speak first.
    private mutating func tellSoon(
        on id: SegmentID, _ now: Instant, _ rng: inout some RandomNumberGenerator
    ) {
        guard let segment = segments[id] else { return }
        let least = segment.trickleMin(now: now)
        segments[id]?.trickle.least = least
        // It is due within that time already.
        guard segment.trickle.interval > least else { return }
        segments[id]?.trickle.reset(now, using: &rng)
    }

    /// Whether what changed of this author is on its way still.
    private func isFlying(_ author: MemberID, _ now: Instant) -> Bool {
        newsAt[author].map { now - $0 < Limits.flightTime } ?? false
    }

    /// The authors that changed last stand in the next beacons.
    mutating func noteForBeacon(_ author: MemberID) {
        beaconNews.removeAll { $0 == author }
        beaconNews.append(author)
        if beaconNews.count > Limits.beaconHeadsMax / 2 { beaconNews.removeFirst() }
    }

    mutating func beacon(
        on id: SegmentID, _ now: Instant, _ rng: inout some RandomNumberGenerator, _ outputs: inout [Output]
    ) {
        guard let segment = segments[id], let due = segment.trickle.due, due <= now else { return }
        if segment.tailsOwed > 0 { return sayTail(on: id, now, &rng, &outputs) }
        segments[id]?.trickle.doubled(now, using: &rng)
        // Until somebody is proven to hear us, every beacon is a try.
        let isSaid = segment.trickle.consistent >= Limits.trickleRedundancy && segment.isActive(now: now)
        guard !isSaid, segments[id]?.budget.take(Limits.paddedDatagramBytesMin * 2, now: now) == true else { return }
        var datagram = Datagram(sender: own.prefix, counter: 0)
        datagram.heads = beaconHeads()
        datagram.heard = voicesToName(on: id, others: Limits.beaconHeardMax, now, &rng)
        send(datagram, on: id, now, &outputs)
    }

    /// How far this node's own log is, and those that changed just before: small, since it is said after each event.
    private mutating func sayTail(
        on id: SegmentID, _ now: Instant, _ rng: inout some RandomNumberGenerator, _ outputs: inout [Output]
    ) {
        segments[id]?.tailsOwed -= 1
        segments[id]?.trickle.doubled(now, using: &rng)
        if segments[id]?.tailsOwed ?? 0 > 0 { segments[id]?.trickle.bring(forward: now + Limits.tailRepeat) }
        guard segments[id]?.budget.take(Limits.paddedDatagramBytesMin * 2, now: now) == true else { return }
        var datagram = Datagram(sender: own.prefix, counter: 0)
        let named = beaconNews.suffix(Limits.tailHeadsMax).filter { $0 != own } + [own]
        datagram.heads = named.filter { stored[$0] > 0 }.map { PrefixedHead(prefix: $0.prefix, sequence: stored[$0]) }
        send(datagram, on: id, now, &outputs)
    }

    /// What changed a moment ago: goes with what is sent anyway, so that fewer must say it for themselves.
    /// Our own last event we say when no copy of it is to follow.
    func newsHeads(_ now: Instant) -> [PrefixedHead] {
        beaconNews.suffix(Limits.newsHeadsMax)
            .filter { $0 != own && newsAt[$0].map { now - $0 < Limits.newsTime } ?? false }
            .map { PrefixedHead(prefix: $0.prefix, sequence: stored[$0]) }
    }

    /// What changed last, and of the others the next in turn.
    private mutating func beaconHeads() -> [PrefixedHead] {
        let all = stored.heads.keys.sorted()
        var named = beaconNews.filter { stored[$0] > 0 }
        for author in all.dropFirst(beaconTurn).prefix(Limits.beaconHeadsMax - named.count)
        where !named.contains(author) { named.append(author) }
        beaconTurn = beaconTurn + Limits.beaconHeadsMax / 2 < all.count ? beaconTurn + Limits.beaconHeadsMax / 2 : 0
        return named.map { PrefixedHead(prefix: $0.prefix, sequence: stored[$0]) }
    }

    /// Whom this node hears: neighbours, since they decide by it what they push; new voices, whom nobody may have
    /// answered yet; and some of the others, who learn that they are heard by chance.
    func voicesToName(
        on id: SegmentID, others count: Int, _ now: Instant, _ rng: inout some RandomNumberGenerator
    ) -> [UInt16] {
        guard let segment = segments[id] else { return [] }
        let neighbours = Set(links.values.map(\.member))
        let heard = segment.voices.keys.filter { segment.hears($0, now: now) }.sorted()
        let near = heard.filter(neighbours.contains).prefix(Limits.beaconHeardMax)
        let far = heard.filter { !neighbours.contains($0) }.shuffled(using: &rng)
        let fresh = far.filter { segment.isNew($0, now: now) }
        let old = far.filter { !segment.isNew($0, now: now) }
        let named = near + (fresh + old).prefix(min(count, Limits.beaconHeardMax - near.count))
        return named.map(\.shortPrefix)
    }
}
