import TourModel

/// One link, over all files.
package struct BlobLink: Sendable {
    /// A segment on which one chunk takes half a second.
    let isSlow: Bool
    /// What was asked for here and has not come, in order.
    var asks: [BlobAsk] = []
    /// When the peer last gave something, or was first asked after it had given all.
    var progressAt: Instant
    /// What the peer asked for and has not got, in order.
    package internal(set) var owed: [Owed] = []
    /// Chunks and pages with the link's queue.
    private(set) var sending = 0
    /// When that last went down, or began.
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

    /// When the peer counts as one that takes nothing; nil while there is nothing for it.
    var stuckDue: Instant? { sending > 0 ? sentAt + Limits.blobStallTimeWhenSlow : nil }

    func isStuck(_ now: Instant) -> Bool { stuckDue.map { $0 <= now } ?? false }

    var stallTime: Duration { isSlow ? Limits.blobStallTimeWhenSlow : Limits.blobStallTime }

    /// When the peer counts as stalled; nil while nothing is asked for.
    var stallDue: Instant? {
        guard let first = asks.first else { return nil }
        return min(progressAt + stallTime, first.at + Limits.blobAskLifetime)
    }

    mutating func asked(_ ask: BlobAsk) {
        if asks.isEmpty { progressAt = ask.at }
        asks.append(ask)
    }

    /// - Returns: whether it was asked for here.
    mutating func answered(_ part: BlobPart, of blob: BlobID) -> Bool {
        guard let index = asks.firstIndex(where: { $0.part == part && $0.blob == blob }) else { return false }
        asks.remove(at: index)
        return true
    }

    /// Chunks asked for, which is what is bounded: pages come before them.
    var chunksAsked: Int { asks.count { $0.part.isChunk } }

    func isOwed(_ part: BlobPart, of blob: BlobID) -> Bool { owed.contains { $0.part == part && $0.blob == blob } }

    mutating func forgive(_ part: BlobPart, of blob: BlobID) {
        owed.removeAll { $0.part == part && $0.blob == blob }
    }

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

/// Something asked for on a link.
struct BlobAsk: Hashable, Sendable {
    let blob: BlobID
    let part: BlobPart
    let at: Instant
}
