import TourModel

// The loss on a segment, and what depends on it: how often contents are sent, and how long the node waits for others.
// Source: `Protocol/08-datagrams.md`, "Sending" and "Repair".
extension Segment {
    /// How long a datagram of a member counts here, by the loss that this node itself measures: no other report is
    /// trusted.
    var voiceLifetime: Duration {
        switch Loudness(loss.perMille) {
        case .calm: Limits.voiceLifetime
        case .lossy: Limits.voiceLifetimeWhenLossy
        case .veryLossy: Limits.voiceLifetimeWhenVeryLossy
        }
    }

    /// How long the signs of life of a member heard here may stay away before this node asks on its link: so many may
    /// be lost that random loss alone hardly ever takes all.
    var quietMax: Duration {
        switch Loudness(loss.perMille) {
        case .calm: Limits.heardQuietMax
        case .lossy: Limits.heardQuietMaxWhenLossy
        case .veryLossy: Limits.heardQuietMaxWhenVeryLossy
        }
    }

    /// The loss that nine of ten reporting members do not exceed.
    func reportedLoss(now: Instant) -> Int { reports(now).last ?? 0 }

    /// The reported losses of a thousand, ascending, without the highest tenth: a few liars change nothing.
    private func reports(_ now: Instant) -> ArraySlice<Int> {
        let lifetime = voiceLifetime
        let reports = voices.values.filter { now - $0.at < lifetime }.map(\.lossPerMille).sorted()
        return reports.prefix(reports.isEmpty ? 0 : (reports.count - 1) * 9 / 10 + 1)
    }

    /// How often a run is sent in all: until few enough members are expected to miss it. Members' reports together cost
    /// at most `Segment.copiesMax`, whatever they state.
    func copies(isUrgent: Bool, now: Instant) -> Int {
        let reports = reports(now)
        var expected = Array(reports)
        var copies = 1
        while copies < Self.copiesMax, expected.reduce(0, +) > Self.missesPerMilleMax {
            expected = zip(expected, reports).map { $0 * $1 / 1_000 }
            copies += 1
        }
        // A member that misses all copies and the announcement after them learns of an event late: few may, however few
        // report loss.
        copies = max(copies, Loudness(reports.last ?? 0).copiesMin)
        if let askedAt, now - askedAt < Self.askedLifetime { copies = max(copies, 2) }
        return isUrgent ? copies + 1 : copies
    }

    /// Schedules the announcements after an event of ours that goes out so many times. Where loss is low one is enough,
    /// and the beacons need not start again.
    mutating func tail(after copies: Int, _ now: Instant) {
        // A member that misses the copies and the beacon too would learn of the event late.
        let loss = reportedLoss(now: now)
        let missing = (0..<copies).reduce(loss) { product, _ in product * loss / 1_000 }
        tailsOwed = missing > Self.unawarePerMilleMax ? 2 : 1
        trickle.interval = copies > 2 ? Trickle.calmInterval / 2 : Trickle.calmInterval
        trickle.due = now + Self.tailDelay(copies: copies) + Self.tailDelayPerVoice * hearers(now)
        trickle.consistent = 0
    }

    /// The longest random delay of members that missed the same events: the more they are, the longer.
    func gapJitter(now: Instant) -> Int64 {
        min(AirGap.jitterMicroseconds, AirGap.jitterMicrosecondsPerMember * Int64(hearers(now) + 1))
    }

    /// How long this node waits for a missed event before it asks: further copies are on their way.
    func gapDelay(now: Instant) -> Duration {
        Self.copyPauses.prefix(copies(isUrgent: false, now: now) - 1).reduce(AirGap.delay, +)
    }

    /// How long a question waits for its answer: not long where loss is high.
    func gapRepeat(now: Instant) -> Duration {
        Loudness(reportedLoss(now: now)) == .veryLossy ? AirGap.repeatDelayWhenLossy : AirGap.repeatDelay
    }

    /// The least interval of beacons among so many members.
    func trickleMin(now: Instant) -> Duration { Trickle.intervalMin + Trickle.intervalMinPerVoice * hearers(now) }

    /// The number of members heard.
    func hearers(_ now: Instant) -> Int {
        let lifetime = voiceLifetime
        return voices.values.count { now - $0.at < lifetime }
    }
}

/// The level of loss, as far as rules differ.
enum Loudness: Hashable, Comparable, Sendable {
    case calm, lossy, veryLossy

    /// - Parameter perMille: the losses of a thousand.
    init(_ perMille: Int) {
        self = perMille < Self.lossHigh ? .calm : perMille < Self.lossVeryHigh ? .lossy : .veryLossy
    }

    /// The least number of copies of a run.
    var copiesMin: Int {
        switch self {
        case .calm: 1
        case .lossy: 2
        case .veryLossy: 3
        }
    }

    /// How many times as many datagrams are needed until one of them has arrived.
    var words: Int {
        switch self {
        case .calm: 1
        case .lossy: 2
        case .veryLossy: 4
        }
    }

    /// The losses of a thousand from which voices stay valid for longer, and for longer still.
    private static let lossHigh = 20
    private static let lossVeryHigh = 150
}
