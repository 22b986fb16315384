import TourModel
import TourWire

/// What the peer of a link has of each author's log, and which heads it must still be named.
struct PeerLogs: Hashable, Sendable {
    /// What the peer has, as far as it stated or we pushed.
    private(set) var has = Frontier()
    /// Heads that the peer named and that this node does not hold yet.
    private var heard: [MemberID: HeardHead] = [:]
    /// Events pushed to continue a datagram: the peer has them if it received that datagram. The peer has not confirmed
    /// them, so a `Have` names them all the same.
    private(set) var presumed: [MemberID: UInt64] = [:]
    /// Authors named in a `Have` that was lost, or pushed behind a gap: the next `Have` names them.
    private(set) var unsent: Set<MemberID> = []
    /// The peer heard datagrams when changes were announced, so it gets a late `Have`, whether or not it still hears
    /// them.
    var isToldLate = false
    /// The places of urgent events sent or received here ahead of their log.
    private var urgent = LastSeen<EventPlace>(limit: GossipLink.urgentMax)
    /// How many urgent events went out since the link began to lag.
    private var urgentWhileLagging = 0

    mutating func raise(_ author: MemberID, to sequence: UInt64) { has.raise(author, to: sequence) }

    /// How many heads are kept until this node holds their places.
    var heardCount: Int { heard.count }

    /// Keeps a head until this node holds the place.
    mutating func keep(_ head: HeardHead, of author: MemberID) { heard[author] = head }

    /// Removes the head that the peer named of an author, once this node holds the place.
    mutating func takeHeard(of author: MemberID, through last: UInt64) -> HeardHead? {
        guard let head = heard[author], head.sequence <= last else { return nil }
        heard[author] = nil
        return head
    }

    /// The peer may lack events before those that it was pushed.
    mutating func presume(_ author: MemberID, through sequence: UInt64) {
        presumed[author] = sequence
        unsent.insert(author)
    }

    mutating func addUnsent(_ author: MemberID) { unsent.insert(author) }

    mutating func addUnsent(_ authors: some Sequence<MemberID>) { unsent.formUnion(authors) }

    mutating func removeUnsent(where isNamed: (MemberID) -> Bool) { unsent = unsent.filter { !isNamed($0) } }

    /// Records that events of an author, `last` the newest, were pushed behind what the peer has. An urgent event
    /// overtakes queued ones, and a peer without room ahead of the log drops it: a `Have` follows to make sure.
    mutating func sent(through last: Event) {
        let header = last.header
        if header.eventClass.goesAhead { urgent.insert(EventPlace(last)) }
        has.raise(header.author, to: header.eventClass.goesAhead ? header.sequence - 1 : header.sequence)
    }

    /// Records what a run on the link implies: its sender has the author's log through the run's end. A lone urgent
    /// event may have reached the sender ahead of the log as well.
    mutating func record(_ run: Run, ofMember member: MemberID) {
        if run.goesAhead { urgent.insert(EventPlace(run)) }
        guard !run.goesAhead || member == run.author || has[run.author] >= run.first - 1 else { return }
        has.raise(run.author, to: run.last)
    }

    /// The peer's head of an author's log once everything sent has arrived.
    func reach(_ author: MemberID) -> UInt64 {
        var last = has[author]
        // A lying peer may claim the highest sequence there is: the next place wraps to 0, which is never urgent.
        while urgent.contains(EventPlace(author: author, sequence: last &+ 1)) { last += 1 }
        return last
    }

    // MARK: - Urgent events

    /// How many places of urgent events are remembered.
    var urgentCount: Int { urgent.count }

    func hasUrgent(_ place: EventPlace) -> Bool { urgent.contains(place) }

    mutating func addUrgent(_ place: EventPlace) { urgent.insert(place) }

    /// Whether a lagging peer may get one more urgent event.
    var hasRoomWhileLagging: Bool { urgentWhileLagging < Limits.urgentWhileLaggingMax }

    mutating func recordWhileLagging() { urgentWhileLagging += 1 }

    mutating func resetLagging() { urgentWhileLagging = 0 }
}
