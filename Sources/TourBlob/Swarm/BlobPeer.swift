import TourModel

/// A node's knowledge of one link's peer about one file, from the peer's first message about it.
package struct BlobPeer: Sendable {
    /// How long a peer that stalled or refused is not asked: doubles each time, at most `restDoublingsMax` times.
    package static let restMin: Duration = .seconds(4)
    /// How often the pause doubles.
    static let restDoublingsMax = 4
    /// The refusals in a row after which a peer is not asked for a while.
    package static let refusalsMax = 8
    /// How long a peer counts as fed after it got a chunk from others.
    static let fedTime: Duration = .seconds(2)

    /// The chunks that it offers: those that it has, or for an origin those that it currently gives us.
    var offers: ChunkSet
    /// As in `BlobMessage.State`.
    var wants = 0
    /// Whether it sent data that is not the file's: it is not asked again.
    var isBanned = false
    /// Its refusals since its last chunk arrived.
    var refusals = 0
    var rest = Rest()
    /// Chunks that it should learn of, and when at the latest.
    var news: [Int] = []
    var newsDue: Instant?
    /// At an origin: the chunks offered to the peer that it has not confirmed.
    package internal(set) var grants: [Grant] = []
    /// When to look again for an offer to it, since there was none.
    var grantsDue: Instant?
    /// Whether it got the pages unasked, for a cast.
    var hasPages = false
    /// When it last got a chunk from elsewhere.
    var fedAt: Instant?

    init(limit: Int) { offers = ChunkSet(limit: limit) }

    var isWanting: Bool { wants > 0 && !offers.isFull }

    func mayBeAsked(_ now: Instant) -> Bool { !isBanned && !rest.isOn(now) && !offers.isEmpty }
}

/// How long a peer is not asked after it did not give what it offered: longer each time.
struct Rest: Sendable {
    /// The failures in a row.
    private(set) var failures = 0
    private(set) var until: Instant?

    func isOn(_ now: Instant) -> Bool { until.map { now < $0 } ?? false }

    mutating func begin(_ now: Instant) {
        until = now + BlobPeer.restMin * (1 << min(failures, BlobPeer.restDoublingsMax))
        failures += 1
    }
}

/// A number that rises from zero at once, and otherwise changes after a delay: so others seldom get updates, whatever a
/// peer sends.
package struct Lingering: Sendable {
    /// How long it takes until others learn that nobody wants a file any more, or only one member does.
    private static let time: Duration = .seconds(2)

    /// The current value.
    package private(set) var value = 0
    private(set) var due: Instant?

    /// - Returns: whether the value changed.
    mutating func follow(_ new: Int, _ now: Instant) -> Bool {
        guard new != value else {
            due = nil
            return false
        }
        if value > 0, due == nil { due = now + Self.time }
        guard value == 0 || due.map({ $0 <= now }) ?? true else { return false }
        settle(new)
        return true
    }

    mutating func settle(_ new: Int) {
        value = new
        due = nil
    }
}
