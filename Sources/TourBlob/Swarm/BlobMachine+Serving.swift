import TourModel
import TourWire

// The parts that peers ask for and get.
extension BlobMachine {
    mutating func asked(_ ask: BlobMessage.Ask, _ link: LinkID, _ now: Instant, _ outputs: inout [Output]) {
        let id = ask.blob
        guard let blob = blobs[id], let room = links[link].map({ Limits.blobOwedMax - $0.owed.count }) else { return }
        guard ask.chunks.allSatisfy(blob.isChunk), ask.pages.allSatisfy({ $0 < blob.shape.pageCount }) else {
            return outputs.append(.misbehaved(link, .foreignChunk))
        }
        var parts = ask.pages.filter { blob.pages[$0] != nil }.map(BlobPart.page)
        var refused = [Int]()
        for chunk in ask.chunks {
            if blob.have.contains(chunk), mayHave(chunk, of: id, link, now) {
                parts.append(.chunk(chunk))
            } else {
                refused.append(chunk)
            }
        }
        for part in parts where links[link]?.isOwed(part, of: id) == false {
            if room <= 0 || links[link]?.owed.count ?? 0 >= Limits.blobOwedMax {
                if let chunk = part.chunk { refused.append(chunk) }
                continue
            }
            links[link]?.owed.append(.init(blob: id, part: part))
            if let chunk = part.chunk { recordAsked(chunk, of: id, link, now) }
        }
        if !refused.isEmpty { outputs.append(.send(link, .drop(id, refused, refused: true))) }
    }

    /// The most parts in a link's queue: where many peers receive, one chunk each keeps the network busy.
    private func sendingMax(_ link: BlobLink) -> Int {
        link.isSlow || links.values.count { $0.sending > 0 } > BlobLink.receiversFew ? 1 : BlobLink.sendingMax
    }

    /// Fills the link's queue up to its limit.
    mutating func serve(
        _ link: LinkID, _ now: Instant, _ rng: inout some RandomNumberGenerator, _ outputs: inout [Output]
    ) {
        while let state = links[link], state.sending < sendingMax(state),
            let index = state.owed.firstIndex(where: { !isCast($0, to: link) })
        {
            let next = state.owed[index]
            links[link]?.owed.remove(at: index)
            links[link]?.sends(now)
            switch next.part {
            case .page(let page):
                let hashes = blobs[next.blob]?.pages[page] ?? []
                outputs.append(.send(link, .page(next.blob, page: page, hashes: hashes)))
            case .chunk(let chunk):
                recordSent(chunk, of: next.blob, link, now)
                grant(of: next.blob, to: link, now, &rng)
                let got = drainNews(of: next.blob, for: link)
                outputs.append(.sendChunk(link, next.blob, chunk: chunk, got: got))
            }
        }
    }
}
