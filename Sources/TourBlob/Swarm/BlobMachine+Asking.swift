import TourModel
import TourWire

// The choice of chunks to ask for, and of peers. Source: `Protocol/11-blobs.md`, "Asking".
extension BlobMachine {
    private typealias Plan = [LinkID: [BlobID: BlobMessage.Ask]]

    mutating func ask(_ now: Instant, _ rng: inout some RandomNumberGenerator, _ outputs: inout [Output]) {
        // Nearly complete files first: then they are of use, and others have one more peer to ask.
        let fetching = blobs.filter { $0.value.isFetching(now) }
            .sorted { ($0.value.missingCount, $0.value.place) < ($1.value.missingCount, $1.value.place) }.map(\.key)
        guard !fetching.isEmpty else { return }
        var plan = Plan()
        var free = links.keys.sorted().shuffled(using: &rng)
        // Each turn goes to the peer with the least to do: so every peer gets a share.
        while let link = free.min(by: { load($0) < load($1) }) {
            if !askOne(of: link, fetching, now, &rng, &plan) { free.removeAll { $0 == link } }
        }
        for (link, asks) in plan.sorted(by: { $0.key < $1.key }) {
            for (id, var ask) in asks.sorted(by: { $0.key < $1.key }) {
                ask.got = drainNews(of: id, for: link)
                outputs.append(.send(link, .ask(ask)))
            }
        }
    }

    private func load(_ link: LinkID) -> Int { links[link]?.chunksAsked ?? 0 }

    /// - Returns: whether a chunk was asked for.
    private mutating func askOne(
        of link: LinkID, _ fetching: [BlobID], _ now: Instant, _ rng: inout some RandomNumberGenerator,
        _ plan: inout Plan
    ) -> Bool {
        for id in fetching {
            guard let blob = blobs[id], let peer = blob.peers[link], peer.mayBeAsked(now),
                load(link) < asksMax(link, peer)
            else { continue }
            var chunks = blob.open(at: peer)
            for page in blob.pagesAsked.keys where blob.isAwaited(page: page, elsewhereThan: link, now) {
                for chunk in blob.shape.chunks(ofPage: page) { chunks.remove(chunk) }
            }
            if chunks.isEmpty { chunks = overdue(of: id, blob, peer, link, now) }
            // While a cast is in progress this node asks only for chunks that it will not bring, and for pages of the
            // others.
            var left = chunks
            if blob.isCast(now) { left.subtract(blob.castAwaits) }
            if !left.isEmpty { chunks = left }
            let chosen = ChunkChoice.lowest(of: chunks, using: &rng) { Int(blob.sources[$0]) }
            guard let chosen else { continue }
            askPage(blob.shape.page(ofChunk: chosen), of: id, link, now, &plan)
            guard !left.isEmpty else { continue }
            add(.chunk(chosen), of: id, link, now, &plan)
            return true
        }
        return false
    }

    /// The most chunks asked of a peer: one of a peer that failed before, as a trial.
    private func asksMax(_ link: LinkID, _ peer: BlobPeer) -> Int {
        links[link]?.isSlow == true || peer.rest.failures > 0 ? 1 : BlobLink.asksMax
    }

    /// Chunks that others were asked for and have not sent in time: one more peer is asked, which has nothing else to
    /// give.
    private func overdue(
        of id: BlobID, _ blob: OpenBlob, _ peer: BlobPeer, _ link: LinkID, _ now: Instant
    ) -> ChunkSet {
        var late = ChunkSet(limit: blob.shape.chunkCount)
        var awaited = late
        for (other, state) in links {
            for ask in state.asks where ask.blob == id {
                guard let chunk = ask.part.chunk, peer.offers.contains(chunk), blob.hash(of: chunk) != nil else {
                    continue
                }
                if other != link, now >= ask.at + blob.askPatience {
                    late.insert(chunk)
                } else {
                    awaited.insert(chunk)
                }
            }
        }
        late.subtract(awaited)
        return late
    }

    /// Asks for the page before its first chunk; it also arrives first, in the same lane.
    private mutating func askPage(_ page: Int, of id: BlobID, _ link: LinkID, _ now: Instant, _ plan: inout Plan) {
        guard let blob = blobs[id], blob.pages[page] == nil, links[link]?.isAsked(.page(page), of: id) == false,
            !blob.isAwaited(page: page, elsewhereThan: link, now)
        else { return }
        blobs[id]?.pagesAsked[page] = PageAsked(link: link, at: now)
        add(.page(page), of: id, link, now, &plan)
    }

    private mutating func add(_ part: BlobPart, of id: BlobID, _ link: LinkID, _ now: Instant, _ plan: inout Plan) {
        links[link]?.asked(BlobAsk(blob: id, part: part, at: now))
        var ask = plan[link]?[id] ?? BlobMessage.Ask(blob: id)
        switch part {
        case .page(let page): ask.pages.append(page)
        case .chunk(let chunk):
            blobs[id]?.asked.insert(chunk)
            ask.chunks.append(chunk)
        }
        plan[link, default: [:]][id] = ask
    }

    // MARK: Missing answers

    /// Takes the questions away from stalled peers.
    mutating func expire(_ now: Instant, _ outputs: inout [Output]) {
        for link in links.keys.sorted() {
            guard let due = links[link]?.stallDue, due <= now else { continue }
            for id in Set(links[link]?.asks.map(\.blob) ?? []) { blobs[id]?.peers[link]?.rest.begin(now) }
            giveUp(on: link, &outputs) { _ in true }
        }
        expireGrants(now)
    }
}

extension OpenBlob {
    /// How long this node waits for a peer before it asks another: briefly at the end of a file.
    var askPatience: Duration {
        missingCount <= Self.endChunksMax ? Self.endPatience : Self.askPatience
    }
}
