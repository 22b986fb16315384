import TourModel
import TourWire

// The rationing of an origin. Source: `Protocol/11-blobs.md`, "Origin".
extension BlobMachine {
    /// Offers the next chunks of each rationed file to every peer that wants it.
    mutating func grantAll(_ now: Instant, _ rng: inout some RandomNumberGenerator) {
        for id in inOrder {
            guard let blob = blobs[id], blob.isRationed.value > 0 else { continue }
            for link in blob.peers.keys.sorted()
            where blob.peers[link]?.isWanting == true && !blob.castTo.contains(link) {
                grant(of: id, to: link, now, &rng)
            }
        }
    }

    /// Offers the peer as many chunks as it may have open.
    mutating func grant(
        of id: BlobID, to link: LinkID, _ now: Instant, _ rng: inout some RandomNumberGenerator
    ) {
        guard let state = links[link], !state.isStuck(now), blobs[id]?.isRationed.value ?? 0 > 0 else { return }
        let isSlow = state.isSlow
        while let peer = blobs[id]?.peers[link], peer.mayBeGranted(isSlow: isSlow, now) {
            guard let chunk = nextGrant(of: id, to: link, isSlow: isSlow, now, &rng) else {
                blobs[id]?.peers[link]?.grantsDue = now + Grant.checkInterval
                return
            }
            blobs[id]?.ration?.grant(chunk)
            blobs[id]?.peers[link]?.grants.append(Grant(chunk: chunk, at: now))
            blobs[id]?.peers[link]?.addNews(chunk, due: now)
        }
    }

    /// The chunk with the fewest copies, and of these the one that the fewest peers have. A slow link gets chunks that
    /// others have, so that these need not wait for it.
    private func nextGrant(
        of id: BlobID, to link: LinkID, isSlow: Bool, _ now: Instant, _ rng: inout some RandomNumberGenerator
    ) -> Int? {
        guard let blob = blobs[id], let peer = blob.peers[link], let ration = blob.ration else { return nil }
        let isFed = peer.fedAt.map { now < $0 + BlobPeer.fedTime } ?? false
        let isLast = isSlow && blob.peers.contains { $0.value.isWanting && links[$0.key]?.isSlow == false }
        var chunks = blob.have
        chunks.subtract(peer.offers)
        return ChunkChoice.lowest(of: chunks, using: &rng) { chunk in
            guard ration.allows(chunk, isFed: isFed, now) else { return nil }
            guard !isLast else { return ration.copies(of: chunk) > 0 ? -Int(blob.sources[chunk]) : nil }
            return ration.copies(of: chunk) * 256 + Int(blob.sources[chunk])
        }
    }

    /// Whether the peer gets a chunk that it asks for: one that it was offered, or could be.
    func mayHave(_ chunk: Int, of id: BlobID, _ link: LinkID, _ now: Instant) -> Bool {
        guard let blob = blobs[id], let peer = blob.peers[link] else { return false }
        guard let ration = blob.ration, blob.isRationed.value > 0 else { return true }
        return peer.grants.contains { $0.chunk == chunk }
            || ration.allows(chunk, isFed: true, now) && peer.grants.count < Grant.unsettledMax
    }

    mutating func recordAsked(_ chunk: Int, of id: BlobID, _ link: LinkID, _ now: Instant) {
        guard blobs[id]?.ration != nil, let peer = blobs[id]?.peers[link] else { return }
        if let index = peer.grants.firstIndex(where: { $0.chunk == chunk }) {
            blobs[id]?.peers[link]?.grants[index].stage = .asked
        } else if peer.grants.count < Grant.unsettledMax {
            blobs[id]?.ration?.grant(chunk)
            blobs[id]?.peers[link]?.grants.append(Grant(chunk: chunk, stage: .asked, at: now))
        }
    }

    mutating func recordSent(_ chunk: Int, of id: BlobID, _ link: LinkID, _ now: Instant) {
        guard let index = blobs[id]?.peers[link]?.grants.firstIndex(where: { $0.chunk == chunk }) else { return }
        blobs[id]?.peers[link]?.grants[index].stage = .sent
        blobs[id]?.peers[link]?.grants[index].at = now
    }

    mutating func settleGrant(of chunk: Int, _ id: BlobID, _ link: LinkID, isGiven: Bool, _ now: Instant) {
        guard let index = blobs[id]?.peers[link]?.grants.firstIndex(where: { $0.chunk == chunk }) else { return }
        blobs[id]?.peers[link]?.grants.remove(at: index)
        blobs[id]?.ration?.settle(chunk, isGiven: isGiven, now)
    }

    /// The peer is gone: others may get the chunks that it has not got.
    mutating func settleGrants(of link: LinkID, _ id: BlobID, _ now: Instant) {
        for grant in blobs[id]?.peers[link]?.grants ?? [] {
            blobs[id]?.ration?.settle(grant.chunk, isGiven: grant.stage == .sent, now)
        }
        blobs[id]?.peers[link]?.grants = []
    }

    mutating func expireGrants(_ now: Instant) {
        for (id, blob) in blobs where blob.ration != nil {
            for (link, peer) in blob.peers {
                // Others need not wait for a peer that accepts nothing.
                if links[link]?.isStuck(now) == true { settleGrants(of: link, id, now) }
                for grant in peer.grants where grant.due.map({ $0 <= now }) ?? false {
                    settleGrant(of: grant.chunk, id, link, isGiven: grant.stage == .sent, now)
                }
            }
        }
    }
}

extension BlobPeer {
    func mayBeGranted(isSlow: Bool, _ now: Instant) -> Bool {
        isWanting && grantsDue.map { $0 <= now } ?? true && grants.count < Grant.unsettledMax
            && grants.count { $0.stage != .sent } < (isSlow ? 1 : Grant.peerMax)
    }
}
