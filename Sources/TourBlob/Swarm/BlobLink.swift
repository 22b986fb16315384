import TourModel

/// The state of one link, over all files.
package struct BlobLink: Sendable {
    /// How long a peer that was asked may go without sending a chunk before it counts as stalled and others are asked.
    /// A busy origin on 2 Mbit/s needs five seconds for twenty peers, and a slow segment half a second for each chunk.
    package static let stallTimeWhenFast: Duration = .seconds(6)
    /// The same on a slow segment.
    package static let stallTimeWhenSlow: Duration = .seconds(12)
    /// The most chunks and pages in a link's queue at once: chat waits behind none of them, and parts no longer wanted
    /// are not sent.
    package static let sendingMax = 2
    /// The number of links receiving at the same time up to which each may queue that many; above it each queues one.
    static let receiversFew = 2
    /// The most chunks asked of one peer at once: enough for a fast link, and few are lost with a peer. One chunk on a
    /// slow link, and of a peer that failed before.
    package static let asksMax = 4

    /// Whether the link is on a segment where one chunk takes half a second.
    let isSlow: Bool
    /// Parts asked for here that have not arrived, in order.
    var asks: [BlobAsk] = []
    /// When the peer last sent a part, or was first asked after it had sent all.
    var progressAt: Instant
    /// Parts that the peer asked for and has not got, in order.
    package internal(set) var owed: [Owed] = []
    /// Chunks and pages in the link's queue.
    private(set) var sending = 0
    /// When that number last fell, or rose from zero.
    private var sentAt: Instant

    init(isSlow: Bool, now: Instant) {
        self.isSlow = isSlow
        progressAt = now
        sentAt = now
    }

    mutating func sends(_ now: Instant) {
        if sending == 0 { sentAt = now }
        sending += 1
    }

    mutating func sent(_ count: Int, _ now: Instant) {
        sending = max(sending - count, 0)
        sentAt = now
    }

    /// When the peer counts as one that accepts nothing; nil while nothing waits for it.
    var stuckDue: Instant? { sending > 0 ? sentAt + Self.stallTimeWhenSlow : nil }

    func isStuck(_ now: Instant) -> Bool { stuckDue.map { $0 <= now } ?? false }

    var stallTime: Duration { isSlow ? Self.stallTimeWhenSlow : Self.stallTimeWhenFast }

    /// When the peer counts as stalled; nil while nothing is asked for.
    var stallDue: Instant? {
        guard let first = asks.first else { return nil }
        return min(progressAt + stallTime, first.at + BlobAsk.lifetime)
    }

    mutating func asked(_ ask: BlobAsk) {
        if asks.isEmpty { progressAt = ask.at }
        asks.append(ask)
    }

    /// - Returns: whether the part was asked for here.
    mutating func answered(_ part: BlobPart, of blob: BlobID) -> Bool {
        guard let index = asks.firstIndex(where: { $0.part == part && $0.blob == blob }) else { return false }
        asks.remove(at: index)
        return true
    }

    /// The number of chunks asked for; pages, which come before them, are not bounded.
    var chunksAsked: Int { asks.count { $0.part.isChunk } }

    func isOwed(_ part: BlobPart, of blob: BlobID) -> Bool { owed.contains { $0.part == part && $0.blob == blob } }

    mutating func forgive(_ part: BlobPart, of blob: BlobID) {
        owed.removeAll { $0.part == part && $0.blob == blob }
    }

    /// A part that a peer asked for.
    package struct Owed: Hashable, Sendable {
        let blob: BlobID
        let part: BlobPart
    }
}

/// A part of a file that is sent as one message.
enum BlobPart: Hashable, Sendable {
    case page(Int)
    case chunk(Int)

    var isChunk: Bool {
        switch self {
        case .page: false
        case .chunk: true
        }
    }
}

/// A part asked for on a link.
struct BlobAsk: Hashable, Sendable {
    /// The time after which a question is lost even if the peer answers others.
    static let lifetime: Duration = .seconds(60)

    let blob: BlobID
    let part: BlobPart
    let at: Instant
}
