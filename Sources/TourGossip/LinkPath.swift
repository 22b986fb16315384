import TourModel
import TourWire

/// Datagrams to the peer of one link and back: each message is acknowledged, asked about or sent again until it
/// arrives, and in the end goes over the connection. Messages arrive once, in any order.
/// Source: `Protocol/08-datagrams.md`, "Paths".
struct LinkPath: Hashable, Sendable {
    /// The most numbers in flight: one acknowledgement covers so many.
    static let window: UInt64 = 64
    /// The longest message that goes out by datagram: with number, acknowledgement and envelope it fits one.
    static let messageBytesMax = Limits.pathPlaintextBytesMax - 48
    /// The bytes of rows that go out by datagrams at once; the next follow after `Limits.claimDelay`. Half of what a
    /// path carries, so that events have room beside them.
    static let rowsAtOnceBytes = 7_500
    /// How long the acknowledgement of live events may be held back for others, in milliseconds; where there is loss,
    /// that of rows.
    private static let livePatience = 100
    /// Messages up to this size are sent again, where for longer ones a question is sent: a question has as many bytes.
    private static let shortBytes = 96
    /// The tries, questions included, before the wait for an acknowledgement doubles, and how often it doubles.
    private static let quickTries = 6
    private static let doublingsMax = 3
    /// The tries before the connection takes over, if nothing was acknowledged for `silence`.
    private static let triesMax = 14
    /// The same for a peer that still acknowledges something.
    private static let triesOfAliveMax = 40
    private static let silence: Duration = .seconds(1)
    /// The time after which a failed path is tried again.
    private static let failurePause: Duration = .seconds(5)
    /// The time between two copies of an acknowledgement that goes out twice.
    private static let echoPause: Duration = .milliseconds(3)
    /// The silence after which this node asks a peer for a sign of life: before the connection would ask.
    private static let lifeInterval: Duration = .seconds(9)

    /// Whether both sides hear datagrams, as far as the shell knows.
    private(set) var isOffered = false
    /// The peer acknowledged the last datagram that it could: datagrams arrive both ways.
    private(set) var isProven = false
    /// No attempt before this: the last ones failed.
    private var pausedUntil: Instant?
    private var last: UInt64 = 0
    private(set) var waiting: [UInt64: Parcel] = [:]
    private var arrived = PathArrivals()
    /// When an acknowledgement goes out, unless another datagram carries it before.
    private var acknowledgementDue: Instant?
    /// The number that the next datagram answers, if it goes out at once.
    private var answers: UInt64 = 0
    /// When the last acknowledgement arrived.
    private var confirmedAt: Instant?
    /// When this node asks the peer for a sign of life, unless one of its datagrams arrives before; and how often it
    /// asked.
    private var lifeDue: Instant?
    private var lifeTries = 0
    /// When the last acknowledgement is sent once more, since many are lost.
    private var echoDue: Instant?
    private var duplicates = PathDuplicates()
    private var times = RoundTrips()
    private(set) var loss = PathLoss()
    /// The budgets of first sendings and of repeats: a peer cannot make us send more by asking for repeats.
    private var budget = AirBudget()
    private var repeats = AirBudget()

    /// The contents of one datagram, until it is acknowledged.
    struct Parcel: Hashable, Sendable {
        var messages: [LinkMessage]
        var bytes: Int
        /// How long its acknowledgement may wait, in milliseconds.
        var patience: Int
        /// When it was last sent.
        var sentAt: Instant
        var due: Instant
        var sendings = 1
        /// The sendings and the questions about it.
        var tries = 1
        var isAsked = false
        /// The peer has stated since the last sending that it did not arrive.
        var isMissing = false

        /// Whether the next message of its kind can state the same, and more.
        var canBeRetold: Bool {
            patience == Limits.pathPatienceMax
                && messages.allSatisfy { message in
                    if case .have = message { true } else { false }
                }
        }

        /// Whether it is sent again unless it is acknowledged: it is known to be lost, a question brought no answer, or
        /// it is as short as a question.
        /// - Parameter isLossy: whether loss is so high that a question plus a copy costs more than a copy.
        func isToGoAgain(isLossy: Bool) -> Bool {
            isMissing || isAsked || bytes <= LinkPath.shortBytes || isLossy && patience == 0
        }
    }

    /// How soon the sender must know that a message arrived.
    enum Urgency: Hashable, Sendable {
        /// It must not depend on luck.
        case pressing
        /// Somebody waits for it.
        case live
        /// Others continue from it, without hurry.
        case calm
        /// The next message of its kind states the same.
        case late
    }

    init() {}

    mutating func offer(_ isOffered: Bool) {
        guard isOffered != self.isOffered else { return }
        self = LinkPath()
        self.isOffered = isOffered
    }

    var quality: PathQuality {
        let state: PathQuality.State =
            !isOffered ? .off : isProven ? .working : pausedUntil == nil ? .untested : .blocked
        return PathQuality(state: state, roundTrip: times.mean, lossPerMille: loss.perMille)
    }

    // MARK: - Sending

    /// Whether a message of so many bytes may go now. Pressing messages are short or rare, and others wait for them.
    mutating func acquire(_ bytes: Int, _ haste: Urgency, now: Instant) -> Bool {
        guard isProven, bytes <= Self.messageBytesMax, hasRoom else { return false }
        return budget.acquire(bytes, mustGo: haste == .pressing && bytes <= Self.shortBytes, now: now)
    }

    private var hasRoom: Bool { waiting.keys.min().map { last - $0 < Self.window - 1 } ?? true }

    /// Whether it is time for an empty datagram that probes the path.
    func wantsTry(_ now: Instant) -> Bool {
        isOffered && !isProven && waiting.isEmpty && pausedUntil.map { $0 <= now } ?? true
    }

    /// A datagram with these messages, of so many bytes.
    mutating func send(_ messages: [LinkMessage], bytes: Int, _ haste: Urgency, _ now: Instant) -> PathDatagram {
        last += 1
        let patience = patience(of: haste)
        waiting[last] = Parcel(
            messages: messages, bytes: bytes, patience: patience, sentAt: now,
            due: now + .milliseconds(patience) + pause(tries: 1))
        return datagram(last)
    }

    /// How long an acknowledgement may wait, in milliseconds; less where there is loss.
    private func patience(of haste: Urgency) -> Int {
        guard isProven else { return 0 }
        return switch haste {
        case .pressing: 0
        case .live: loss.isHigh ? 0 : Self.livePatience
        case .calm: loss.isHigh ? Self.livePatience : Limits.pathPatienceMax
        case .late: Limits.pathPatienceMax
        }
    }

    /// How long a try waits for its acknowledgement, after the time for which that may be held back.
    private func pause(tries: Int) -> Duration {
        times.timeout * (1 << min(max(tries - Self.quickTries, 0), Self.doublingsMax))
    }

    /// Builds the datagram. Its acknowledgement need not be repeated; a first sending carries none unless the peer
    /// waits for one.
    private mutating func datagram(_ number: UInt64) -> PathDatagram {
        var datagram = PathDatagram(number: number)
        let parcel = waiting[number]
        datagram.messages = parcel?.messages ?? []
        datagram.patience = parcel?.patience ?? 0
        if acknowledgementDue != nil || parcel?.sendings != 1 {
            datagram.acknowledged = arrived.last
            datagram.missing = arrived.missing
            datagram.answered = answers
        }
        (acknowledgementDue, answers) = (nil, 0)
        return datagram
    }

    // MARK: - Hearing

    /// - Returns: whether its messages are new.
    mutating func receive(_ datagram: PathDatagram, _ now: Instant) -> Bool {
        confirm(datagram, now)
        if isProven { awaitLife(now) }
        if datagram.asks { acknowledgementDue = now }
        guard datagram.number > 0 else { return false }
        // The peer chose the numbers, up to the highest there is: nothing is added to one.
        let leavesGap = arrived.last > 0 && datagram.number > arrived.last && datagram.number - arrived.last > 1
        let isNew = arrived.insert(datagram.number)
        duplicates.record(isNew: isNew)
        answers = datagram.patience == 0 ? datagram.number : answers
        let patience: Duration = leavesGap || !isNew ? .zero : .milliseconds(datagram.patience)
        acknowledgementDue = min(acknowledgementDue ?? now + patience, now + patience)
        return isNew
    }

    /// Applies the peer's acknowledgement. A datagram sent well before that it does not list is lost, not late.
    private mutating func confirm(_ datagram: PathDatagram, _ now: Instant) {
        guard datagram.acknowledged <= last, datagram.acknowledged > 0 || datagram.number == 0 else { return }
        for number in waiting.keys.sorted() {
            guard let parcel = waiting[number] else { continue }
            if datagram.acknowledges(number) {
                waiting[number] = nil
                isProven = true
                pausedUntil = nil
                loss.record(tries: parcel.tries)
                confirmedAt = now
                if parcel.sendings == 1, number == datagram.answered { times.record(now - parcel.sentAt) }
            } else if now - parcel.sentAt > times.timeout, !parcel.isMissing {
                waiting[number]?.isMissing = true
                if parcel.tries < Self.quickTries { waiting[number]?.due = min(parcel.due, now) }
            }
        }
    }

    // MARK: - Time

    /// The peer showed that it is alive, here or elsewhere: after a silence from now on it is asked. The connection
    /// would ask as well, but under high loss that takes too long, and live links would end.
    mutating func awaitLife(_ now: Instant) {
        lifeDue = now + Self.lifeInterval
        lifeTries = 0
    }

    /// Whether to ask the peer for a sign of life.
    func isLifeDue(_ now: Instant) -> Bool { lifeDue.map { $0 <= now } ?? false }

    /// The work due at a moment.
    struct Work: Sendable {
        var datagrams: [PathDatagram] = []
        /// Messages that fall back to the connection.
        var givenUp: [LinkMessage] = []
        /// Lost messages whose contents go out with the next of their kind.
        var retold: [LinkMessage] = []
    }

    /// Does everything that is due.
    mutating func run(_ now: Instant) -> Work {
        var work = Work()
        var isQuestionDue = false
        for number in waiting.keys.sorted() {
            guard var parcel = waiting[number], parcel.due <= now else { continue }
            guard mayTry(parcel, now) else {
                work.givenUp = giveUp(now)
                return work
            }
            if parcel.isMissing, parcel.canBeRetold {
                loss.record(tries: parcel.tries + 1)
                work.retold += parcel.messages
                waiting[number] = nil
                continue
            }
            if parcel.isToGoAgain(isLossy: loss.isVeryHigh) {
                guard repeats.acquire(parcel.bytes, now: now) else {
                    waiting[number]?.due = now + times.timeout
                    continue
                }
                parcel.sendings += 1
                parcel.sentAt = now
                (parcel.patience, parcel.isAsked, parcel.isMissing) = (0, false, false)
            } else {
                parcel.isAsked = true
                isQuestionDue = true
            }
            parcel.tries += 1
            parcel.due = now + pause(tries: parcel.tries)
            waiting[number] = parcel
            if !parcel.isAsked { work.datagrams.append(datagram(number)) }
        }
        if isLifeDue(now) {
            guard lifeTries < Self.triesMax else {
                work.givenUp = giveUp(now)
                return work
            }
            lifeTries += 1
            lifeDue = now + max(pause(tries: lifeTries), RoundTrips.timeoutFirst)
            isQuestionDue = true
        }
        // A repeat is answered at once as well, and its answer covers all.
        let isEchoDue = echoDue.map { $0 <= now } ?? false
        if isEchoDue { echoDue = nil }
        let isAcknowledgementDue = isEchoDue || acknowledgementDue.map { $0 <= now } ?? false
        if isAcknowledgementDue, answers > 0, duplicates.areMany { echoDue = now + Self.echoPause }
        if isAcknowledgementDue || isQuestionDue && work.datagrams.isEmpty {
            var datagram = datagram(0)
            datagram.asks = isQuestionDue && work.datagrams.isEmpty
            work.datagrams.append(datagram)
        }
        return work
    }

    /// A silent peer is given up sooner than one that still reports losses.
    private func mayTry(_ parcel: Parcel, _ now: Instant) -> Bool {
        let isAlive = confirmedAt.map { now - $0 < Self.silence } ?? false
        return parcel.tries < (isAlive ? Self.triesOfAliveMax : Self.triesMax)
    }

    /// Nothing gets through: the connection takes everything, and the path is tried again after a while.
    private mutating func giveUp(_ now: Instant) -> [LinkMessage] {
        let messages = waiting.sorted { $0.key < $1.key }.flatMap(\.value.messages)
        waiting = [:]
        isProven = false
        lifeDue = nil
        pausedUntil = now + Self.failurePause
        return messages
    }

    var nextDeadline: Instant? {
        var deadline = Deadline(waiting.values.map(\.due).min())
        deadline.consider(acknowledgementDue)
        deadline.consider(echoDue)
        deadline.consider(lifeDue)
        return deadline.earliest
    }
}
