import TourModel
import TourWire

// Messages of peers.
extension BlobMachine {
    mutating func receive(_ message: BlobMessage, _ link: LinkID, _ now: Instant, _ outputs: inout [Output]) {
        guard links[link] != nil else { return }
        guard let blob = blobs[message.blob] else { return lookUp(message, link, &outputs) }
        if blob.peers[link] == nil { meet(link, message, &outputs) }
        switch message {
        case .state(let state): receive(state, link, now, &outputs)
        case .got(let id, let chunks): got(chunks, of: id, link, now, &outputs)
        case .ask(let ask):
            got(ask.got, of: ask.blob, link, now, &outputs)
            asked(ask, link, now, &outputs)
        case .page(let id, let page, let hashes): arrived(page: page, of: id, hashes, link, now, &outputs)
        case .chunk(let chunk):
            got(chunk.got, of: chunk.blob, link, now, &outputs)
            arrived(chunk, link, now, &outputs)
        case .drop(let id, let chunks, let refused):
            if refused {
                self.refused(chunks, of: id, link, now)
            } else {
                for chunk in chunks { links[link]?.forgive(.chunk(chunk), of: id) }
            }
        }
    }

    /// Handles the first message of a peer about a file: it gets what was stored since the link, or the file, was
    /// opened.
    private mutating func meet(_ link: LinkID, _ message: BlobMessage, _ outputs: inout [Output]) {
        let id = message.blob
        guard let blob = blobs[id] else { return }
        blobs[id]?.peers[link] = BlobPeer(limit: blob.shape.chunkCount)
        let told = blobs[id]?.told.removeValue(forKey: link)
        if told != blob.standing, !message.asksForState { sendState(of: id, to: link, asks: false, &outputs) }
    }

    /// Handles a message about a file that is not open: a peer that asks for chunks is refused.
    private func lookUp(_ message: BlobMessage, _ link: LinkID, _ outputs: inout [Output]) {
        switch message {
        case .state(let state):
            if state.asks || state.wants > 0 { outputs.append(.lookUp(state.blob, from: link)) }
        case .ask(let ask):
            if !ask.chunks.isEmpty { outputs.append(.send(link, .drop(ask.blob, ask.chunks, refused: true))) }
        case .got, .page, .chunk, .drop: break
        }
    }

    private mutating func receive(
        _ state: BlobMessage.State, _ link: LinkID, _ now: Instant, _ outputs: inout [Output]
    ) {
        let id = state.blob
        guard let blob = blobs[id] else { return }
        guard let offers = ChunkSet(bytes: state.have, limit: blob.shape.chunkCount) else {
            return outputs.append(.misbehaved(link, .foreignChunk))
        }
        let wanted = blob.peers[link]?.isWanting ?? false
        blobs[id]?.peers[link]?.wants = state.wants
        blobs[id]?.replaceOffers(offers, by: link)
        settleOffers(of: id, link, now)
        // An origin shows its chunks only to peers that want them.
        let isFirst = !wanted && blob.ration != nil && blob.isRationed.value == 0 && state.wants > 0
        if state.asks || isFirst { sendState(of: id, to: link, asks: false, &outputs) }
    }

    private mutating func got(
        _ chunks: [Int], of id: BlobID, _ link: LinkID, _ now: Instant, _ outputs: inout [Output]
    ) {
        guard let blob = blobs[id] else { return }
        guard chunks.allSatisfy(blob.isChunk) else { return outputs.append(.misbehaved(link, .foreignChunk)) }
        for chunk in chunks where blobs[id]?.offer(chunk, by: link) == true {
            if blobs[id]?.peers[link]?.grants.contains(where: { $0.chunk == chunk }) == false {
                blobs[id]?.peers[link]?.fedAt = now
            }
        }
        settleOffers(of: id, link, now)
    }

    /// Parts that the peer has need not be sent to it.
    private mutating func settleOffers(of id: BlobID, _ link: LinkID, _ now: Instant) {
        guard let peer = blobs[id]?.peers[link] else { return }
        links[link]?.owed.removeAll { $0.blob == id && $0.part.chunk.map(peer.offers.contains) ?? false }
        for grant in peer.grants where peer.offers.contains(grant.chunk) {
            settleGrant(of: grant.chunk, id, link, isGiven: true, now)
        }
    }

    /// A peer that does not send the chunk may lack its page too: this node asks for that elsewhere.
    private mutating func refusedPage(ofChunk chunk: Int, of id: BlobID, _ link: LinkID, _ now: Instant) {
        guard let page = blobs[id]?.shape.page(ofChunk: chunk), links[link]?.answered(.page(page), of: id) == true
        else { return }
        release(BlobAsk(blob: id, part: .page(page), at: now), on: link)
    }

    /// Handles chunks that the peer refuses after all. A peer that refuses many is not asked for a while.
    mutating func refused(_ chunks: [Int], of id: BlobID, _ link: LinkID, _ now: Instant) {
        for chunk in chunks where links[link]?.answered(.chunk(chunk), of: id) == true {
            release(BlobAsk(blob: id, part: .chunk(chunk), at: now), on: link)
            blobs[id]?.withdraw(chunk, by: link)
            blobs[id]?.peers[link]?.refusals += 1
            refusedPage(ofChunk: chunk, of: id, link, now)
        }
        guard let peer = blobs[id]?.peers[link], peer.refusals >= BlobPeer.refusalsMax else { return }
        blobs[id]?.peers[link]?.refusals = 0
        blobs[id]?.peers[link]?.rest.begin(now)
    }
}

extension BlobMessage {
    /// Whether a state answers it in any case, as soon as its contents are recorded.
    fileprivate var asksForState: Bool {
        if case .state(let state) = self { state.asks } else { false }
    }
}
