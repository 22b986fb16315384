import TourModel

/// What a node knows of one file while it is open.
package struct OpenBlob: Sendable {
    let shape: BlobShape
    let pageHashes: [Bytes32]
    /// Files opened before this one.
    let place: Int
    var role: BlobRole
    package internal(set) var pages: [Int: [Bytes32]]
    /// Stored.
    var have: ChunkSet
    /// Verified, and not stored yet.
    package internal(set) var storing: ChunkSet
    /// Asked for on some link.
    var asked: ChunkSet
    /// Pages asked for, each where and when last.
    var pagesAsked: [Int: PageAsked] = [:]
    package internal(set) var peers: [LinkID: BlobPeer] = [:]
    /// Of links on which the peer has not spoken of it: how it stood when the peer was told of it.
    var told: [LinkID: Standing] = [:]
    /// Links that nothing was said on yet since a cast may make it needless, and until when that is waited for.
    var untold: Set<LinkID> = []
    var untoldDue: Instant
    /// By how many peers each chunk is offered.
    private(set) var sources: [UInt8]
    /// What goes for `BlobMessage.State.wants`.
    package internal(set) var wants = Lingering()
    /// Of an origin: to whom it offers what, while several peers want it.
    var ration: Ration?
    var isRationed = Lingering()
    /// Until when the chunks are on the air, and none is asked for.
    var castUntil: Instant?
    /// Of what is on the air, the chunks that are still to come from there.
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
    /// When somebody last wanted it.
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
        untoldDue = now + Limits.blobQuietTime
        if role == .origin { ration = Ration(count: count) }
    }

    /// What a state says, in short.
    struct Standing: Hashable, Sendable {
        let stored: Int
        let wants: Int
    }

    var standing: Standing { Standing(stored: have.count, wants: wants.value) }

    /// Chunks that are neither stored nor about to be.
    var missingCount: Int { shape.chunkCount - have.count - storing.count }

    func lacks(_ chunk: Int) -> Bool { !have.contains(chunk) && !storing.contains(chunk) }

    func isChunk(_ chunk: Int) -> Bool { (0..<shape.chunkCount).contains(chunk) }

    func isFetching(_ now: Instant) -> Bool {
        wants.value > 0 && missingCount > 0 && storing.count < Limits.blobStoringMax && !isPaused(now)
    }

    private func isPaused(_ now: Instant) -> Bool { pausedUntil.map { now < $0 } ?? false }

    func isCast(_ now: Instant) -> Bool { castUntil.map { now < $0 } ?? false }

    /// Peers that want chunks, for themselves or others.
    var wantingCount: Int { peers.values.count { $0.isWanting } }

    /// How far from here the next is who wants it: 0 for nobody, or too far.
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

    /// Chunks that the peer offers and that could be asked for.
    func open(at peer: BlobPeer) -> ChunkSet {
        var chunks = peer.offers
        chunks.subtract(have)
        chunks.subtract(storing)
        chunks.subtract(asked)
        return chunks
    }

    /// What the file's author says of the chunk; nil while its page is not here.
    func hash(of chunk: Int) -> Bytes32? {
        let page = shape.page(ofChunk: chunk)
        return pages[page]?[chunk - shape.chunks(ofPage: page).lowerBound]
    }

    /// Whether the page is asked of another and may still come from there.
    func isAwaited(page: Int, elsewhereThan link: LinkID, _ now: Instant) -> Bool {
        guard pages[page] == nil, let asked = pagesAsked[page] else { return false }
        return asked.link != link && now < asked.due
    }

    // MARK: Who offers what

    /// - Returns: whether it is news.
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

    /// When another is asked.
    var due: Instant { at + Limits.blobPagePatience }
}
