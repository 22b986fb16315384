import TourModel

/// What a node knows of the peer of one link as to one file. There is one from the peer's first word on.
package struct BlobPeer: Sendable {
    /// Chunks that it gives: those it has, or of an origin those it wants to give here.
    var offers: ChunkSet
    /// As in `BlobMessage.State`.
    var wants = 0
    /// It sent what is not the file's: it is not asked again.
    var isBanned = false
    /// Refused since the last chunk that came.
    var refusals = 0
    var rest = Rest()
    /// Chunks that it is to be told of, and when at the latest.
    var news: [Int] = []
    var newsDue: Instant?
    /// Of an origin: what is offered to the peer, and has not come to it as far as it said.
    package internal(set) var grants: [Grant] = []
    /// When something for it is looked for again, since there was nothing.
    var grantsDue: Instant?
    /// It was given the pages unasked, for a cast.
    var hasPages = false
    /// When it last got something that did not come from here.
    var fedAt: Instant?

    init(limit: Int) { offers = ChunkSet(limit: limit) }

    var isWanting: Bool { wants > 0 && !offers.isFull }

    func mayBeAsked(_ now: Instant) -> Bool { !isBanned && !rest.isOn(now) && !offers.isEmpty }
}

/// How long a peer is not asked since it did not give what it offered: longer each time.
struct Rest: Sendable {
    /// In a row.
    private(set) var failures = 0
    private(set) var until: Instant?

    func isOn(_ now: Instant) -> Bool { until.map { now < $0 } ?? false }

    mutating func begin(_ now: Instant) {
        until = now + Limits.blobRestMin * (1 << min(failures, Limits.blobRestDoublingsMax))
        failures += 1
    }
}

/// A number that rises from nothing at once, and changes after a while else: what others are told of it they are told
/// seldom, whatever a peer says.
package struct Lingering: Sendable {
    package private(set) var value = 0
    private(set) var due: Instant?

    /// - Returns: whether it changed.
    mutating func follow(_ new: Int, _ now: Instant) -> Bool {
        guard new != value else {
            due = nil
            return false
        }
        if value > 0, due == nil { due = now + Limits.blobLingering }
        guard value == 0 || due.map({ $0 <= now }) ?? true else { return false }
        settle(new)
        return true
    }

    mutating func settle(_ new: Int) {
        value = new
        due = nil
    }
}
