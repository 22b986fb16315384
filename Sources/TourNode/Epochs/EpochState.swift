import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourWire

/// A node's pending work about a tour's epochs.
struct EpochState {
    /// Our turn to rekey: the reason, the heads that the new epoch replaces, and the timer.
    var turn: (reason: RekeyReason, heads: [EpochID], task: Scheduled<Void>)?
    /// We are writing a rekey.
    var isRekeying = false
    /// When we ended a code and removed everybody who joined with it: they hold keys, so the epoch without them must
    /// not wait.
    var endedCodeAt: Instant?
    /// We are removing several members, and make one epoch after all of them.
    var isRemovingSeveral = false
    /// We are making a code that follows a removal of ours.
    var isInviting = false
    /// Publishes our new wrapping key in a moment.
    var publishing: Scheduled<Void>?
    /// The epochs that we asked for on each link since the last check.
    var asked: [LinkID: [EpochID]] = [:]
    /// When our current period of answering began on each link, and how many answers it has had.
    private var answered: [LinkID: (since: Instant, count: Int)] = [:]
    /// Writers that wait for a key to seal under.
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// The newest events that arrived before their epochs' keys: followers get them once they can be read.
    private(set) var unreadable: [EventHeader] = []
    /// Failed dials of each address since the last one that led to a member: each further dial uses the next older
    /// epoch's secret.
    private var failures: [Dialer.Address: Int] = [:]

    /// More than usually arrive between a rekey and its key.
    private static let unreadableMax = 1_000

    /// Whether to answer a question on a link now; several in a row are answered, since several epochs may arrive at
    /// once.
    mutating func mayAnswer(_ link: LinkID, now: Instant) -> Bool {
        guard let (since, count) = answered[link], now - since < Self.answerPeriod else {
            answered[link] = (now, 1)
            return true
        }
        answered[link] = (since, min(count + 1, Self.answersMax + 1))
        return count < Self.answersMax
    }

    /// The link has closed.
    mutating func forget(_ link: LinkID) {
        asked[link] = nil
        answered[link] = nil
    }

    /// On average one answer a second, in bursts of `answersMax`.
    private static let answerPeriod: Duration = .seconds(8)
    private static let answersMax = 8

    /// Whether people removed with an ended code still make a prompt rekey necessary.
    func isPrompt(now: Instant) -> Bool { endedCodeAt.map { now - $0 < Self.promptTime } ?? false }

    private static let promptTime: Duration = .seconds(10)

    mutating func recordUnreadable(_ header: EventHeader) {
        unreadable.append(header)
        if unreadable.count > Self.unreadableMax { unreadable.removeFirst(unreadable.count - Self.unreadableMax) }
    }

    /// Removes and returns the events that can be read now.
    mutating func drainReadable(_ canRead: (EpochID) -> Bool) -> [EventHeader] {
        let readable = unreadable.filter { canRead($0.epoch) }
        unreadable.removeAll { canRead($0.epoch) }
        return readable
    }

    /// A dial led to a member: the next one begins with the newest epoch again.
    mutating func recordSuccess(at address: Dialer.Address) { failures[address] = nil }

    mutating func recordFailure(at address: Dialer.Address) {
        if failures.count >= Limits.candidatesMax { failures = [:] }
        failures[address, default: 0] += 1
    }

    /// Which of `count` secrets, newest first, to try at an address.
    func choice(of count: Int, for address: Dialer.Address) -> Int { (failures[address] ?? 0) % max(count, 1) }
}

extension TourSession {
    /// How many epochs' secrets are tried in turn where nobody opens to the newest: the peer may be behind.
    private static let credentialsTried = 8

    func credential(for target: Dialer.Target, datagramPort: Int) -> LinkCredential? {
        let credentials = memberCredentials(datagramPort: datagramPort).prefix(Self.credentialsTried)
        guard !credentials.isEmpty else { return nil }
        return credentials[epochs.choice(of: credentials.count, for: target.address)]
    }

    /// Cancels our rekey and our publishing, and resumes every writer that waits for a key.
    func endEpochs() {
        epochs.turn?.task.cancel()
        epochs.turn = nil
        epochs.publishing?.cancel()
        epochs.publishing = nil
        endKeyWaits()
    }

    /// Resumes the writers that wait for a key, so that they look again.
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
