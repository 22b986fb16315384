import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourWire

/// What a node has under way about a tour's epochs.
struct EpochChores {
    /// Our turn to rekey: why, over which heads, and the timer.
    var turn: (reason: RekeyReason, heads: [EpochID], task: Scheduled<Void>)?
    /// A rekey of ours is being written.
    var isRekeying = false
    /// When we ended a code and put those out who came by it: they hold keys, and an epoch without them waits for
    /// nothing.
    var endedCodeAt: Instant?
    /// We remove several, and make one epoch behind all of them.
    var isRemovingSeveral = false
    /// A code that follows a removal of ours is being made.
    var isInviting = false
    /// A new wrapping key of ours is about to be published.
    var publishing: Scheduled<Void>?
    /// What was asked for on each link since the last check.
    var asked: [LinkID: [EpochID]] = [:]
    /// When we answered last what was asked on each link.
    private var answered: [LinkID: (since: Instant, count: Int)] = [:]
    /// Those who wait for a key to write under.
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Events that came before their epochs' keys, the last of them: followers are told once they can be read.
    private(set) var unreadable: [EventHeader] = []
    /// Dials in vain since the last one that led to a member: each is made with the next older epoch's secret.
    private var failures: [Dialer.Address: Int] = [:]

    /// More than arrive between a rekey and its key.
    private static let unreadableMax = 1_000

    /// Whether a question on a link is answered now; some in a row are, since several epochs may come at once.
    mutating func mayAnswer(_ link: LinkID, now: Instant) -> Bool {
        guard let (since, count) = answered[link], now - since < Self.answerPeriod else {
            answered[link] = (now, 1)
            return true
        }
        answered[link] = (since, min(count + 1, Self.answersMax + 1))
        return count < Self.answersMax
    }

    /// A link is gone.
    mutating func forget(_ link: LinkID) {
        asked[link] = nil
        answered[link] = nil
    }

    /// One a second, and a burst.
    private static let answerPeriod: Duration = .seconds(8)
    private static let answersMax = 8

    /// Whether that is still to be done at once.
    func isPrompt(now: Instant) -> Bool { endedCodeAt.map { now - $0 < Self.promptTime } ?? false }

    private static let promptTime: Duration = .seconds(10)

    mutating func noteUnreadable(_ header: EventHeader) {
        unreadable.append(header)
        if unreadable.count > Self.unreadableMax { unreadable.removeFirst(unreadable.count - Self.unreadableMax) }
    }

    /// Those that can be read now; they are no more unreadable.
    mutating func takeReadable(_ canRead: (EpochID) -> Bool) -> [EventHeader] {
        let readable = unreadable.filter { canRead($0.epoch) }
        unreadable.removeAll { canRead($0.epoch) }
        return readable
    }

    mutating func noteFailure(at address: Dialer.Address) {
        if failures.count >= Limits.candidatesMax { failures = [:] }
        failures[address, default: 0] += 1
    }

    /// Which of so many secrets, the newest first, is tried at an address.
    func choice(of count: Int, for address: Dialer.Address) -> Int { (failures[address] ?? 0) % max(count, 1) }
}

extension TourSession {
    /// Epochs' secrets that are tried in turn where nobody opens to the newest: the other may be behind.
    private static let credentialsTried = 8

    func credential(for target: Dialer.Target, datagramPort: Int) -> LinkCredential? {
        let credentials = memberCredentials(datagramPort: datagramPort).prefix(Self.credentialsTried)
        guard !credentials.isEmpty else { return nil }
        return credentials[epochs.choice(of: credentials.count, for: target.address)]
    }

    /// Nothing of ours is made any more, and nobody is kept waiting.
    func endEpochs() {
        epochs.turn?.task.cancel()
        epochs.turn = nil
        epochs.publishing?.cancel()
        epochs.publishing = nil
        endKeyWaits()
    }

    /// Whoever waits for a key looks again.
    func endKeyWaits() {
        let waiting = epochs.waiting
        epochs.waiting = []
        for one in waiting { one.resume() }
    }
}

extension EpochSecret {
    /// - Returns: nil for a key of another length, which no epoch has.
    init?(_ key: EpochKey) {
        guard let bytes = Bytes32(key.key.exposedCopy()) else { return nil }
        self.init(epoch: key.id, key: bytes)
    }
}
