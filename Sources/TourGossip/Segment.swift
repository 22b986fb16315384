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
    case multicast(SegmentID)
    /// A server. Source: `Protocol/09-mailbox.md`.
    case mailbox

    var link: LinkID? {
        switch self {
        case .link(let link), .path(let link): link
        case .multicast, .mailbox: nil
        }
    }
}

/// The replication's state for one segment, and what waits to go out there.
/// Source: `Protocol/08-datagrams.md`.
struct Segment: Sendable {
    /// The pause before each further copy, if more than one is sent: loss comes in bursts.
    static let copyPauses: [Duration] = [
        .milliseconds(12), .milliseconds(28), .milliseconds(45), .milliseconds(60), .milliseconds(80),
    ]
    /// The most copies of a run, the first included; an urgent run has one more.
    static let copiesMax = 6
    /// One more copy pays off while more than so many members of a thousand are expected to miss all the others: each
    /// round of question and answer costs more.
    static let missesPerMilleMax = 600
    /// How long a question for an event of ours counts as a sign of loss.
    static let askedLifetime: Duration = .seconds(10)
    /// How long a voice counts as new and is named before others.
    private static let newVoiceTime: Duration = .seconds(10)
    /// How long after its last event an author announces its head, for members that missed the event. Where copies are
    /// sent there is loss, and the author announces it sooner: a moment after the last copy.
    static let tailDelay: Duration = .milliseconds(120)
    static let tailDelayAfterCopies: Duration = .milliseconds(12)
    /// The expected misses of a thousand above which the author announces its head twice, and the time between the two.
    static let unawarePerMilleMax = 5
    static let tailRepeat: Duration = .milliseconds(25)
    /// The delay added for each member heard: another member may announce the head meanwhile.
    static let tailDelayPerVoice: Duration = .milliseconds(1)
    /// The most answers to questions that wait to go out on one segment.
    static let repairsMax = 128
    /// The most runs waiting to go out on one segment.
    static let flightsMax = 256
    /// How long bad runs keep this node from reading a segment's runs.
    private static let distrustTime: Duration = .seconds(10)

    static func tailDelay(copies: Int) -> Duration {
        guard copies > 1 else { return tailDelay }
        return Self.copyPauses.prefix(copies - 1).reduce(Self.tailDelayAfterCopies, +)
    }

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
        voices[member].map { now - $0.since < Self.newVoiceTime } ?? false
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
        badRuns >= GossipLink.badRunsMax && now - badRunsSince < Self.distrustTime
    }

    mutating func recordBadRun(_ now: Instant) {
        if now - badRunsSince >= Self.distrustTime {
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
    /// How long a gap waits for datagrams on their way, plus a random delay; then how long each question waits for the
    /// next.
    static let delay: Duration = .milliseconds(3)
    static let jitterMicroseconds: Int64 = 15_000
    static let jitterMicrosecondsPerMember: Int64 = 800
    static let repeatDelay: Duration = .milliseconds(45)
    static let repeatDelayWhenLossy: Duration = .milliseconds(22)
    /// How long our question waits when another member has asked for the same events.
    static let hold: Duration = .milliseconds(40)
    /// The questions before links are asked; then the longest gap that is asked for by datagram, and the most gaps at
    /// once.
    static let triesMax = 4
    static let eventsMax: UInt64 = 16
    static let countMax = 64

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
    /// The least and the most time between two beacons.
    static let intervalMin: Duration = .milliseconds(100)
    private static let intervalMax: Duration = .seconds(16)
    /// The least interval grows with the members: members that send at one moment do not hear each other.
    static let intervalMinPerVoice: Duration = .milliseconds(2)
    /// The beacons of others in one interval that make ours needless.
    static let redundancy = 2
    /// The interval of beacons after an author announced its head; half of it where loss is high.
    static let calmInterval: Duration = .seconds(1)

    var interval = Self.intervalMin
    /// The least interval.
    var least = Self.intervalMin
    var due: Instant?
    var consistent = 0

    mutating func reset(_ now: Instant, using rng: inout some RandomNumberGenerator) {
        interval = least
        plan(now, &rng)
    }

    mutating func doubled(_ now: Instant, using rng: inout some RandomNumberGenerator) {
        interval = min(interval * 2, Self.intervalMax)
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
    /// The datagrams after which a loss estimate counts, and the window after which the meter halves its counts.
    private static let sampleMin = 20
    private static let window = 256
    private static let gapMax: UInt64 = 64

    private var came = 0
    private var missed = 0

    mutating func record(_ counter: UInt64, after last: UInt64?) {
        guard let last, counter > last else { return }
        came += 1
        // A longer gap is a pause or a restart, not loss.
        let gap = counter - last - 1
        if gap <= Self.gapMax { missed += Int(gap) }
        if came + missed > Self.window {
            came /= 2
            missed /= 2
        }
    }

    var perMille: Int { came + missed < Self.sampleMin ? 0 : missed * 1_000 / (came + missed) }
}

/// How many bytes may still go out on a segment: multicast goes out at the slowest rate and everybody waits for it.
struct AirBudget: Hashable, Sendable {
    /// A fifth of the throughput of the slowest common cell; then the bytes that may go out at once.
    private static let bytesPerSecond = 150_000
    private static let burstBytes = 32_768

    private var bytes = Self.burstBytes
    private var at: Instant?

    /// - Returns: whether there was room. Contents with `mustGo` go out whatever is left, and others wait for it.
    mutating func acquire(_ count: Int, mustGo: Bool = false, now: Instant) -> Bool {
        if let at {
            // A machine may have slept for a year.
            let passed = min(max((now - at).microseconds, 0), 10_000_000)
            bytes = min(Self.burstBytes, bytes + Int(passed) * Self.bytesPerSecond / 1_000_000)
        }
        at = now
        guard mustGo || bytes >= count else { return false }
        bytes = max(bytes - count, -Self.burstBytes)
        return true
    }
}

/// The last live events, for members that missed them.
struct RecentEvents: Sendable {
    /// The most events kept to answer questions; with `Limits.datagramBytesMax` a bound in bytes.
    static let countMax = 128

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
        if order.count < Self.countMax {
            order.append(place)
        } else {
            entries[order[oldest]] = nil
            order[oldest] = place
            oldest = (oldest + 1) % Self.countMax
        }
    }

    mutating func aired(_ place: EventPlace, on segment: SegmentID, _ now: Instant) {
        entries[place]?.airedAt[segment] = now
    }

    var count: Int { entries.count }
}
