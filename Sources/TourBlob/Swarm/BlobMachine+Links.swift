import TourModel
import TourWire

// Files and links that open and close, and the states sent then.
extension BlobMachine {
    mutating func open(_ opening: BlobOpening, _ now: Instant, _ outputs: inout [Output]) {
        let id = opening.blob
        guard blobs[id] == nil else { return changeRole(of: id, to: opening.role, now, &outputs) }
        precondition(blobs.count < Limits.blobsOpenMax, "the shell opens no more files than may be open")
        var blob = OpenBlob(opening, place: opened, now: now)
        opened += 1
        blob.wants.settle(blob.wantsNow)
        if let first = opening.toldFirst { blob.untold = Set(links.keys).subtracting(first) }
        blobs[id] = blob
        for link in links.keys.sorted() where !blob.untold.contains(link) {
            sendState(of: id, to: link, asks: true, &outputs)
        }
        if opening.role == .wanted, blob.have.isFull { outputs.append(.complete(id)) }
    }

    private mutating func changeRole(
        of id: BlobID, to role: BlobRole, _ now: Instant, _ outputs: inout [Output]
    ) {
        guard let old = blobs[id], old.role != role else { return }
        blobs[id]?.role = role
        blobs[id]?.ration = role == .origin ? Ration(count: old.shape.chunkCount) : nil
        blobs[id]?.isRationed.settle(0)
        for link in old.peers.keys { blobs[id]?.peers[link]?.grants = [] }
        let wants = blobs[id]?.wantsNow ?? 0
        blobs[id]?.wants.settle(wants)
        if blobs[id]?.wants.value == 0 { dropAsks(for: id, &outputs) }
        sendState(of: id, &outputs)
        if role == .wanted, old.have.isFull { outputs.append(.complete(id)) }
    }

    mutating func close(_ id: BlobID, _ now: Instant, _ outputs: inout [Output]) {
        dropAsks(for: id, &outputs)
        guard let blob = blobs.removeValue(forKey: id) else { return }
        for link in blob.peers.keys.sorted() {
            links[link]?.owed.removeAll { $0.blob == id }
            outputs.append(.send(link, .state(.init(blob: id, wants: 0, have: [], asks: false))))
        }
    }

    mutating func linkUp(_ link: LinkID, isSlow: Bool, _ now: Instant, _ outputs: inout [Output]) {
        guard links[link] == nil else { return }
        links[link] = BlobLink(isSlow: isSlow, now: now)
        for id in inOrder { sendState(of: id, to: link, asks: false, &outputs) }
    }

    mutating func linkDown(_ link: LinkID, _ now: Instant) {
        guard let gone = links.removeValue(forKey: link) else { return }
        for ask in gone.asks { release(ask, on: link) }
        for id in blobs.keys {
            settleGrants(of: link, id, now)
            blobs[id]?.removePeer(link)
        }
    }

    /// Files in the order in which they were opened.
    var inOrder: [BlobID] { blobs.sorted { $0.value.place < $1.value.place }.map(\.key) }

    /// Ends a question on this link, so that another link may be asked.
    mutating func release(_ ask: BlobAsk, on link: LinkID) {
        switch ask.part {
        case .page(let page):
            if blobs[ask.blob]?.pagesAsked[page]?.link == link { blobs[ask.blob]?.pagesAsked[page] = nil }
        case .chunk(let chunk):
            let isElsewhere = links.contains { $0.key != link && $0.value.isAsked(ask.part, of: ask.blob) }
            if !isElsewhere { blobs[ask.blob]?.asked.remove(chunk) }
        }
    }

    /// Gives up all questions for a file.
    mutating func dropAsks(for id: BlobID, _ outputs: inout [Output]) {
        for link in links.keys.sorted() {
            giveUp(on: link, &outputs) { $0.blob == id }
        }
    }

    /// Gives up questions on a link, and tells the peer.
    mutating func giveUp(on link: LinkID, _ outputs: inout [Output], where isGivenUp: (BlobAsk) -> Bool) {
        guard let lost = links[link]?.asks.filter(isGivenUp), !lost.isEmpty else { return }
        links[link]?.asks.removeAll(where: isGivenUp)
        for ask in lost { release(ask, on: link) }
        for (blob, asks) in Dictionary(grouping: lost, by: \.blob).sorted(by: { $0.key < $1.key }) {
            outputs.append(.send(link, .drop(blob, asks.compactMap(\.part.chunk), refused: false)))
        }
    }

    // MARK: States

    func state(of id: BlobID, for link: LinkID, asks: Bool) -> BlobMessage.State {
        guard let blob = blobs[id] else { return .init(blob: id, wants: 0, have: [], asks: asks) }
        let have = blob.isOpenHanded && !blob.castTo.contains(link) ? blob.have : blob.granted(to: link)
        return .init(blob: id, wants: blob.wants.value, have: have.bytes, asks: asks)
    }

    /// Sends the file's state to every peer that knows the file.
    mutating func sendState(of id: BlobID, _ outputs: inout [Output]) {
        for link in blobs[id]?.peers.keys.sorted() ?? [] { sendState(of: id, to: link, asks: false, &outputs) }
    }

    mutating func sendState(of id: BlobID, to link: LinkID, asks: Bool, _ outputs: inout [Output]) {
        outputs.append(.send(link, .state(state(of: id, for: link, asks: asks))))
        guard let blob = blobs[id] else { return }
        blobs[id]?.untold.remove(link)
        if blob.peers[link] == nil {
            blobs[id]?.told[link] = blob.standing
        } else {
            blobs[id]?.peers[link]?.forgetNews()
        }
    }

    /// Adjusts wants and rationing: relays want what peers want; origins ration what several peers want.
    mutating func followWants(_ now: Instant, _ outputs: inout [Output]) {
        for id in inOrder {
            guard let blob = blobs[id] else { continue }
            let count = blob.wantingCount
            if count > 0 || blob.wants.value > 0 { blobs[id]?.busyAt = now }
            if blob.role == .relay, blobs[id]?.wants.follow(blob.wantsNow, now) == true {
                if blobs[id]?.wants.value == 0 { dropAsks(for: id, &outputs) }
                sendState(of: id, &outputs)
            }
            if blob.ration != nil, blobs[id]?.isRationed.follow(count > 1 ? 1 : 0, now) == true {
                sendState(of: id, &outputs)
            }
        }
    }
}

extension OpenBlob {
    /// Whether every peer may ask for everything.
    var isOpenHanded: Bool { ration == nil || isRationed.value == 0 && wantingCount > 0 }

    /// The chunks that an origin offers this peer at present.
    func granted(to link: LinkID) -> ChunkSet {
        var chunks = ChunkSet(limit: shape.chunkCount)
        for grant in peers[link]?.grants ?? [] { chunks.insert(grant.chunk) }
        return chunks
    }
}

extension BlobLink {
    func isAsked(_ part: BlobPart, of blob: BlobID) -> Bool { asks.contains { $0.part == part && $0.blob == blob } }
}

extension BlobPart {
    var chunk: Int? {
        switch self {
        case .page: nil
        case .chunk(let chunk): chunk
        }
    }
}
