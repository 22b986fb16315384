import TourModel
import TourWire

/// Names a network on which one datagram reaches everybody: an interface, as the shell numbers them.
package struct SegmentID: Hashable, Comparable, Sendable {
    /// The shell's number.
    package let value: Int

    package init(value: Int) { self.value = value }

    package static func < (left: SegmentID, right: SegmentID) -> Bool { left.value < right.value }
}

/// Where something came from.
package enum Origin: Hashable, Sendable {
    /// A message on a link's connection.
    case link(LinkID)
    /// A datagram of the link's peer: it may have overtaken others.
    case path(LinkID)
    /// A datagram on a segment.
    case air(SegmentID)
    /// A server. Source: `Protocol/09-mailbox.md`.
    case mailbox

    var link: LinkID? {
        switch self {
        case .link(let link), .path(let link): link
        case .air, .mailbox: nil
        }
    }
}

/// The replication's state for one segment, and what waits to go out there.
/// Source: `Protocol/08-datagrams.md`.
struct Segment: Sendable {
    /// The number of the last datagram sent.
    var counter: UInt64 = 0
    var sentAt: Instant?
    /// Members heard here; at most one entry for each member of the roster.
    var voices: [MemberID: Voice] = [:]
    /// Runs waiting to go out: in a moment, again, or unless another member is quicker.
    var pendingRuns: [PendingRun] = []
    /// Members whose newest claim goes out next, and when.
    var claims: Set<MemberID> = []
    var claimsDue: Instant?
    var trickle = Trickle()
    /// How many short beacons are still to follow our last event.
    var tailsOwed = 0
    /// The events that are missing and asked for here, by author.
    var gaps: [MemberID: AirGap] = [:]
    /// The events that others asked for and this node is about to send.
    var repairs: [EventPlace: Instant] = [:]
    var budget = AirBudget()
    var loss = LossMeter()
    /// When a member last asked for an event of this node.
    var askedAt: Instant?
    /// Recent runs whose signature did not verify.
    var badRuns = 0
    var badRunsSince = Instant(microseconds: 0)

    /// One member, as heard here.
    struct Voice: Sendable {
        /// Since when it is heard without a long pause.
        var since: Instant
        var at: Instant
        /// When it last stated that it hears us.
        var hearsUsAt: Instant?
        var counter: UInt64
        var lossPerMille: Int
    }

    struct PendingRun: Sendable {
        var run: Run
        var due: Instant
        /// Another member's event, from elsewhere: not sent if it is heard here first.
        var isRelay: Bool
        var isUrgent: Bool
        /// How often it is yet to be sent, and how often it was.
        var copiesLeft: Int
        var copiesSent = 0
    }

    func hears(_ member: MemberID, now: Instant) -> Bool {
        voices[member].map { now - $0.at < voiceLifetime } ?? false
    }

    /// Whether the member has been heard for a short time only.
    func isNew(_ member: MemberID, now: Instant) -> Bool {
        voices[member].map { now - $0.since < Limits.newVoiceTime } ?? false
    }

    /// Whether the member hears us here, as it stated itself.
    func isHeard(by member: MemberID, within time: Duration? = nil, now: Instant) -> Bool {
        voices[member]?.hearsUsAt.map { now - $0 < time ?? voiceLifetime } ?? false
    }

    /// Whether the member was heard here lately, though datagrams of it may have been lost since.
    func wasHeard(_ member: MemberID, now: Instant) -> Bool {
        voices[member].map { now - $0.at < Limits.voiceLifetime * 4 } ?? false
    }

    /// Whether a datagram here is worth more than links: it reaches at least two members, and they read it.
    func isActive(now: Instant) -> Bool {
        guard !isDistrusted(now: now) else { return false }
        var hearers = 0
        for voice in voices.values {
            guard let at = voice.hearsUsAt, now - at < voiceLifetime else { continue }
            hearers += 1
            if hearers == 2 { return true }
        }
        return false
    }

    mutating func record(_ datagram: Datagram, of member: MemberID, hearsUs: Bool, now: Instant) {
        let old = voices[member]
        loss.record(datagram.counter, after: old?.counter)
        let since = hears(member, now: now) ? old?.since : nil
        voices[member] = Voice(
            since: since ?? now, at: now, hearsUsAt: hearsUs ? now : old?.hearsUsAt,
            counter: max(datagram.counter, old?.counter ?? 0), lossPerMille: datagram.lossPerMille)
    }

    mutating func add(claimOf member: MemberID, at time: Instant) {
        claims.insert(member)
        claimsDue = min(claimsDue ?? time, time)
    }

    /// Anybody with the epoch's key can send bad runs, and nothing shows who did: for a while this node reads no run
    /// here.
    func isDistrusted(now: Instant) -> Bool {
        badRuns >= Limits.badRunsMax && now - badRunsSince < Limits.airDistrust
    }

    mutating func recordBadRun(_ now: Instant) {
        if now - badRunsSince >= Limits.airDistrust {
            badRuns = 0
            badRunsSince = now
        }
        badRuns += 1
    }

    /// Adds the times at which the segment is due. Changes nothing: it is mutating only to avoid a copy.
    mutating func addDueTimes(to deadline: inout Deadline) {
        deadline.consider(trickle.due)
        deadline.consider(claimsDue)
        for pending in pendingRuns { deadline.consider(pending.due) }
        for gap in gaps.values { deadline.consider(gap.due) }
        for due in repairs.values { deadline.consider(due) }
    }
}

/// One event's place in its author's log.
struct EventPlace: Hashable, Comparable, Sendable {
    var author: MemberID
    var sequence: UInt64

    static func < (left: EventPlace, right: EventPlace) -> Bool {
        (left.author, left.sequence) < (right.author, right.sequence)
    }
}

/// Events of one author that other members named and that did not arrive.
struct AirGap: Hashable, Sendable {
    var last: UInt64
    /// When they are next asked for.
    var due: Instant
    var tries = 0
    /// Whether another member's question put ours off: once for each try.
    var isHeld = false
}

/// When this node next sends a beacon: soon after a change, ever less often while nothing changes, and not at all when
/// two others have just sent the same. Source: RFC 6206.
struct Trickle: Hashable, Sendable {
    var interval = Limits.trickleMin
    /// The least interval.
    var least = Limits.trickleMin
    var due: Instant?
    var consistent = 0

    mutating func reset(_ now: Instant, using rng: inout some RandomNumberGenerator) {
        interval = least
        plan(now, &rng)
    }

    mutating func doubled(_ now: Instant, using rng: inout some RandomNumberGenerator) {
        interval = min(interval * 2, Limits.trickleMax)
        plan(now, &rng)
    }

    /// Moves the next beacon forward to a given time, if it is later.
    mutating func bring(forward time: Instant) { due = min(due ?? time, time) }

    private mutating func plan(_ now: Instant, _ rng: inout some RandomNumberGenerator) {
        let half = interval.microseconds / 2
        due = now + .microseconds(half + Int64.random(in: 0...half, using: &rng))
        consistent = 0
    }
}

/// The share of other members' datagrams that do not arrive, from the gaps in their counters.
struct LossMeter: Hashable, Sendable {
    private var came = 0
    private var missed = 0

    mutating func record(_ counter: UInt64, after last: UInt64?) {
        guard let last, counter > last else { return }
        came += 1
        // A longer gap is a pause or a restart, not loss.
        let gap = counter - last - 1
        if gap <= Limits.lossGapMax { missed += Int(gap) }
        if came + missed > Limits.lossWindow {
            came /= 2
            missed /= 2
        }
    }

    var perMille: Int { came + missed < Limits.lossSampleMin ? 0 : missed * 1_000 / (came + missed) }
}

/// How many bytes may still go out on a segment: multicast goes out at the slowest rate and everybody waits for it.
struct AirBudget: Hashable, Sendable {
    private var bytes = Limits.airBurstBytes
    private var at: Instant?

    /// - Returns: whether there was room. Contents with `mustGo` go out whatever is left, and others wait for it.
    mutating func acquire(_ count: Int, mustGo: Bool = false, now: Instant) -> Bool {
        if let at {
            // A machine may have slept for a year.
            let passed = min(max((now - at).microseconds, 0), 10_000_000)
            bytes = min(Limits.airBurstBytes, bytes + Int(passed) * Limits.airBytesPerSecond / 1_000_000)
        }
        at = now
        guard mustGo || bytes >= count else { return false }
        bytes = max(bytes - count, -Limits.airBurstBytes)
        return true
    }
}

/// The last live events, for members that missed them.
struct RecentEvents: Sendable {
    /// Reserves room at the start: otherwise the first message waits while the runtime looks through all conformances.
    private var entries = [EventPlace: Entry](minimumCapacity: 1)
    private var order: [EventPlace] = []
    private var oldest = 0

    struct Entry: Sendable {
        let event: Event
        let hops: Int
        /// When it was last sent or heard on a segment.
        var airedAt: [SegmentID: Instant] = [:]
    }

    subscript(place: EventPlace) -> Entry? { entries[place] }

    mutating func add(_ event: Event, hops: Int) {
        let place = EventPlace(author: event.header.author, sequence: event.header.sequence)
        guard event.bytes.count <= Limits.datagramBytesMax, entries[place] == nil else { return }
        entries[place] = Entry(event: event, hops: hops)
        if order.count < Limits.recentEventsMax {
            order.append(place)
        } else {
            entries[order[oldest]] = nil
            order[oldest] = place
            oldest = (oldest + 1) % Limits.recentEventsMax
        }
    }

    mutating func aired(_ place: EventPlace, on segment: SegmentID, _ now: Instant) {
        entries[place]?.airedAt[segment] = now
    }

    var count: Int { entries.count }
}
