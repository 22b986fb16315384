import TourCrypto
import TourModel
import TourWire

/// Urgent events that overtake their authors' logs: proven by their own signature, shown and passed on at once, and
/// counted in no frontier until the log has reached them. Source: `Protocol/06-replication.md`, "Ahead of the log".
struct UrgentEvents: Sendable {
    /// The members that may announce. An announcement of any other member has no effect, and is no more urgent than
    /// chat.
    private(set) var leaders: Set<MemberID>
    /// Urgent events accepted before the events they continue, and those that are being verified.
    private var ahead = AheadEvents()
    private var trials: Set<Run> = []
    /// Calls for help of other members that go ahead as well.
    private var alarms = AlarmBudget()
    /// Authors whose announcement is accepted and not stored yet: once stored, it is claimed at once.
    private var announced: [MemberID: UInt64] = [:]

    init(leaders: Set<MemberID>, ahead events: [Event]) {
        self.leaders = leaders
        for event in events { ahead.add(event) }
    }

    /// Events accepted ahead of their logs.
    var count: Int { ahead.count }

    /// Events ahead of their logs that are being verified.
    var trialsCount: Int { trials.count }

    mutating func set(leaders: Set<MemberID>) { self.leaders = leaders }

    // MARK: - Permission

    /// Whether the author may announce, or has room for one more call for help.
    func mayGoAhead(_ author: MemberID, _ now: Instant) -> Bool {
        leaders.contains(author) || alarms.hasRoom(for: author, now)
    }

    /// Whether a known run went ahead.
    func goesAhead(_ run: Run) -> Bool { run.goesAhead && isLetAhead(EventPlace(run)) }

    func goesAhead(_ event: Event) -> Bool { event.header.eventClass.goesAhead && isLetAhead(EventPlace(event)) }

    private func isLetAhead(_ place: EventPlace) -> Bool { leaders.contains(place.author) || alarms.holds(place) }

    /// Whether an event overtakes chat.
    func overtakesChat(_ event: Event) -> Bool { event.header.eventClass == .control || goesAhead(event) }

    /// Lets verified calls for help go ahead, as far as their authors have room for them.
    mutating func grantAlarms(_ events: some Sequence<Event>, _ now: Instant) {
        for event in events where event.header.eventClass.goesAhead && !leaders.contains(event.header.author) {
            alarms.grant(EventPlace(event), now)
        }
    }

    // MARK: - Arriving

    /// Whether the event at which a run begins is held ahead of its log.
    func holds(_ run: Run) -> Bool { run.goesAhead && ahead[EventPlace(run)] != nil }

    /// Whether a run behind a gap can go ahead of the log.
    func canTry(_ run: Run, _ logs: Logs, _ now: Instant) -> Bool {
        run.goesAhead && mayGoAhead(run.author, now) && !logs.isFull(run.author) && trials.count < AheadEvents.trialsMax
            && ahead.hasRoom(for: EventPlace(run), behind: logs.head(of: run.author)?.sequence ?? 0)
    }

    /// - Returns: whether the run is to be verified: only identical bytes are not verified twice, so nobody can
    ///   suppress an event by sending a forgery of it first.
    mutating func beginTrial(of run: Run) -> Bool {
        var trial = run
        trial.hops = 0
        return trials.insert(trial).inserted
    }

    mutating func endTrial(of run: VerifiedRun) {
        if !trials.isEmpty { trials.remove(Run(run.events, hops: 0, pushed: true)) }
    }

    /// The machine cannot tell which of the author's runs failed, so it forgets them all.
    mutating func endTrials(of author: MemberID) {
        if !trials.isEmpty { trials = trials.filter { $0.author != author } }
    }

    /// The event held ahead of its log at the place of this one.
    func known(_ event: Event) -> AheadEvents.Entry? { ahead[EventPlace(event)] }

    /// Whether a verified event can be held ahead of its log.
    func hasRoom(for event: Event, _ logs: Logs) -> Bool {
        let place = EventPlace(event)
        return place.sequence <= logs.end(of: place.author) && !logs.isFull(place.author)
            && ahead.hasRoom(for: place, behind: logs.head(of: place.author)?.sequence ?? 0)
    }

    mutating func add(_ event: Event, _ now: Instant) {
        grantAlarms([event], now)
        ahead.add(event)
    }

    mutating func removeAll(of author: MemberID, behind last: UInt64) { ahead.removeAll(of: author, behind: last) }

    // MARK: - The log catches up

    /// Compares the log's new events with those that went ahead. Where they differ the author wrote two logs; this one
    /// counts.
    mutating func merge(_ news: ArraySlice<Event>, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>) {
        guard let author = news.first?.header.author, ahead.holds(of: author) else { return }
        for event in news {
            guard let early = ahead.remove(EventPlace(event)), early.id != event.id else { continue }
            step.outputs.append(.fault(origin, .forkedLog))
        }
    }

    /// Joins events ahead to the log where they continue it. The store does the same when it reaches them.
    mutating func settle(
        _ author: MemberID, _ origin: Origin, _ logs: inout Logs, _ step: inout Step<some RandomNumberGenerator>
    ) {
        defer { dropIfFull(author, logs) }
        guard ahead.holds(of: author) else { return }
        while let head = logs.head(of: author), !logs.isFull(author) {
            let place = EventPlace(author: author, sequence: head.sequence + 1)
            guard let next = ahead[place], !next.isSettled else { return }
            guard next.previous == head.id else {
                ahead.remove(place)
                return step.outputs.append(.fault(origin, .forkedLog))
            }
            ahead.settle(place)
            announced[author] = place.sequence
            var size = head.size
            size.add(.announcement, byteCount: next.byteCount)
            // The event was sent on segments when it arrived, where its predecessor was.
            var settled = Logs.Head(sequence: place.sequence, id: next.id, previous: head.id, size: size)
            settled.aired = head.aired
            settled.signature = next.signature
            logs.accept(settled, of: author)
        }
    }

    /// A full log keeps no events ahead: they could never join it. The store does the same.
    private mutating func dropIfFull(_ author: MemberID, _ logs: Logs) {
        guard ahead.holds(of: author), logs.isFull(author), let head = logs.head(of: author) else { return }
        ahead.removeAll(of: author, behind: head.sequence)
    }

    /// Marks an announcement, whose holders tell everyone at once that they have it.
    mutating func recordAnnouncement(in events: some BidirectionalCollection<Event>) {
        for last in events.reversed() where goesAhead(last) {
            announced[last.header.author] = last.header.sequence
            return
        }
    }

    /// Records that the store holds this author's log through `sequence`.
    /// - Returns: how far the log reaches with the settled events right behind it.
    mutating func stored(_ author: MemberID, through sequence: UInt64) -> UInt64 {
        ahead.stored(author, through: sequence)
    }

    /// Whether an announcement of this author has just been stored.
    mutating func dequeueAnnounced(_ author: MemberID, _ logs: Logs) -> Bool {
        guard let announcement = announced[author], announcement <= logs.stored[author] else { return false }
        announced[author] = nil
        return true
    }

    // MARK: - Sending

    /// Sends an urgent event on a link that gets no pushes, or whose peer lacks an event before it.
    func overtake(
        _ event: Event, hops: Int, on link: LinkID, isOffer: Bool = false, _ logs: Logs, _ links: inout Links,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        let header = event.header
        let place = EventPlace(event)
        // The author has its own event, unless it states itself that it lacks it.
        guard let state = links[link], state.hasSpoken, isOffer || state.member != header.author, hops < Limits.hopsMax,
            header.sequence <= logs.end(of: header.author), state.peer.has[header.author] < header.sequence,
            !state.peer.hasUrgent(place), !state.isLagging || state.peer.hasRoomWhileLagging
        else { return }
        let isNext = state.peer.has[header.author] == header.sequence - 1
        if goesAhead(event) {
            links[link]?.peer.addUrgent(place)
            links.send(.run(Run([event], hops: hops, pushed: true)), to: link, &step)
        } else if header.eventClass == .control, state.isLagging || !isNext, Self.goesAlone(event) {
            step.outputs.append(.send(link, .control([event.bytes])))
        } else {
            return
        }
        if state.isLagging { links[link]?.peer.recordWhileLagging() }
    }

    /// Sends events that the store was asked for, the newest first.
    func offer(
        _ events: [(event: Event, hops: Int)], on link: LinkID, _ logs: Logs, _ links: inout Links,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        for (event, hops) in events.prefix(Limits.urgentBeforePullMax) {
            overtake(event, hops: hops, on: link, isOffer: true, logs, &links, &step)
        }
    }

    /// Whether a control event counts without its log. A node that receives a leave accepts nothing more of that
    /// author, so the leave travels as the end of its log; a control event of a later kind has no effect here, and may
    /// be long.
    private static func goesAlone(_ event: Event) -> Bool {
        guard let body = try? ControlBody(decoding: event.body) else { return false }
        return body != .leave && body != .unknown
    }

    /// No frontier names events ahead of their logs: this node sends them to a peer that begins to take part.
    /// - Parameter known: what the peer has, by prefix.
    func offerAhead(
        on link: LinkID, _ known: [UInt64: UInt64], _ logs: Logs, _ step: inout Step<some RandomNumberGenerator>
    ) {
        let ranges = ahead.open.sorted { $0.key < $1.key }.compactMap { author, last -> Want.Range? in
            let has = known[author.prefix] ?? 0
            let last = min(last, logs.end(of: author))
            return has < last ? Want.Range(author: author, first: has + 1, last: last) : nil
        }
        if !ranges.isEmpty { step.outputs.append(.loadUrgent(link, Array(ranges.prefix(Limits.pullRangesMax)))) }
    }

    /// A long pull would delay urgent events: this node sends those first.
    func lookForUrgent(
        in asked: [Want.Range], _ link: LinkID, _ logs: Logs, _ step: inout Step<some RandomNumberGenerator>
    ) {
        let ranges = asked.compactMap { range -> Want.Range? in
            let last = min(range.last, logs.stored[range.author], logs.end(of: range.author))
            guard leaders.contains(range.author), range.first <= last, last - range.first >= Pulls.graftEventsMax
            else { return nil }
            return Want.Range(author: range.author, first: range.first + Limits.urgentBehindFirst, last: last)
        }
        if !ranges.isEmpty { step.outputs.append(.loadUrgent(link, ranges)) }
    }
}
