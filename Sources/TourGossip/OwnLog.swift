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
    /// How long after a restore no member may show more of this node's log than its store holds before the node writes
    /// on: by then neighbours have sent the rows that they keep of absent members.
    package static let recoveryQuiet: Duration = .seconds(5)
    /// The members that must have stated how much of the log they hold, if the tour has as many: one alone could hide
    /// the end.
    static let recoveryWitnesses = 2

    /// The current state.
    package private(set) var state: OwnLogState
    /// When the log becomes ready, unless a member states more of it before.
    private(set) var due: Instant?
    /// The last event of the log seen with its signature, even outside any log.
    private(set) var shownThrough: UInt64

    init(_ state: OwnLogState, shownThrough: UInt64) {
        self.state = state
        self.shownThrough = shownThrough
    }

    mutating func recordShown(_ sequence: UInt64) { shownThrough = max(shownThrough, sequence) }

    private mutating func change(to new: OwnLogState) {
        state = new
        due = nil
    }

    /// - Parameter isWhole: enough members have answered, every linked one has, and the store holds all that anybody
    ///   states there is.
    /// - Returns: whether the log has just become ready.
    mutating func review(isWhole: Bool, _ now: Instant) -> Bool {
        guard state.isRecovering, isWhole else {
            due = nil
            return false
        }
        guard let due else {
            self.due = now + Self.recoveryQuiet
            return false
        }
        guard due <= now else { return false }
        change(to: .ready)
        return true
    }

    /// - Returns: whether that is news.
    mutating func recordFork() -> Bool {
        guard state != .forked, state != .retired else { return false }
        change(to: .forked)
        return true
    }

    /// Applies the user's decision.
    /// - Returns: whether it changes anything. It does not undo a fork.
    mutating func settle(_ wanted: OwnLogState) -> Bool {
        let isPossible = wanted == .retired ? state != .retired : wanted == .ready && state.isRecovering
        if isPossible { change(to: wanted) }
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

    init(of own: MemberID, _ people: Set<MemberID>, _ links: Links) {
        let spoken = links.values.lazy.filter { $0.hasSpoken && !$0.isDistrusted }.map(\.member)
        let others = people.subtracting([own])
        heard = others.intersection(spoken).count
        needed = min(max(others.count, 1), OwnLog.recoveryWitnesses)
    }

    /// Whether enough members have stated it.
    package var areEnough: Bool { heard >= needed }
}
