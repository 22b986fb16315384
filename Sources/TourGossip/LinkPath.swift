import TourModel
import TourWire

/// Datagrams to the peer of one link and back: what is sent is acknowledged, sent again until it is, and given to the
/// connection in the end. Messages come once, in any order. Source: `Protocol/08-datagrams.md`, "Paths".
struct LinkPath: Hashable, Sendable {
    /// Whether both sides hear datagrams, as far as the shell knows.
    private(set) var isOffered = false
    /// The peer acknowledged the last that could be: datagrams come through both ways.
    private(set) var isProven = false
    /// No try before this: the last ones failed.
    private var pausedUntil: Instant?
    private var last: UInt64 = 0
    private(set) var waiting: [UInt64: Parcel] = [:]
    private var arrived = Arrivals()
    private var acknowledgement: (due: Instant, left: Int)? {
        get { acknowledgementDue.map { ($0, acknowledgementsLeft) } }
        set { (acknowledgementDue, acknowledgementsLeft) = (newValue?.due, newValue?.left ?? 0) }
    }
    private var acknowledgementDue: Instant?
    private var acknowledgementsLeft = 0
    /// What the next acknowledgement is an answer to, if it goes out at once.
    private var answers: UInt64 = 0
    /// When the last acknowledgement came.
    private var confirmedAt: Instant?
    private var times = RoundTrips()
    private(set) var loss = PathLoss()
    private var budget = AirBudget()

    /// What one datagram carries, until it is acknowledged.
    struct Parcel: Hashable, Sendable {
        var messages: [LinkMessage]
        /// How long its acknowledgement may wait, in milliseconds.
        var patience: Int
        var sentAt: Instant
        var due: Instant
        var tries = 1
    }

    init() {}

    mutating func offer(_ isOffered: Bool) {
        guard isOffered != self.isOffered else { return }
        self = LinkPath()
        self.isOffered = isOffered
    }

    // MARK: - Sending

    /// Whether a message of so many bytes may go now.
    mutating func takes(_ bytes: Int, now: Instant) -> Bool {
        guard isProven, bytes <= Limits.pathMessageBytesMax, hasRoom else { return false }
        return budget.take(bytes, now: now)
    }

    private var hasRoom: Bool { waiting.keys.min().map { last - $0 < Limits.pathWindow - 1 } ?? true }

    /// Whether it is time for a datagram without content, to see if it comes through.
    func wantsTry(_ now: Instant) -> Bool {
        isOffered && !isProven && waiting.isEmpty && pausedUntil.map { $0 <= now } ?? true
    }

    /// A datagram with these messages.
    /// - Parameter isLive: whether somebody waits for them: then the acknowledgement does not wait long, and where
    ///   something is lost not at all.
    mutating func send(_ messages: [LinkMessage], isLive: Bool, isPressing: Bool, _ now: Instant) -> PathDatagram {
        last += 1
        let isPrompt = !isProven || isPressing || isLive && loss.isHigh
        let patience =
            isPrompt ? 0 : isLive || loss.isHigh ? Limits.pathLivePatience : Limits.pathPatienceMax
        waiting[last] = Parcel(
            messages: messages, patience: patience, sentAt: now,
            due: now + .milliseconds(patience) + pause(tries: 1))
        return datagram(last, now)
    }

    /// How long a try waits for its acknowledgement, after what that may be held back.
    private func pause(tries: Int) -> Duration {
        let pause = times.timeout + (loss.isVeryHigh ? Limits.pathRepeatDelay : .zero)
        return pause * (1 << min(max(tries - Limits.pathQuickTries, 0), Limits.pathDoublingsMax))
    }

    private mutating func datagram(_ number: UInt64, _ now: Instant) -> PathDatagram {
        var datagram = PathDatagram(number: number)
        datagram.messages = waiting[number]?.messages ?? []
        datagram.patience = waiting[number]?.patience ?? 0
        datagram.acknowledged = arrived.last
        datagram.before = arrived.before
        // What it says need not be said again, unless much is lost.
        if acknowledgementsLeft <= 1 { acknowledgement = nil }
        return datagram
    }

    // MARK: - Hearing

    /// - Returns: whether its messages are new.
    mutating func hear(_ datagram: PathDatagram, _ now: Instant) -> Bool {
        confirm(datagram, now)
        guard datagram.number > 0 else { return false }
        let leavesGap = datagram.number > arrived.last + 1 && arrived.last > 0
        let isNew = arrived.insert(datagram.number)
        answers = datagram.patience == 0 ? datagram.number : answers
        let patience: Duration = leavesGap || !isNew ? .zero : .milliseconds(datagram.patience)
        let due = min(acknowledgementDue ?? now + patience, now + patience)
        acknowledgement = (due, datagram.patience == 0 && loss.isVeryHigh ? 2 : max(1, acknowledgementsLeft))
        return isNew
    }

    /// What the peer says came to it.
    private mutating func confirm(_ datagram: PathDatagram, _ now: Instant) {
        guard datagram.acknowledged > 0, datagram.acknowledged <= last else { return }
        for number in waiting.keys.sorted() where datagram.acknowledges(number) {
            guard let parcel = waiting.removeValue(forKey: number) else { continue }
            isProven = true
            pausedUntil = nil
            loss.note(tries: parcel.tries)
            confirmedAt = now
            if parcel.tries == 1, number == datagram.answered { times.note(now - parcel.sentAt) }
        }
        // What went out a good while before something that came is lost, not late.
        let late = waiting.filter { number, parcel in
            number < datagram.acknowledged && parcel.tries == 1 && now - parcel.sentAt > times.timeout
        }
        for (number, parcel) in late { waiting[number]?.due = min(parcel.due, now) }
    }

    // MARK: - Time

    /// Everything that is due: datagrams to send, and messages for the connection after all.
    mutating func run(_ now: Instant) -> (datagrams: [PathDatagram], givenUp: [LinkMessage]) {
        var datagrams = [PathDatagram]()
        var givenUp = [LinkMessage]()
        for number in waiting.keys.sorted() {
            guard let parcel = waiting[number], parcel.due <= now else { continue }
            let isAlive = confirmedAt.map { now - $0 < Limits.pathSilence } ?? false
            guard isAlive || parcel.tries < Limits.pathTriesMax else {
                givenUp += giveUp(now)
                break
            }
            var next = parcel
            next.tries += 1
            next.patience = 0
            next.due = now + pause(tries: next.tries)
            waiting[number] = next
            _ = budget.take(Limits.pathMessageBytesMax / 2, mustGo: true, now: now)
            datagrams.append(datagram(number, now))
        }
        if let (due, left) = acknowledgement, due <= now {
            acknowledgement = left > 1 ? (now + Limits.pathRepeatDelay, left - 1) : nil
            var datagram = PathDatagram(number: 0)
            datagram.acknowledged = arrived.last
            datagram.before = arrived.before
            datagram.answered = answers
            answers = 0
            datagrams.append(datagram)
        }
        return (datagrams, givenUp)
    }

    /// Nothing comes through: the connection takes everything, and after a while it is tried again.
    private mutating func giveUp(_ now: Instant) -> [LinkMessage] {
        let messages = waiting.sorted { $0.key < $1.key }.flatMap(\.value.messages)
        waiting = [:]
        isProven = false
        pausedUntil = now + Limits.pathPause
        return messages
    }

    var nextDeadline: Instant? {
        let due = waiting.values.map(\.due).min()
        guard let acknowledgementDue else { return due }
        return min(due ?? acknowledgementDue, acknowledgementDue)
    }
}

extension PathDatagram {
    fileprivate func acknowledges(_ number: UInt64) -> Bool {
        guard number < acknowledged else { return number == acknowledged }
        let back = acknowledged - number - 1
        return back < 64 && before >> back & 1 == 1
    }
}

/// Which numbers of the peer came.
private struct Arrivals: Hashable, Sendable {
    private(set) var last: UInt64 = 0
    /// Bit i: `last` - 1 - i came.
    private(set) var before: UInt64 = 0

    /// - Returns: whether it is new. What is too old to tell counts as known.
    mutating func insert(_ number: UInt64) -> Bool {
        guard number > last else {
            guard number < last, last - number <= 64 else { return false }
            let bit = UInt64(1) << (last - number - 1)
            defer { before |= bit }
            return before & bit == 0
        }
        let step = number - last
        // Shifts of 64 and more leave nothing.
        before = last == 0 ? 0 : before << step | (step <= 64 ? 1 << (step - 1) : 0)
        last = number
        return true
    }
}

/// How long datagrams and their acknowledgements take. Source: RFC 6298.
private struct RoundTrips: Hashable, Sendable {
    private var mean: Int64?
    private var deviation: Int64 = 0

    mutating func note(_ time: Duration) {
        let time = time.microseconds
        guard let mean else {
            (self.mean, deviation) = (time, time / 2)
            return
        }
        deviation += (abs(time - mean) - deviation) / 4
        self.mean = mean + (time - mean) / 8
    }

    var timeout: Duration {
        guard let mean else { return Limits.pathTimeoutFirst }
        let wanted = Duration.microseconds(mean + 4 * deviation)
        return min(max(wanted, Limits.pathTimeoutMin), Limits.pathTimeoutMax)
    }
}

/// Of how many datagrams the first try, or its acknowledgement, was lost: of a thousand. It
/// is believed sooner than that it is over.
struct PathLoss: Hashable, Sendable {
    private var perMille = 0

    mutating func note(tries: Int) {
        let lost = 1_000 * (tries - 1) / max(tries, 1)
        perMille += (lost - perMille) / (lost > perMille ? 16 : 64)
    }

    var isHigh: Bool { perMille >= Limits.pathLossHigh }
    var isVeryHigh: Bool { perMille >= Limits.pathLossVeryHigh }
}
