import TourGossip
import TourModel

/// Corrects the time where the machine's own clock cannot be right: many small computers start in 1970, or on the day
/// of their last shutdown. Source: `Protocol/05-events.md`, "Time".
package enum NodeTime {
    /// The day this version was made, in milliseconds since 1970: every correct clock shows more.
    package static let builtAt: Int64 = 1_763_683_200_000
    /// Later times are not believed, whoever claims them.
    private static let latest = builtAt + 20 * 365 * dayMilliseconds
    private static let dayMilliseconds: Int64 = 86_400_000
    /// A single member that lies, or whose clock is wrong, decides nothing.
    private static let witnessesMin = 3

    /// The time to use.
    /// - Parameters:
    ///   - wallMilliseconds: by our own clock.
    ///   - others: the present times of the clocks of linked members.
    package static func corrected(_ wallMilliseconds: Int64, others: [Int64]) -> Int64 {
        let own = max(wallMilliseconds, builtAt)
        guard others.count >= witnessesMin else { return own }
        let median = others.sorted()[(others.count - 1) / 2]
        return median - own > dayMilliseconds && median <= latest ? median : own
    }
}

extension TourSession {
    /// A member signed a row: its counter is the time by the member's clock, in microseconds since 1970.
    func recordTime(of member: MemberID, microseconds: UInt64, now: Instant) {
        memberTimes[member] = (Int64(clamping: microseconds / 1_000), now)
    }

    /// Whether an event is less than a day old: by our own clock, or by that of its author, since either may be
    /// wrong; for an alarm also by the clock of any linked member, since no alarm may be missed.
    /// Source: `Protocol/05-events.md`, "Alarms".
    func isRecent(_ clock: LogicalClock, of author: MemberID, isAlarm: Bool = false) -> Bool {
        let now = NodeClock.now
        let witnesses = Set(isAlarm ? Array(gossip.neighbours.values) : []).union([author])
        let others = witnesses.compactMap { member in
            memberTimes[member].map { $0.milliseconds + (now - $0.at).microseconds / 1_000 }
        }
        return ([NodeClock.wallMilliseconds, wallMilliseconds] + others).contains {
            abs($0 - clock.milliseconds) < Limits.alarmLifetimeMilliseconds
        }
    }

    /// The time for events that we write, in milliseconds since 1970.
    var wallMilliseconds: Int64 {
        let now = NodeClock.now
        let others = Set(gossip.neighbours.values).compactMap { member in
            memberTimes[member].map { $0.milliseconds + (now - $0.at).microseconds / 1_000 }
        }
        return NodeTime.corrected(NodeClock.wallMilliseconds, others: others)
    }
}
