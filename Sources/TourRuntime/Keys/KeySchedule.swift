import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourWire

/// Whether a newcomer gets an epoch of its own.
package enum NewcomerEpoch: Hashable, Sendable {
    /// None is needed or allowed: the newcomer enters the existing one.
    case none
    /// Not yet: ask again once keys have changed, or after a second.
    case later
    /// The caller rekeys now, and reports the end by `TourInput.rekeyed`.
    case begins
}

/// A node's pending work about a tour's epochs: our turn to rekey, keys that we ask for and are asked for, our wrapping
/// key. Source: `Protocol/05-events.md`, "Epochs".
struct KeySchedule: Sendable {
    /// Our turn to rekey: the reason, and the heads that the new epoch replaces.
    private var turn: (reason: RekeyReason, heads: [EpochID], dueAt: Instant)?
    /// We are writing a rekey.
    private(set) var isRekeying = false
    /// When we ended a code and removed everybody who joined with it: they hold keys, so the epoch without them must
    /// not wait.
    private var endedCodeAt: Instant?
    /// We are removing several members, and make one epoch after all of them.
    private var isRemovingSeveral = false
    /// We are making a code that follows a removal of ours.
    private(set) var isInviting = false
    private var publishing = Publishing.idle
    /// The epochs that we asked for on each link since the last review.
    private var asked: [LinkID: [EpochID]] = [:]
    /// When our current period of answering began on each link, and how many answers it has had.
    private var answered: [LinkID: (since: Instant, count: Int)] = [:]
    /// The newest events that arrived before their epochs' keys: they are shown once they can be read.
    private var unreadable: [EventHeader] = []
    private var reviewAt: Instant?

    /// Our newest wrapping key on its way to the others.
    private enum Publishing {
        case idle
        case waiting(until: Instant)
        case writing
    }

    /// More than usually arrive between a rekey and its key.
    private static let unreadableMax = 1_000
    /// On average one answer a second, in bursts of `answersMax`.
    private static let answerPeriod: Duration = .seconds(8)
    private static let answersMax = 8
    /// People removed with an ended code make a prompt rekey necessary for so long.
    private static let promptTime: Duration = .seconds(10)
    private static let reviewInterval: Duration = .seconds(10)
    /// The members of a tour publish their wrapping keys spread over this time for each member, and at most over
    /// `publishingTimeMax` in all.
    private static let publishingTime: Duration = .seconds(3)
    private static let publishingTimeMax: Duration = .seconds(600)

    // MARK: - Our turn

    /// Whether people removed with an ended code still make a prompt rekey necessary.
    func isPrompt(now: Instant) -> Bool { endedCodeAt.map { now - $0 < Self.promptTime } ?? false }

    /// Sets, keeps or cancels our turn.
    /// - Parameters:
    ///   - reason: why a rekey of ours is due; nil: none is.
    ///   - isOwnAct: our own act is the reason, so that it is done at once.
    mutating func consider(
        _ reason: RekeyReason?, of own: MemberID, in group: TourGroup, isOwnAct: Bool, _ step: inout TourStep
    ) {
        guard let reason, !isRekeying, !isRemovingSeveral else { return turn = nil }
        let heads = group.keyring.graph.heads
        let isPrompt = isOwnAct && (reason == .removal || reason == .leaving && isPrompt(now: step.now))
        if let turn, turn.reason == reason, turn.heads == heads, !isPrompt { return }
        let delay: Duration = isPrompt ? .zero : group.rekeyDelay(of: own, for: reason, using: &step.rng)
        turn = (reason, heads, step.now + delay)
    }

    /// - Returns: whether our turn has come; it is over then.
    mutating func consumeTurn(now: Instant) -> Bool {
        guard let due = turn?.dueAt, due <= now else { return false }
        turn = nil
        return !isRekeying
    }

    mutating func beginRekey() { isRekeying = true }

    mutating func endRekey(isWritten: Bool) {
        isRekeying = false
        if isWritten { endedCodeAt = nil }
    }

    /// We ended a code.
    /// - Parameter hasMembers: somebody had joined with it.
    mutating func recordEndedCode(hasMembers: Bool, now: Instant) { endedCodeAt = hasMembers ? now : nil }

    mutating func setRemovingSeveral(_ isRemoving: Bool) { isRemovingSeveral = isRemoving }

    mutating func setInviting(_ isInviting: Bool) { self.isInviting = isInviting }

    // MARK: - Our wrapping key

    /// A new wrapping key is due: publishes it after a random time.
    mutating func considerPublishing(members: Int, _ step: inout TourStep) {
        guard case .idle = publishing else { return }
        let longest = min(
            Self.publishingTime.microseconds * Int64(max(members, 1)), Self.publishingTimeMax.microseconds)
        publishing = .waiting(until: step.now + .microseconds(Int64.random(in: 0...longest, using: &step.rng)))
    }

    /// - Returns: whether the time to publish has come.
    mutating func consumePublishing(now: Instant) -> Bool {
        guard case .waiting(let due) = publishing, due <= now else { return false }
        publishing = .writing
        return true
    }

    mutating func endPublishing() { publishing = .idle }

    // MARK: - Asking and answering

    /// Records that these epochs are asked for on a link.
    /// - Returns: false if they have been since the last review.
    mutating func ask(_ missing: [EpochID], on link: LinkID) -> Bool {
        guard asked[link] != missing else { return false }
        asked[link] = missing
        return true
    }

    func asked(on link: LinkID) -> Set<EpochID> { Set(asked[link] ?? []) }

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

    // MARK: - Events without a key

    /// The epochs of events that cannot be read yet.
    var unreadableEpochs: Set<EpochID> { Set(unreadable.map(\.epoch)) }

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

    // MARK: - Time

    /// - Returns: whether the epochs are to be reviewed now: every ten seconds.
    mutating func consumeReview(now: Instant) -> Bool {
        if let reviewAt, now < reviewAt { return false }
        reviewAt = now + Self.reviewInterval
        return true
    }

    /// Peers may have received a key since: missing ones may be asked for again.
    mutating func allowAsking() { asked = [:] }

    /// When something here is due.
    var deadline: Instant? {
        let due = Instant.earlier(turn?.dueAt, reviewAt)
        guard case .waiting(let publishingAt) = publishing else { return due }
        return Instant.earlier(due, publishingAt)
    }
}
