import TourModel

/// A node's knowledge of one open file.
package struct OpenBlob: Sendable {
    /// The most verified chunks not yet written by the store: 4 MiB. Beyond them the node asks for nothing.
    package static let storingMax = 64
    /// How long the node fetches nothing after the store failed.
    package static let storePause: Duration = .seconds(10)
    /// The time after which a missing page is also asked for elsewhere: without it no chunk of it can be. On a slow
    /// segment a page takes a quarter of a second.
    package static let pagePatience: Duration = .milliseconds(700)
    /// How long the node waits for a chunk before it asks another peer that offers it and has nothing else to give.
    static let askPatience: Duration = .seconds(2)
    /// The same at the end of a file.
    package static let endPatience: Duration = .milliseconds(400)
    /// The missing chunks that count as the end of a file.
    static let endChunksMax = 4
    /// How long links other than the author's do not mention a file that may be cast: the time of a cast's trials and
    /// its first symbols.
    package static let quietTime: Duration = .milliseconds(700)
    /// The least time between two progress reports of one file.
    static let progressInterval: Duration = .milliseconds(500)
    /// The time after which a file that nobody wants is idle.
    package static let idleTime: Duration = .seconds(60)

    let shape: BlobShape
    let pageHashes: [Bytes32]
    /// The number of files opened before this one.
    let place: Int
    var role: BlobRole
    /// The pages present: for each the hashes of its chunks.
    package internal(set) var pages: [Int: [Bytes32]]
    /// The stored chunks.
    var have: ChunkSet
    /// The chunks verified and not stored yet.
    package internal(set) var storing: ChunkSet
    /// The chunks asked for on some link.
    var asked: ChunkSet
    /// Pages asked for, each with the last link and time.
    var pagesAsked: [Int: PageAsked] = [:]
    /// The peers that have sent a message about the file, by link.
    package internal(set) var peers: [LinkID: BlobPeer] = [:]
    /// For links whose peer has sent nothing about the file: its standing when the peer was last told.
    var told: [LinkID: Standing] = [:]
    /// Links to which the file was not mentioned yet because a cast may make that needless, and how long this waits.
    var untold: Set<LinkID> = []
    var untoldDue: Instant
    /// The number of peers that offer each chunk.
    private(set) var sources: [UInt8]
    /// The value for `BlobMessage.State.wants`.
    package internal(set) var wants = Lingering()
    /// At an origin: its offers while several peers want the file.
    var ration: Ration?
    var isRationed = Lingering()
    /// Until when a cast brings the chunks and none is asked for.
    var castUntil: Instant?
    /// The chunks that the cast should still bring.
    var castAwaits: ChunkSet
    /// Links whose peers hear that cast as well, as far as this node knows.
    var castBeside: Set<LinkID> = []
    /// Links whose peers get the chunks by a cast of this node, and until when.
    var castTo: Set<LinkID> = []
    var castToUntil: Instant?
    /// Until when nothing is fetched since the store failed.
    var pausedUntil: Instant?
    var progressDue: Instant?
    var progressAt: Instant?
    /// When a peer last wanted it.
    var busyAt: Instant

    init(_ opening: BlobOpening, place: Int, now: Instant) {
        shape = opening.shape
        pageHashes = opening.pageHashes
        pages = opening.pages
        role = opening.role
        self.place = place
        let count = shape.chunkCount
        have = opening.have
        for page in 0..<shape.pageCount where pages[page] == nil {
            for chunk in shape.chunks(ofPage: page) { have.remove(chunk) }
        }
        storing = ChunkSet(limit: count)
        asked = ChunkSet(limit: count)
        castAwaits = .all(count)
        sources = [UInt8](repeating: 0, count: count)
        busyAt = now
        untoldDue = now + Self.quietTime
        if role == .origin { ration = Ration(count: count) }
    }

    /// A short summary of the file's state.
    struct Standing: Hashable, Sendable {
        let stored: Int
        let wants: Int
    }

    var standing: Standing { Standing(stored: have.count, wants: wants.value) }

    /// The number of chunks that are neither stored nor about to be.
    var missingCount: Int { shape.chunkCount - have.count - storing.count }

    func lacks(_ chunk: Int) -> Bool { !have.contains(chunk) && !storing.contains(chunk) }

    func isChunk(_ chunk: Int) -> Bool { (0..<shape.chunkCount).contains(chunk) }

    func isFetching(_ now: Instant) -> Bool {
        wants.value > 0 && missingCount > 0 && storing.count < Self.storingMax && !isPaused(now)
    }

    private func isPaused(_ now: Instant) -> Bool { pausedUntil.map { now < $0 } ?? false }

    func isCast(_ now: Instant) -> Bool { castUntil.map { now < $0 } ?? false }

    /// The number of peers that want chunks, for themselves or for others.
    var wantingCount: Int { peers.values.count { $0.isWanting } }

    /// The distance to the nearest member that wants the file; 0 for none, or too far.
    var wantsNow: Int {
        guard !have.isFull else { return 0 }
        switch role {
        case .origin, .held: return 0
        case .wanted: return 1
        case .relay:
            let nearest = peers.values.lazy.filter(\.isWanting).map(\.wants).min() ?? Limits.blobWantsMax
            return nearest < Limits.blobWantsMax ? nearest + 1 : 0
        }
    }

    /// The chunks that the peer offers and that this node may ask for.
    func open(at peer: BlobPeer) -> ChunkSet {
        var chunks = peer.offers
        chunks.subtract(have)
        chunks.subtract(storing)
        chunks.subtract(asked)
        return chunks
    }

    /// The chunk's hash from its page; nil while the page is missing.
    func hash(of chunk: Int) -> Bytes32? {
        let page = shape.page(ofChunk: chunk)
        return pages[page]?[chunk - shape.chunks(ofPage: page).lowerBound]
    }

    /// Whether another peer was asked for the page and may still send it.
    func isAwaited(page: Int, elsewhereThan link: LinkID, _ now: Instant) -> Bool {
        guard pages[page] == nil, let asked = pagesAsked[page] else { return false }
        return asked.link != link && now < asked.due
    }

    // MARK: Offers

    /// - Returns: whether that is news.
    mutating func offer(_ chunk: Int, by link: LinkID) -> Bool {
        guard peers[link]?.offers.insert(chunk) == true else { return false }
        sources[chunk] &+= 1
        return true
    }

    mutating func withdraw(_ chunk: Int, by link: LinkID) {
        if peers[link]?.offers.remove(chunk) == true { sources[chunk] &-= 1 }
    }

    mutating func replaceOffers(_ offers: ChunkSet, by link: LinkID) {
        guard let before = peers[link]?.offers else { return }
        for chunk in before { sources[chunk] &-= 1 }
        for chunk in offers { sources[chunk] &+= 1 }
        peers[link]?.offers = offers
    }

    mutating func removePeer(_ link: LinkID) {
        replaceOffers(ChunkSet(limit: shape.chunkCount), by: link)
        peers[link] = nil
        told[link] = nil
        untold.remove(link)
    }
}

/// A page that was asked for.
struct PageAsked: Hashable, Sendable {
    let link: LinkID
    let at: Instant

    /// When another peer is asked.
    var due: Instant { at + OpenBlob.pagePatience }
}
