import TourModel
import TourWire

// Files that go by multicast: what links do meanwhile. Source: `Protocol/11-blobs.md`, "Multicast session".
extension BlobMachine {
    /// Somebody casts the file, or does so no more.
    mutating func casting(_ id: BlobID, until: Instant, beside: Set<LinkID>, _ now: Instant) {
        guard let blob = blobs[id] else { return }
        if !blob.isCast(now) { blobs[id]?.castAwaits = .all(blob.shape.chunkCount) }
        blobs[id]?.castUntil = until
        blobs[id]?.castBeside = beside
        guard until <= now else { return }
        // What was kept back until somebody may need it.
        let due = now + Limits.blobNewsDelay(chunks: blob.shape.chunkCount)
        for link in blob.peers.keys { blobs[id]?.peers[link]?.hastenNews(due) }
    }

    mutating func castLeft(_ id: BlobID, _ chunks: [Int], _ outputs: inout [Output]) {
        for chunk in chunks where blobs[id]?.isChunk(chunk) == true { blobs[id]?.castAwaits.remove(chunk) }
        for link in blobs[id]?.untold.sorted() ?? [] { tellState(of: id, to: link, asks: true, &outputs) }
    }

    /// A file that a cast is likely to bring to all who are near is not worth a word on each link: those who lack
    /// nothing in the end say nothing, and who does asks. Without a cast a link hears of it with the first chunk that
    /// is here, or after a while; so it does where pages are missing then, which no cast brings.
    mutating func tellUntold(_ now: Instant, _ outputs: inout [Output]) {
        for id in inOrder {
            // What cannot be written or read after all is missing again: then it is asked for.
            guard let blob = blobs[id], !blob.untold.isEmpty, blob.missingCount > 0 else { continue }
            let isDue = blob.untoldDue <= now
            guard isDue || !blob.have.isEmpty else { continue }
            let lacksPages = isDue && blob.pages.count < blob.shape.pageCount
            for link in blob.untold.sorted()
            where lacksPages || !blob.isCast(now) || !blob.castBeside.contains(link) {
                tellState(of: id, to: link, asks: true, &outputs)
            }
        }
    }

    /// This node casts the file to these peers, or does so no more: then they are told what they may ask for.
    mutating func castOut(
        _ id: BlobID, to links: Set<LinkID>, until: Instant, _ now: Instant, _ outputs: inout [Output]
    ) {
        guard let before = blobs[id]?.castTo else { return }
        let links = until > now ? links : []
        blobs[id]?.castTo = links
        blobs[id]?.castToUntil = links.isEmpty ? nil : until
        for link in before.subtracting(links).sorted() where blobs[id]?.peers[link]?.isWanting == true {
            tellState(of: id, to: link, asks: false, &outputs)
        }
    }

    /// Who is to hear a cast needs the pages: no chunk of it counts without. Nothing is offered by which they could be
    /// asked for.
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

    /// Whether this goes to the link's peer by a cast of this node first.
    func isCast(_ owed: BlobLink.Owed, to link: LinkID) -> Bool {
        owed.part.isChunk && blobs[owed.blob]?.castTo.contains(link) == true
    }

    /// A chunk from the air. Before its page is there nothing can be said of it.
    mutating func heard(_ id: BlobID, _ chunk: Int, _ bytes: [UInt8], _ now: Instant, _ outputs: inout [Output]) {
        guard let blob = blobs[id], blob.isChunk(chunk), blob.hash(of: chunk) != nil else { return }
        guard isSound(chunk, of: id, bytes) else { return outputs.append(.misheard(id, chunk: chunk)) }
        accept(chunk, of: id, bytes, now, &outputs)
    }
}
