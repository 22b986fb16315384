import TourModel
import TourWire

/// Whether a node may write on in its own log. Source: `Protocol/06-replication.md`, "One's own log".
///
/// A store can be older than the log written from it: restored from a backup, or one of two copies. A node that appends
/// from there uses a sequence twice, which is a fork.
package enum OwnLogState: UInt8, Hashable, Sendable {
    /// The log may be written.
    case ready = 0
    /// The store came from a backup: the events that others hold of the log come first.
    case restored = 1
    /// The store was copied, or moved to another machine: the same applies.
    case copied = 2
    /// Two logs were written with this key: neither continues.
    case forked = 3
    /// The user gave up the key.
    case retired = 4

    /// Whether the log waits for what others hold of it.
    package var isRecovering: Bool { self == .restored || self == .copied }
}

/// The transition from a store that may be old to a log that may be written. No transition leads back from a fork.
package struct OwnLog: Hashable, Sendable {
    /// The current state.
    package private(set) var state: OwnLogState
    /// When the log becomes ready, unless a member states more of it before.
    private(set) var due: Instant?

    init(_ state: OwnLogState) { self.state = state }

    /// - Parameter isWhole: enough members have answered, every linked one has, and the store holds all that anybody
    ///   states there is.
    /// - Returns: whether the log has just become ready.
    mutating func review(isWhole: Bool, _ now: Instant) -> Bool {
        guard state.isRecovering, isWhole else {
            due = nil
            return false
        }
        guard let due else {
            self.due = now + Limits.recoveryQuiet
            return false
        }
        guard due <= now else { return false }
        self = OwnLog(.ready)
        return true
    }

    /// - Returns: whether that is news.
    mutating func recordFork() -> Bool {
        guard state != .forked, state != .retired else { return false }
        self = OwnLog(.forked)
        return true
    }

    /// Applies the user's decision.
    /// - Returns: whether it changes anything. It does not undo a fork.
    mutating func settle(_ wanted: OwnLogState) -> Bool {
        let isPossible = wanted == .retired ? state != .retired : wanted == .ready && state.isRecovering
        if isPossible { self = OwnLog(wanted) }
        return isPossible
    }
}

/// How many members have stated what they hold of a log that may be old, and how many must.
/// Source: `Protocol/06-replication.md`, "One's own log".
package struct OwnLogWitnesses: Hashable, Sendable {
    /// The members that have stated it.
    package let heard: Int
    /// The members that must.
    package let needed: Int

    /// Whether enough members have stated it.
    package var areEnough: Bool { heard >= needed }
}

extension GossipMachine {
    /// Whether events may be written; the shell checks it before it writes, and keeps each state that `.ownLog`
    /// reports.
    package var ownLogState: OwnLogState { ownLog.state }

    /// The linked members that have sent their frontier, each once. A member with two links, or one whose runs do not
    /// verify, is no second witness.
    package var ownLogWitnesses: OwnLogWitnesses {
        let spoken = links.values.lazy.filter { $0.hasSpoken && !$0.isDistrusted }.map(\.member)
        let others = people.subtracting([own])
        return OwnLogWitnesses(
            heard: others.intersection(spoken).count, needed: min(max(others.count, 1), Limits.recoveryWitnesses))
    }

    /// A sound run contradicts the log held here: its author, perhaps this node, wrote a sequence twice.
    mutating func forked(_ author: MemberID, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>) {
        step.outputs.append(.fault(origin, .forkedLog))
        if author == own, ownLog.recordFork() { step.outputs.append(.ownLog(.forked)) }
    }

    mutating func settle(ownLog wanted: OwnLogState, _ step: inout Step<some RandomNumberGenerator>) {
        if ownLog.settle(wanted) { step.outputs.append(.ownLog(wanted)) }
    }

    /// Whether a neighbour is known to have more of an author's log than is stored here.
    package func lacks(_ author: MemberID) -> Bool {
        links.values.contains { min($0.peerHas[author], end(of: author)) > stored[author] }
    }

    /// Whether a neighbour has all of an author's log that is stored here, as far as it stated or we sent it.
    package func hasAll(of author: MemberID, _ link: LinkID) -> Bool {
        links[link].map { $0.peerHas[author] >= stored[author] } ?? false
    }

    /// For each author the number of events that others claim to have and that are not stored here: neighbours by their
    /// frontiers, all members by their claims. A member can claim more than exists.
    package var missing: [MemberID: UInt64] {
        var missing = [MemberID: UInt64]()
        for author in authors.values {
            let linked = links.values.reduce(0) { max($0, $1.peerHas[author]) }
            let last = min(max(linked, board.highest[author.prefix] ?? 0), end(of: author))
            if last > stored[author] { missing[author] = last - stored[author] }
        }
        return missing
    }

    mutating func reviewOwnLog(_ step: inout Step<some RandomNumberGenerator>) {
        guard ownLog.state.isRecovering else { return }
        let isAnswered = ownLogWitnesses.areEnough && links.values.allSatisfy(\.hasSpoken)
        if ownLog.review(isWhole: isAnswered && saidOfOwnLog <= stored[own], step.now) {
            step.outputs.append(.ownLog(.ready))
        }
    }

    /// The length of our log, as far as anybody shows: neighbours, members' rows, rows of our own that others kept, and
    /// events of ours that travel without their log.
    private var saidOfOwnLog: UInt64 {
        let linked = links.values.lazy.map { $0.peerHas[own] }.max() ?? 0
        return max(linked, board.highest[own.prefix] ?? 0, shownOfOwnLog)
    }
}
