import TourModel
import TourWire

// How peers learn of new chunks: with other messages for them, otherwise after a while.
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
        // The peer most likely hears the same cast. If it may lack the page, without which no chunk counts, it must
        // learn where to get that.
        let page = blob.shape.page(ofChunk: chunk)
        let hasPage = !peer.isWanting || blob.shape.chunks(ofPage: page).contains(where: peer.offers.contains)
        if hasPage, blob.isCast(now), blob.castBeside.contains(link) { return Limits.blobNewsDelayBesideCast }
        let isBusy = links[link].map { $0.sending > 0 || !$0.owed.isEmpty } ?? false
        return isBusy || !peer.isWanting
            ? Limits.blobNewsDelayWhenBusy : Limits.blobNewsDelay(chunks: blob.shape.chunkCount)
    }

    /// Takes the news of a file for the peer of a link: another message carries it.
    mutating func drainNews(of id: BlobID, for link: LinkID) -> [Int] {
        guard let peer = blobs[id]?.peers[link], !peer.news.isEmpty, peer.news.count <= Limits.blobGotMax else {
            return []
        }
        blobs[id]?.peers[link]?.forgetNews()
        return peer.news.filter(peer.isNews)
    }

    mutating func sendNews(_ now: Instant, _ outputs: inout [Output]) {
        for id in inOrder {
            for link in blobs[id]?.peers.keys.sorted() ?? [] {
                guard let peer = blobs[id]?.peers[link], let due = peer.newsDue, due <= now else { continue }
                if peer.news.count > Limits.blobGotMax {
                    sendState(of: id, to: link, asks: false, &outputs)
                    continue
                }
                let news = drainNews(of: id, for: link)
                if !news.isEmpty { outputs.append(.send(link, .got(id, news))) }
            }
        }
    }

    /// Reports the progress of files, and those that nobody wants.
    mutating func report(_ now: Instant, _ outputs: inout [Output]) {
        for id in inOrder {
            guard let blob = blobs[id] else { continue }
            if let due = blob.progressDue, due <= now {
                blobs[id]?.progressDue = nil
                blobs[id]?.progressAt = now
                outputs.append(.progress(id, chunks: blob.have.count))
            }
            if blob.busyAt + OpenBlob.idleTime <= now {
                blobs[id]?.busyAt = now
                outputs.append(.idle(id))
            }
        }
    }
}

extension BlobPeer {
    /// Whether the peer should learn that we have the chunk: a peer that wants chunks does not need those that it has.
    /// An origin, which wants none, counts by such news how its offers spread.
    func isNews(_ chunk: Int) -> Bool { wants == 0 || !offers.contains(chunk) }

    mutating func addNews(_ chunk: Int, due: Instant) {
        // News beyond what a message holds becomes a state.
        if news.count <= Limits.blobGotMax { news.append(chunk) }
        newsDue = min(newsDue ?? due, due)
    }

    /// Makes waiting news due by then.
    mutating func hastenNews(_ due: Instant) { newsDue = newsDue.map { min($0, due) } }

    mutating func forgetNews() {
        news = []
        newsDue = nil
    }
}
