import TourModel
import TourWire

/// Claim rows that go out on one link.
struct ClaimQueue: Hashable, Sendable {
    /// Members whose newest claim goes out next, and older claims that do.
    private(set) var newest: Set<MemberID> = []
    private(set) var older: Set<ClaimKey> = []
    /// When they go out.
    private(set) var due: Instant?
    /// Kept rows that the peer has yet to get, the last first: all at once would fill the link.
    private var owed: [ClaimKey] = []
    /// When all rows were last queued for the peer.
    private var owedAt: Instant?
    /// Whether the peer has a row that we signed since the link opened.
    private(set) var isGreeted = false

    mutating func add(newestOf member: MemberID, at time: Instant) {
        newest.insert(member)
        due = min(due ?? time, time)
    }

    mutating func greet() { isGreeted = true }

    /// The peer has shown that it lacks a member's newest claim. It gets it, unless it was just given all of them.
    mutating func answer(newestOf member: MemberID, at time: Instant, _ now: Instant) {
        guard owedAt.map({ now - $0 >= Presence.silencePause }) ?? true else { return }
        add(newestOf: member, at: time)
    }

    /// Adds an older row, if there is room.
    mutating func add(older key: ClaimKey, at time: Instant) {
        guard older.count < GossipLink.olderClaimsMax else { return }
        older.insert(key)
        due = min(due ?? time, time)
    }

    mutating func remove(newestOf member: MemberID) { newest.remove(member) }

    mutating func remove(older key: ClaimKey) { older.remove(key) }

    mutating func postpone(to time: Instant) { due = time }

    /// Queues all kept rows, which get sent a few at a time; a peer cannot trigger this again and again.
    mutating func addAll(of claims: ClaimState, _ now: Instant) {
        guard owedAt.map({ now - $0 >= Presence.silencePause }) ?? true else { return }
        owed = claims.all.map(\.key).reversed()
        owedAt = now
        due = now
    }

    /// Removes as many rows as go out at once.
    mutating func dequeue(bytesMax most: Int, from claims: ClaimState, _ now: Instant) -> [ClaimRow] {
        owed += older.sorted()
        owed += newest.sorted().compactMap { claims.newest(of: $0)?.key }
        (newest, older) = ([], [])
        var rows = [ClaimRow]()
        var bytes = 0
        while bytes < most, let key = owed.popLast() {
            // Newer rows may have replaced this one.
            guard let row = claims[key]?.row else { continue }
            rows.append(row)
            bytes += row.row.count + row.signature.count
        }
        due = owed.isEmpty ? nil : now + Limits.claimDelay
        return rows
    }
}
