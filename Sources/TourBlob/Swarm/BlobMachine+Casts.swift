import TourModel
import TourWire

// Files that are cast, and the role of links meanwhile. Source: `Protocol/11-blobs.md`, "Multicast session".
extension BlobMachine {
    /// Records that a member casts the file, or no longer does.
    mutating func casting(_ id: BlobID, until: Instant, beside: Set<LinkID>, _ now: Instant) {
        guard let blob = blobs[id] else { return }
        if !blob.isCast(now) { blobs[id]?.castAwaits = .all(blob.shape.chunkCount) }
        blobs[id]?.castUntil = until
        blobs[id]?.castBeside = beside
        guard until <= now else { return }
        // News was held back until somebody might need it.
        let due = now + Limits.blobNewsDelay(chunks: blob.shape.chunkCount)
        for link in blob.peers.keys { blobs[id]?.peers[link]?.hastenNews(due) }
    }

    mutating func castLeft(_ id: BlobID, _ chunks: [Int], _ outputs: inout [Output]) {
        for chunk in chunks where blobs[id]?.isChunk(chunk) == true { blobs[id]?.castAwaits.remove(chunk) }
        for link in blobs[id]?.untold.sorted() ?? [] { sendState(of: id, to: link, asks: true, &outputs) }
    }

    /// Tells links of a file that they have not heard of. A file that a cast will probably bring to all neighbours is
    /// not mentioned on each link: those that lack nothing in the end send nothing, and the others ask. Without a cast
    /// this node mentions the file when the first chunk is stored, or after a while; it also does when pages are
    /// missing then, since no cast brings these.
    mutating func sendFirstStates(_ now: Instant, _ outputs: inout [Output]) {
        for id in inOrder {
            // A chunk that cannot be written or read after all is missing again, and is asked for.
            guard let blob = blobs[id], !blob.untold.isEmpty, blob.missingCount > 0 else { continue }
            let isDue = blob.untoldDue <= now
            guard isDue || !blob.have.isEmpty else { continue }
            let lacksPages = isDue && blob.pages.count < blob.shape.pageCount
            for link in blob.untold.sorted()
            where lacksPages || !blob.isCast(now) || !blob.castBeside.contains(link) {
                sendState(of: id, to: link, asks: true, &outputs)
            }
        }
    }

    /// Records that this node casts the file to these peers, or no longer does: then it tells them what they may ask
    /// for.
    mutating func castOut(
        _ id: BlobID, to links: Set<LinkID>, until: Instant, _ now: Instant, _ outputs: inout [Output]
    ) {
        guard let before = blobs[id]?.castTo else { return }
        let links = until > now ? links : []
        blobs[id]?.castTo = links
        blobs[id]?.castToUntil = links.isEmpty ? nil : until
        for link in before.subtracting(links).sorted() where blobs[id]?.peers[link]?.isWanting == true {
            sendState(of: id, to: link, asks: false, &outputs)
        }
    }

    /// Sends the pages to peers that should receive a cast: without its page no chunk counts. Their states offer
    /// nothing that would let them ask for pages.
    mutating func followCasts(_ now: Instant, _ outputs: inout [Output]) {
        for id in inOrder {
            guard let blob = blobs[id], let until = blob.castToUntil else { continue }
            guard until > now else {
                castOut(id, to: [], until: now, now, &outputs)
                continue
            }
            for link in blob.castTo.sorted() {
                guard let peer = blob.peers[link], peer.isWanting, !peer.hasPages else { continue }
                blobs[id]?.peers[link]?.hasPages = true
                for page in blob.pages.keys.sorted() {
                    let isThere = blob.shape.chunks(ofPage: page).contains(where: peer.offers.contains)
                    guard !isThere, links[link]?.isOwed(.page(page), of: id) == false,
                        links[link]?.owed.count ?? 0 < Limits.blobOwedMax
                    else { continue }
                    links[link]?.owed.append(.init(blob: id, part: .page(page)))
                }
            }
        }
    }

    /// Whether a cast of this node brings this part to the link's peer first.
    func isCast(_ owed: BlobLink.Owed, to link: LinkID) -> Bool {
        owed.part.isChunk && blobs[owed.blob]?.castTo.contains(link) == true
    }

    /// Handles a chunk from a cast. Until its page is here nothing can verify it.
    mutating func receive(_ id: BlobID, chunk: Int, _ bytes: [UInt8], _ now: Instant, _ outputs: inout [Output]) {
        guard let blob = blobs[id], blob.isChunk(chunk), blob.hash(of: chunk) != nil else { return }
        guard isSound(chunk, of: id, bytes) else { return outputs.append(.misheard(id, chunk: chunk)) }
        accept(chunk, of: id, bytes, now, &outputs)
    }
}
