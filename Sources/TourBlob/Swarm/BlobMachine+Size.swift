import TourModel

/// How much the machine holds: every part of it that a peer could try to grow.
package struct BlobSize: Hashable, Sendable {
    /// Peers of files whose link is gone; always none.
    package var strayPeers = 0
    /// The most chunks asked for on one link; at most `BlobLink.asksMax`.
    package var asks = 0
    /// The most parts that one link waits for; at most `Limits.blobOwedMax`.
    package var owed = 0
    /// The most parts in one link's queue; at most `BlobLink.sendingMax`.
    package var sending = 0
    /// Verified chunks of one file that are not stored; chunks asked for before the bound was reached still arrive.
    package var storing = 0
    /// The most news for one peer.
    package var news = 0
    /// The most offers of an origin to one peer; at most `Grant.unsettledMax`.
    package var grants = 0
    /// Chunks wrongly recorded as asked for, or not recorded; always none.
    package var falselyAsked = 0

    package init() {}

    /// Whether everything is within its bound.
    /// - Parameter links: the number of open links.
    package func isBounded(links: Int) -> Bool {
        strayPeers == 0 && falselyAsked == 0 && asks <= BlobLink.asksMax && owed <= Limits.blobOwedMax
            && sending <= BlobLink.sendingMax && storing <= OpenBlob.storingMax + links * BlobLink.asksMax
            && news <= Limits.blobGotMax + 1 && grants <= Grant.unsettledMax
    }
}

extension BlobMachine {
    /// Examines everything: too slow for every step of a product.
    package var size: BlobSize {
        var size = BlobSize()
        for link in links.values {
            size.asks = max(size.asks, link.chunksAsked)
            size.owed = max(size.owed, link.owed.count)
            size.sending = max(size.sending, link.sending)
        }
        for (id, blob) in blobs {
            size.storing = max(size.storing, blob.storing.count)
            for (link, peer) in blob.peers {
                size.news = max(size.news, peer.news.count)
                size.grants = max(size.grants, peer.grants.count)
                if links[link] == nil { size.strayPeers += 1 }
            }
            size.strayPeers += blob.untold.count { links[$0] == nil }
            var asked = ChunkSet(limit: blob.shape.chunkCount)
            for ask in links.values.flatMap(\.asks) where ask.blob == id {
                if let chunk = ask.part.chunk { asked.insert(chunk) }
            }
            if asked != blob.asked { size.falselyAsked += 1 }
        }
        return size
    }
}
