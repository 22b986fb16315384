import TourModel

// What is lost on a segment, and what follows from it: how often something is said, and how long words are waited for.
// Source: `Protocol/08-datagrams.md`, "Sending" and "Repair".
extension Segment {
    /// How long a word of somebody counts here. By what this node itself misses: nobody else is believed.
    var voiceLifetime: Duration {
        switch Loudness(loss.perMille) {
        case .calm: Limits.voiceLifetime
        case .lossy: Limits.voiceLifetimeWhenLossy
        case .veryLossy: Limits.voiceLifetimeWhenVeryLossy
        }
    }

    /// How long the signs of life of a member that is heard here may stay away before its link is asked for one: so
    /// many may be lost that chance alone hardly ever takes all.
    var quietMax: Duration {
        switch Loudness(loss.perMille) {
        case .calm: Limits.heardQuietMax
        case .lossy: Limits.heardQuietMaxWhenLossy
        case .veryLossy: Limits.heardQuietMaxWhenVeryLossy
        }
    }

    /// What nine of ten members who report miss at most.
    func reportedLoss(now: Instant) -> Int { reports(now).last ?? 0 }

    /// What members report, of a thousand, from the least on, without the highest tenth: few liars change nothing.
    private func reports(_ now: Instant) -> ArraySlice<Int> {
        let lifetime = voiceLifetime
        let reports = voices.values.filter { now - $0.at < lifetime }.map(\.lossPerMille).sorted()
        return reports.prefix(reports.isEmpty ? 0 : (reports.count - 1) * 9 / 10 + 1)
    }

    /// How often a run is sent, all in all: until few enough are expected to miss it. What members report together
    /// costs `Limits.copiesMax` at most, whatever they say.
    func copies(isUrgent: Bool, now: Instant) -> Int {
        let reports = reports(now)
        var expected = Array(reports)
        var copies = 1
        while copies < Limits.copiesMax, expected.reduce(0, +) > Limits.missesPerMilleMax {
            expected = zip(expected, reports).map { $0 * $1 / 1_000 }
            copies += 1
        }
        // Who misses all copies and the word after them learns of an event late: few must, be they among few.
        copies = max(copies, Loudness(reports.last ?? 0).copiesMin)
        if let askedAt, now - askedAt < Limits.askedLifetime { copies = max(copies, 2) }
        return isUrgent ? copies + 1 : copies
    }

    /// Plans what is said after an event of ours that goes out so many times. Where little is lost one word is enough,
    /// and the beacons need not start anew.
    mutating func tail(after copies: Int, _ now: Instant) {
        // Who misses the copies and the beacon too would learn of the event late.
        let loss = reportedLoss(now: now)
        let missing = (0..<copies).reduce(loss) { product, _ in product * loss / 1_000 }
        tailsOwed = missing > Limits.unawarePerMilleMax ? 2 : 1
        trickle.interval = copies > 2 ? Limits.trickleCalm / 2 : Limits.trickleCalm
        trickle.due = now + Limits.tailDelay(copies: copies) + Limits.tailDelayPerVoice * hearers(now)
        trickle.consistent = 0
    }

    /// By how much at most, by chance, those who missed the same wait: the more they are the longer.
    func gapJitter(now: Instant) -> Int64 {
        min(Limits.gapJitterMicroseconds, Limits.gapJitterMicrosecondsPerMember * Int64(hearers(now) + 1))
    }

    /// How long something missed is waited for before it is asked for: further copies are on their way.
    func gapDelay(now: Instant) -> Duration {
        Limits.copyPauses.prefix(copies(isUrgent: false, now: now) - 1).reduce(Limits.gapDelay, +)
    }

    /// How long a question waits for its answer: where many are lost, not long.
    func gapRepeat(now: Instant) -> Duration {
        Loudness(reportedLoss(now: now)) == .veryLossy ? Limits.gapRepeatWhenLossy : Limits.gapRepeat
    }

    /// The least interval of beacons among so many.
    func trickleMin(now: Instant) -> Duration { Limits.trickleMin + Limits.trickleMinPerVoice * hearers(now) }

    /// Members who are heard.
    func hearers(_ now: Instant) -> Int {
        let lifetime = voiceLifetime
        return voices.values.count { now - $0.at < lifetime }
    }
}

/// How much is lost, as far as rules differ.
enum Loudness: Hashable, Comparable, Sendable {
    case calm, lossy, veryLossy

    /// - Parameter perMille: lost of a thousand.
    init(_ perMille: Int) {
        self = perMille < Limits.lossHigh ? .calm : perMille < Limits.lossVeryHigh ? .lossy : .veryLossy
    }

    /// Copies of a run at least.
    var copiesMin: Int {
        switch self {
        case .calm: 1
        case .lossy: 2
        case .veryLossy: 3
        }
    }

    /// By how much more words are needed until one of them has come.
    var words: Int {
        switch self {
        case .calm: 1
        case .lossy: 2
        case .veryLossy: 4
        }
    }
}
