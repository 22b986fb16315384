import TourModel

/// The urgent events of unranked members that may go ahead of everything, as a guide's announcements do: a few calls
/// for help for each member. Nodes read any further urgent events of that member in log order, like chat.
/// Source: `Protocol/06-replication.md`, "Ahead of the log".
struct AlarmBudget: Sendable {
    private struct Account {
        /// When each slot of the budget is free again.
        var free: [Instant]
        /// The newest events let through.
        var granted: [UInt64] = []
    }

    private var accounts: [MemberID: Account] = [:]

    /// Whether this event was let through.
    func holds(_ place: EventPlace) -> Bool { accounts[place.author]?.granted.contains(place.sequence) ?? false }

    /// Whether one more event of this member would be let through.
    func hasRoom(for author: MemberID, _ now: Instant) -> Bool {
        guard let account = accounts[author] else { return true }
        return account.free.count < Limits.alarmsAheadMax || account.free.contains { $0 <= now }
    }

    /// Lets an event through if there is room. Call it only with verified events: anybody can send unverified ones.
    mutating func grant(_ place: EventPlace, _ now: Instant) {
        guard !holds(place), hasRoom(for: place.author, now) else { return }
        var account = accounts[place.author] ?? Account(free: [])
        account.free.removeAll { $0 <= now }
        account.free.append(max(now, account.free.last ?? now) + Limits.alarmAheadPause)
        account.granted = account.granted.suffix(Limits.alarmsAheadMax - 1) + [place.sequence]
        accounts[place.author] = account
    }
}
