import TourModel

/// How an origin hands out a file that several peers want: each chunk to one of them, who gives it to the others, and
/// again only where that did not happen. Source: `Protocol/11-blobs.md`, "Origin".
struct Ration: Sendable {
    private struct Entry: Sendable {
        /// Given, or offered to somebody who has not got it yet.
        var copies: UInt8 = 0
        /// Of them those that nobody has acknowledged.
        var pending: UInt8 = 0
        /// When the last one was acknowledged or given up.
        var at = Instant(microseconds: 0)
    }

    private var entries: [Entry]

    init(count: Int) { entries = Array(repeating: Entry(), count: count) }

    func copies(of chunk: Int) -> Int { Int(entries[chunk].copies) }

    /// - Parameter isFed: whether the peer gets chunks of others.
    func allows(_ chunk: Int, isFed: Bool, _ now: Instant) -> Bool {
        let entry = entries[chunk]
        guard entry.pending == 0 else { return false }
        return entry.copies == 0 || now >= entry.at + Self.patience(copies: entry.copies, isFed: isFed)
    }

    /// How long a chunk has time to go from one peer to the others. Two copies are what a file may cost an origin
    /// whose peers help each other slowly.
    private static func patience(copies: UInt8, isFed: Bool) -> Duration {
        guard isFed else { return Limits.blobPatienceWhenUnfed }
        return copies > 1 ? Limits.blobPatienceAfterTwo : Limits.blobPatience
    }

    mutating func grant(_ chunk: Int) {
        entries[chunk].copies = min(entries[chunk].copies, .max - 1) + 1
        entries[chunk].pending += 1
    }

    /// The peer has it, or will not get it.
    /// - Parameter isGiven: false when it never went out.
    mutating func settle(_ chunk: Int, isGiven: Bool, _ now: Instant) {
        entries[chunk].pending -= 1
        if isGiven { entries[chunk].at = now } else { entries[chunk].copies -= 1 }
    }
}

/// A chunk that an origin offers to one peer.
package struct Grant: Hashable, Sendable {
    enum Stage: Sendable {
        case offered, asked, sent
    }

    package let chunk: Int
    var stage = Stage.offered
    /// When it came to this stage.
    var at: Instant

    /// When it is given up: the peer did not ask, or did not say that it came.
    var due: Instant? {
        switch stage {
        case .offered: at + Limits.blobOfferLifetime
        case .asked: nil
        case .sent: at + Limits.blobStallTimeWhenSlow
        }
    }
}
