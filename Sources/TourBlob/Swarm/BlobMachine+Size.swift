import TourModel

/// How much the machine holds: everything in it that a peer could try to grow.
package struct BlobSize: Hashable, Sendable {
    /// Peers of one file that a link has gone from; none.
    package var strayPeers = 0
    /// The most of one link: chunks asked for, at most `Limits.blobAsksMax`; what it waits for, at most
    /// `Limits.blobOwedMax`; and what its queue has, at most `Limits.blobSendingMax`.
    package var asks = 0
    package var owed = 0
    package var sending = 0
    /// Verified chunks of one file that are not stored; what was asked for when the bound was reached still comes.
    package var storing = 0
    /// The most for one peer: chunks to be told of, and an origin's offers.
    package var news = 0
    package var grants = 0
    /// Chunks that count as asked for and are not, or the other way round; none.
    package var falselyAsked = 0

    package init() {}

    /// Whether everything is within its bound.
    /// - Parameter links: that are open.
    package func isBounded(links: Int) -> Bool {
        strayPeers == 0 && falselyAsked == 0 && asks <= Limits.blobAsksMax && owed <= Limits.blobOwedMax
            && sending <= Limits.blobSendingMax && storing <= Limits.blobStoringMax + links * Limits.blobAsksMax
            && news <= Limits.blobGotMax + 1 && grants <= Limits.blobGrantsUnsettledMax
    }
}

extension BlobMachine {
    /// Looks at everything: not for every step of a product.
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
