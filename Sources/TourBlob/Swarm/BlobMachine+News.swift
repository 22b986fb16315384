import TourModel
import TourWire

// What peers are told of new chunks: with questions and chunks that go to them anyway, else after a while.
extension BlobMachine {
    mutating func addNews(_ chunk: Int, of id: BlobID, _ now: Instant) {
        guard let blob = blobs[id], blob.ration == nil else { return }
        for (link, peer) in blob.peers where peer.isNews(chunk) {
            let due = now + newsDelay(of: chunk, blob, to: peer, on: link, now)
            blobs[id]?.peers[link]?.addNews(chunk, due: due)
        }
    }

    private func newsDelay(
        of chunk: Int, _ blob: OpenBlob, to peer: BlobPeer, on link: LinkID, _ now: Instant
    ) -> Duration {
        // It hears the same, most likely. If it may lack the page, by which alone a chunk counts, it is to know where
        // that is to be had.
        let page = blob.shape.page(ofChunk: chunk)
        let hasPage = !peer.isWanting || blob.shape.chunks(ofPage: page).contains(where: peer.offers.contains)
        if hasPage, blob.isCast(now), blob.castBeside.contains(link) { return Limits.blobNewsDelayBesideCast }
        let isBusy = links[link].map { $0.sending > 0 || !$0.owed.isEmpty } ?? false
        return isBusy || !peer.isWanting
            ? Limits.blobNewsDelayWhenBusy : Limits.blobNewsDelay(chunks: blob.shape.chunkCount)
    }

    /// What the peer of a link is to hear of a file: it is on its way with another message.
    mutating func takeNews(of id: BlobID, for link: LinkID) -> [Int] {
        guard let peer = blobs[id]?.peers[link], !peer.news.isEmpty, peer.news.count <= Limits.blobGotMax else {
            return []
        }
        blobs[id]?.peers[link]?.forgetNews()
        return peer.news.filter(peer.isNews)
    }

    mutating func tellNews(_ now: Instant, _ outputs: inout [Output]) {
        for id in inOrder {
            for link in blobs[id]?.peers.keys.sorted() ?? [] {
                guard let peer = blobs[id]?.peers[link], let due = peer.newsDue, due <= now else { continue }
                if peer.news.count > Limits.blobGotMax {
                    tellState(of: id, to: link, asks: false, &outputs)
                    continue
                }
                let news = takeNews(of: id, for: link)
                if !news.isEmpty { outputs.append(.send(link, .got(id, news))) }
            }
        }
    }

    /// Says how far files are, and which nobody wants.
    mutating func report(_ now: Instant, _ outputs: inout [Output]) {
        for id in inOrder {
            guard let blob = blobs[id] else { continue }
            if let due = blob.progressDue, due <= now {
                blobs[id]?.progressDue = nil
                blobs[id]?.progressAt = now
                outputs.append(.progress(id, chunks: blob.have.count))
            }
            if blob.busyAt + Limits.blobIdleTime <= now {
                blobs[id]?.busyAt = now
                outputs.append(.idle(id))
            }
        }
    }
}

extension BlobPeer {
    /// Whether it is told that we have the chunk: who wants some does not need those that it has. An origin, which
    /// wants none, counts by it what came of what it offers.
    func isNews(_ chunk: Int) -> Bool { wants == 0 || !offers.contains(chunk) }

    mutating func addNews(_ chunk: Int, due: Instant) {
        // More than a message holds becomes a state.
        if news.count <= Limits.blobGotMax { news.append(chunk) }
        newsDue = min(newsDue ?? due, due)
    }

    /// What is to be told is told by then.
    mutating func hastenNews(_ due: Instant) { newsDue = newsDue.map { min($0, due) } }

    mutating func forgetNews() {
        news = []
        newsDue = nil
    }
}
