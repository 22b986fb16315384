import TourGossip
import TourModel

/// What counts as the time where the machine's own clock cannot be right: many a small computer starts in 1970, or on
/// the day it was switched off. Source: `Protocol/05-events.md`, "Time".
package enum NodeTime {
    /// The day this version was made, in milliseconds since 1970: no clock that is right shows less.
    package static let builtAt: Int64 = 1_763_683_200_000
    /// Nothing later is believed of others, whoever they are.
    private static let latest = builtAt + 20 * 365 * dayMilliseconds
    private static let dayMilliseconds: Int64 = 86_400_000
    /// One who lies, or whose clock is wrong, decides nothing.
    private static let witnessesMin = 3

    /// - Parameters:
    ///   - wallMilliseconds: by our own clock.
    ///   - others: what the clocks of linked members show now.
    package static func corrected(_ wallMilliseconds: Int64, others: [Int64]) -> Int64 {
        let own = max(wallMilliseconds, builtAt)
        guard others.count >= witnessesMin else { return own }
        let median = others.sorted()[(others.count - 1) / 2]
        return median - own > dayMilliseconds && median <= latest ? median : own
    }
}

extension TourSession {
    /// A member has signed a row: its counter is the time by its clock, in microseconds since 1970.
    func noteTime(of member: MemberID, microseconds: UInt64, now: Instant) {
        memberTimes[member] = (Int64(clamping: microseconds / 1_000), now)
    }

    /// Whether an event is not a day old: by our own clock, or by that of its author, since either may be wrong; of an
    /// alarm also by that of anybody who is linked, since none may be missed.
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

    /// The time as we write it, in milliseconds since 1970.
    var wallMilliseconds: Int64 {
        let now = NodeClock.now
        let others = Set(gossip.neighbours.values).compactMap { member in
            memberTimes[member].map { $0.milliseconds + (now - $0.at).microseconds / 1_000 }
        }
        return NodeTime.corrected(NodeClock.wallMilliseconds, others: others)
    }
}
