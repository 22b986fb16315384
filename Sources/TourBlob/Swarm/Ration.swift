import TourModel

/// How an origin distributes a file that several peers want: each chunk to one of them, which passes it to the others,
/// and again only where that did not happen. Source: `Protocol/11-blobs.md`, "Origin".
struct Ration: Sendable {
    private struct Entry: Sendable {
        /// The number of peers that got it, or were offered it and have not got it yet.
        var copies: UInt8 = 0
        /// Those of them that have not acknowledged it.
        var pending: UInt8 = 0
        /// When the last one acknowledged it or was given up.
        var at = Instant(microseconds: 0)
    }

    private var entries: [Entry]

    init(count: Int) { entries = Array(repeating: Entry(), count: count) }

    func copies(of chunk: Int) -> Int { Int(entries[chunk].copies) }

    /// - Parameter isFed: whether the peer gets chunks from others.
    func allows(_ chunk: Int, isFed: Bool, _ now: Instant) -> Bool {
        let entry = entries[chunk]
        guard entry.pending == 0 else { return false }
        return entry.copies == 0 || now >= entry.at + Self.patience(copies: entry.copies, isFed: isFed)
    }

    /// How long a chunk may take to spread from one peer to the others. A file whose peers help each other slowly may
    /// cost its origin two copies.
    private static func patience(copies: UInt8, isFed: Bool) -> Duration {
        guard isFed else { return Grant.patienceWhenUnfed }
        return copies > 1 ? Grant.patienceAfterTwo : Grant.patience
    }

    mutating func grant(_ chunk: Int) {
        entries[chunk].copies = min(entries[chunk].copies, .max - 1) + 1
        entries[chunk].pending += 1
    }

    /// Ends an offer: the peer has the chunk, or will not get it.
    /// - Parameter isGiven: false when the chunk was never sent.
    mutating func settle(_ chunk: Int, isGiven: Bool, _ now: Instant) {
        entries[chunk].pending -= 1
        if isGiven { entries[chunk].at = now } else { entries[chunk].copies -= 1 }
    }
}

/// A chunk that an origin offers to one peer.
package struct Grant: Hashable, Sendable {
    /// The most chunks that an origin offers to one peer before it sends the first of them; one on a slow link.
    package static let peerMax = 2
    /// The most of these and of chunks sent without an acknowledgement together.
    static let unsettledMax = 16
    /// How long an unused offer of an origin stands.
    private static let lifetime: Duration = .seconds(2)
    /// How often an origin checks for offers whose time has come.
    package static let checkInterval: Duration = .milliseconds(250)
    /// How long a chunk has to spread before the origin sends a second copy.
    static let patience: Duration = .seconds(1)
    /// The same before a third copy.
    static let patienceAfterTwo: Duration = .seconds(10)
    /// The same for a peer that gets nothing from others.
    package static let patienceWhenUnfed: Duration = .milliseconds(300)

    enum Stage: Sendable {
        case offered, asked, sent
    }

    /// The chunk's number.
    package let chunk: Int
    var stage = Stage.offered
    /// When it reached this stage.
    var at: Instant

    /// When it is given up: the peer did not ask, or did not acknowledge.
    var due: Instant? {
        switch stage {
        case .offered: at + Self.lifetime
        case .asked: nil
        case .sent: at + BlobLink.stallTimeWhenSlow
        }
    }
}
