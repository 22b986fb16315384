import TourCrypto
import TourModel
import TourWire

// Pages and chunks that arrive, are verified and stored.
extension BlobMachine {
    mutating func arrived(
        page: Int, of id: BlobID, _ hashes: [Bytes32], _ link: LinkID, _ now: Instant, _ outputs: inout [Output]
    ) {
        guard let blob = blobs[id] else { return }
        guard page < blob.shape.pageCount else { return outputs.append(.misbehaved(link, .foreignChunk)) }
        let part = BlobPart.page(page)
        if links[link]?.answered(part, of: id) == true { release(BlobAsk(blob: id, part: part, at: now), on: link) }
        guard blob.pages[page] == nil, blob.peers[link]?.isBanned == false else { return }
        guard isSound(page: page, of: blob, hashes) else { return ban(link, for: id, .falsePage, &outputs) }
        links[link]?.progressAt = now
        accept(page: page, of: id, hashes, &outputs)
    }

    /// Handles a page from no peer: a wrong one is ignored.
    mutating func receive(_ id: BlobID, page: Int, _ hashes: [Bytes32], _ outputs: inout [Output]) {
        guard let blob = blobs[id], (0..<blob.shape.pageCount).contains(page), blob.pages[page] == nil,
            isSound(page: page, of: blob, hashes)
        else { return }
        accept(page: page, of: id, hashes, &outputs)
    }

    /// Whether the file's author lists the hash of this page.
    private func isSound(page: Int, of blob: OpenBlob, _ hashes: [Bytes32]) -> Bool {
        hashes.count == blob.shape.chunks(ofPage: page).count
            && BlobHash.page(hashes.flatMap(\.bytes)) == blob.pageHashes[page]
    }

    private mutating func accept(page: Int, of id: BlobID, _ hashes: [Bytes32], _ outputs: inout [Output]) {
        blobs[id]?.pages[page] = hashes
        blobs[id]?.pagesAsked[page] = nil
        outputs.append(.storePage(id, page: page, hashes))
    }

    mutating func arrived(
        _ message: BlobMessage.Chunk, _ link: LinkID, _ now: Instant, _ outputs: inout [Output]
    ) {
        let (id, chunk) = (message.blob, message.chunk)
        guard let blob = blobs[id] else { return }
        guard blob.isChunk(chunk) else { return outputs.append(.misbehaved(link, .foreignChunk)) }
        // A chunk without its page is useless: a peer that sends one does not give what it offers.
        guard blob.hash(of: chunk) != nil else { return refused([chunk], of: id, link, now) }
        if links[link]?.answered(.chunk(chunk), of: id) == true {
            release(BlobAsk(blob: id, part: .chunk(chunk), at: now), on: link)
        }
        // A chunk that was given up is welcome too: it is here now.
        guard blob.lacks(chunk), blob.peers[link]?.isBanned == false else { return }
        guard isSound(chunk, of: id, message.bytes) else { return ban(link, for: id, .falseChunk, &outputs) }
        links[link]?.progressAt = now
        blobs[id]?.peers[link]?.rest = Rest()
        blobs[id]?.peers[link]?.refusals = 0
        accept(chunk, of: id, message.bytes, now, &outputs)
    }

    /// Whether the file's author lists the hash of this chunk.
    func isSound(_ chunk: Int, of id: BlobID, _ bytes: [UInt8]) -> Bool {
        guard let blob = blobs[id], blob.isChunk(chunk), let hash = blob.hash(of: chunk) else { return false }
        return bytes.count == blob.shape.sealedBytes(chunk) && BlobHash.chunk(bytes) == hash
    }

    /// Stores a verified chunk, and gives up all other questions for it.
    mutating func accept(
        _ chunk: Int, of id: BlobID, _ bytes: [UInt8], _ now: Instant, _ outputs: inout [Output]
    ) {
        guard let blob = blobs[id], blob.lacks(chunk), blob.role == .wanted || blob.role == .relay else { return }
        blobs[id]?.storing.insert(chunk)
        outputs.append(.store(id, chunk: chunk, bytes))
        guard blob.asked.contains(chunk) else { return }
        for link in links.keys.sorted() {
            giveUp(on: link, &outputs) { $0.blob == id && $0.part == .chunk(chunk) }
        }
    }

    mutating func stored(_ id: BlobID, _ chunk: Int, _ now: Instant, _ outputs: inout [Output]) {
        guard blobs[id]?.storing.remove(chunk) == true else { return }
        blobs[id]?.have.insert(chunk)
        addNews(chunk, of: id, now)
        guard let blob = blobs[id] else { return }
        guard blob.have.isFull else {
            if blob.progressDue == nil {
                blobs[id]?.progressDue = max(now, blob.progressAt.map { $0 + OpenBlob.progressInterval } ?? now)
            }
            return
        }
        // Peers learn that from the offered chunks.
        blobs[id]?.wants.settle(0)
        blobs[id]?.progressDue = nil
        if blob.role == .wanted { outputs.append(.complete(id)) }
    }

    /// The chunk is fetched again, later: a full disk stays full for a while.
    mutating func storeFailed(_ id: BlobID, _ chunk: Int, _ now: Instant) {
        guard blobs[id]?.storing.remove(chunk) == true else { return }
        blobs[id]?.pausedUntil = now + OpenBlob.storePause
    }

    /// Withdraws a stored chunk that can no longer be read, and fetches it again if the file is wanted.
    mutating func unreadable(
        _ id: BlobID, _ chunk: Int, on link: LinkID, _ now: Instant, _ outputs: inout [Output]
    ) {
        links[link]?.sent(1, now)
        guard blobs[id]?.isChunk(chunk) == true, blobs[id]?.have.remove(chunk) == true else { return }
        for peer in links.keys.sorted() where peer == link || links[peer]?.isOwed(.chunk(chunk), of: id) == true {
            links[peer]?.forgive(.chunk(chunk), of: id)
            settleGrant(of: chunk, id, peer, isGiven: false, now)
            outputs.append(.send(peer, .drop(id, [chunk], refused: true)))
        }
        let wants = blobs[id]?.wantsNow ?? 0
        blobs[id]?.wants.settle(wants)
        sendState(of: id, &outputs)
    }

    private mutating func ban(_ link: LinkID, for id: BlobID, _ fault: BlobFault, _ outputs: inout [Output]) {
        outputs.append(.misbehaved(link, fault))
        blobs[id]?.peers[link]?.isBanned = true
        giveUp(on: link, &outputs) { $0.blob == id }
    }
}
