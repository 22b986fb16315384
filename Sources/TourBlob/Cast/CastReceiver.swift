import TourCrypto
import TourModel
import TourWire

/// Receives the casts of one tour on one segment, and asks for missing symbols. The shell must verify its chunks like
/// any other.
/// Source: `Protocol/11-blobs.md`, "Multicast session".
package struct CastReceiver: Sendable {
    /// The most casts followed at once on one segment: two share its rate, and of more none would end.
    private static let atOnceMax = 2
    /// The most blobs whose casts a node listens for: each costs a hash for every member that may cast it.
    package static let blobsMax = 16

    /// An event that the shell reports.
    package enum Input: Sendable {
        /// The keys to try, and the members that may cast on this segment: those heard on it.
        case keys([EpochKey], casters: [MemberID])
        /// A blob of which this node lacks chunks. `pages` are those whose chunk hashes are known, so that their chunks
        /// can be verified. Blobs beyond `CastReceiver.blobsMax` are ignored.
        case want(BlobID, BlobShape, have: ChunkSet, pages: Set<Int>)
        /// The chunk hashes of one more page are known.
        case page(BlobID, Int)
        /// A blob that this node casts itself: the receiver reports whether another member does.
        case watch(BlobID, BlobShape)
        /// The blob is no longer wanted or watched.
        case forget(BlobID)
        /// A chunk is stored, wherever it came from.
        case have(BlobID, Int)
        /// A chunk from this receiver is not the blob's.
        case wrong(BlobID, Int)
        /// A chunk from this receiver could not be stored: it is missing again.
        case lost(BlobID, Int)
        /// Datagrams that have a `CastSeal.tag`, as received.
        case datagrams([[UInt8]])
        /// Another member's ask, from a datagram on this segment.
        case ask(CastAsk)
        /// Nothing more will arrive here: the receiver releases whole blocks.
        case leave
        /// The time of `nextDeadline` has come.
        case timer
    }

    /// An action for the shell.
    package enum Output: Sendable {
        /// The receiver follows a cast: from now on consult `expects`.
        case began(BlobID, MemberID)
        /// A sealed chunk, unverified.
        case chunk(BlobID, Int, [UInt8])
        /// Send to everybody on the segment, or by link to the member where its datagrams are not heard.
        case ask(CastAsk, MemberID)
        /// The cast will not bring these chunks: ask for them on links.
        case left(BlobID, [Int])
        /// The receiver no longer follows the cast.
        case ended(BlobID, CastEnd)
        /// Another cast of a watched blob, and the block that it has reached.
        case otherCast(BlobID, MemberID, block: Int)
    }

    private struct Wanted: Sendable {
        let plan: CastPlan
        /// Chunks stored, or on their way to the store.
        var have: ChunkSet
        var pages: Set<Int>
        /// Chunks released here and not stored yet, with their caster.
        var delivered: [Int: MemberID] = [:]
        let isWatched: Bool
    }

    /// The meaning of a tag that may arrive.
    private struct Source: Sendable {
        let blob: BlobID
        let caster: MemberID
        let epoch: Int
    }

    /// A block with enough symbols.
    private struct Ripe: Sendable {
        let blob: BlobID
        let block: Int
        let symbols: [Int: [UInt8]]
        let plan: CastPlan

        /// The sealed chunk.
        var chunk: [UInt8]? {
            ErasureCode(dataCount: plan.dataSymbols(block)).data(from: symbols)
                .map { Array($0.prefix(plan.shape.sealedBytes(block))) }
        }
    }

    private struct Culprit: Hashable, Sendable {
        let blob: BlobID
        let caster: MemberID
    }

    private var epochs: [EpochKey] = []
    private var casters: [MemberID] = []
    private var wanted: [BlobID: Wanted] = [:]
    private var sources: [UInt64: Source] = [:]
    private var casts: [BlobID: CastArrivals] = [:]
    private var seals: [UInt64: CastSeal] = [:]
    /// The blocks of a window become whole within milliseconds, everywhere at once. Decoding, verifying and storing
    /// them takes a while in which messages would wait: so the receiver releases them one by one, with pauses.
    private var ripe: [Ripe] = []
    private var ripeDue = Instant(microseconds: 0)
    private static let ripeInterval: Duration = .milliseconds(4)
    /// The same for a blob's last blocks: nothing else arrives, and somebody waits.
    private static let lastRipeInterval: Duration = .milliseconds(1)
    /// Members that cast a wrong chunk.
    private var distrusted = LastSeen<Culprit>(limit: 256)

    /// When the shell must call with `timer`; nil: not before another input.
    package private(set) var nextDeadline: Instant?

    package init() {}

    /// Whether a cast in progress may bring this chunk: meanwhile nothing asks for it on links.
    package func expects(_ chunk: Int, of blob: BlobID) -> Bool {
        guard let cast = casts[blob], let blob = wanted[blob] else { return false }
        return !blob.have.contains(chunk) && cast.expects(chunk)
    }

    /// When a cast of this blob is given up, if nothing arrives; nil: none is in progress.
    package func castUntil(_ blob: BlobID) -> Instant? { casts[blob]?.endsAt }

    /// Applies one input, and appends the outputs.
    package mutating func handle(
        _ input: Input, now: Instant, using rng: inout some RandomNumberGenerator, into outputs: inout [Output]
    ) {
        switch input {
        case .keys(let epochs, let casters):
            self.epochs = epochs
            self.casters = casters
            sources = [:]
            seals = [:]
            for blob in wanted.keys { listen(blob) }
        case .want(let blob, let shape, let have, let pages):
            add(blob, Wanted(plan: CastPlan(shape: shape), have: have, pages: pages, isWatched: false))
        case .watch(let blob, let shape):
            add(
                blob,
                Wanted(plan: CastPlan(shape: shape), have: .all(shape.chunkCount), pages: [], isWatched: true))
        case .page(let blob, let page):
            wanted[blob]?.pages.insert(page)
            release(blob, page)
        case .forget(let blob): forget(blob)
        case .have(let blob, let chunk): have(blob, chunk, &outputs)
        case .wrong(let blob, let chunk): wrong(blob, chunk, &outputs)
        case .lost(let blob, let chunk):
            if wanted[blob]?.delivered.removeValue(forKey: chunk) != nil { wanted[blob]?.have.remove(chunk) }
        case .datagrams(let datagrams):
            for datagram in datagrams { receive(datagram, now, &outputs) }
        case .ask(let ask):
            if let blob = sources[ask.tag]?.blob { casts[blob]?.receive(ask, now, using: &rng) }
        case .leave:
            for block in ripe { putOut(block, &outputs) }
            ripe = []
        case .timer: break
        }
        turn(now, &rng, &outputs)
    }

    // MARK: Blobs

    private mutating func add(_ blob: BlobID, _ entry: Wanted) {
        guard wanted[blob] == nil, wanted.count < Self.blobsMax, entry.have.limit == entry.plan.blockCount,
            entry.isWatched || !entry.have.isFull, ErasureCode.isAvailable
        else { return }
        wanted[blob] = entry
        listen(blob)
    }

    private mutating func listen(_ blob: BlobID) {
        for (index, epoch) in epochs.enumerated() {
            for caster in casters {
                sources[CastSeal.tag(epoch: epoch, blob: blob, caster: caster)] =
                    Source(blob: blob, caster: caster, epoch: index)
            }
        }
    }

    private mutating func forget(_ blob: BlobID) {
        wanted[blob] = nil
        casts[blob] = nil
        ripe.removeAll { $0.blob == blob }
        for (tag, source) in sources where source.blob == blob {
            sources[tag] = nil
            seals[tag] = nil
        }
    }

    private mutating func have(_ blob: BlobID, _ chunk: Int, _ outputs: inout [Output]) {
        guard let limit = wanted[blob]?.have.limit, (0..<limit).contains(chunk) else { return }
        wanted[blob]?.have.insert(chunk)
        wanted[blob]?.delivered[chunk] = nil
        casts[blob]?.drop(chunk)
        finish(blob, &outputs)
    }

    /// Stops listening once every missing chunk is stored.
    private mutating func finish(_ blob: BlobID, _ outputs: inout [Output]) {
        guard let entry = wanted[blob], entry.have.isFull, entry.delivered.isEmpty, !entry.isWatched else { return }
        if casts[blob] != nil { outputs.append(.ended(blob, .done)) }
        forget(blob)
    }

    private mutating func wrong(_ blob: BlobID, _ chunk: Int, _ outputs: inout [Output]) {
        guard let caster = wanted[blob]?.delivered.removeValue(forKey: chunk) else { return }
        wanted[blob]?.have.remove(chunk)
        distrusted.insert(Culprit(blob: blob, caster: caster))
        if casts[blob]?.caster == caster { end(blob, .wrong, &outputs) }
    }

    private mutating func end(_ blob: BlobID, _ reason: CastEnd, _ outputs: inout [Output]) {
        casts[blob] = nil
        outputs.append(.ended(blob, reason))
    }

    // MARK: Datagrams

    private mutating func receive(_ datagram: [UInt8], _ now: Instant, _ outputs: inout [Output]) {
        guard let tag = CastSeal.tag(of: datagram), let source = sources[tag], let entry = wanted[source.blob],
            !distrusted.contains(Culprit(blob: source.blob, caster: source.caster)),
            let symbol = seal(tag, source).open(datagram), symbol.block < entry.plan.blockCount,
            symbol.number < CastBound.symbols(of: entry.plan.dataSymbols(symbol.block))
        else { return }
        guard !entry.isWatched else {
            return outputs.append(.otherCast(source.blob, source.caster, block: symbol.block))
        }
        guard follow(source, tag, entry.plan, now, &outputs) else { return }
        casts[source.blob]?.recordArrival(of: symbol, now)
        guard !entry.have.contains(symbol.block) else { return }
        makeRoom(for: symbol.block, of: source.blob, &outputs)
        casts[source.blob]?.accept(symbol, now)
        if entry.pages.contains(entry.plan.shape.page(ofChunk: symbol.block)) {
            ripen(symbol.block, of: source.blob)
        }
    }

    private mutating func seal(_ tag: UInt64, _ source: Source) -> CastSeal {
        if let seal = seals[tag] { return seal }
        let seal = CastSeal(epoch: epochs[source.epoch], blob: source.blob, caster: source.caster)
        seals[tag] = seal
        return seal
    }

    /// Whether this cast counts. Of two casts of one blob the first counts until it falls silent for a moment: one of
    /// the two will end.
    private mutating func follow(
        _ source: Source, _ tag: UInt64, _ plan: CastPlan, _ now: Instant, _ outputs: inout [Output]
    ) -> Bool {
        if let cast = casts[source.blob] {
            guard cast.tag != tag else { return true }
            guard cast.isSilent(now) else { return false }
        } else {
            guard casts.count < Self.atOnceMax else { return false }
        }
        casts[source.blob] = CastArrivals(blob: source.blob, caster: source.caster, plan: plan, tag: tag, now)
        outputs.append(.began(source.blob, source.caster))
        return true
    }

    /// Makes room for one more block if there are too many: releases a whole one early, otherwise leaves the oldest
    /// block of the cast that has the most to the links.
    private mutating func makeRoom(for block: Int, of blob: BlobID, _ outputs: inout [Output]) {
        let held = casts.values.reduce(ripe.count) { $0 + $1.blocks.count }
        guard held >= Limits.castUnfinishedBlocksMax, casts[blob]?.blocks[block] == nil else { return }
        guard ripe.isEmpty else { return putOut(ripe.removeFirst(), &outputs) }
        guard let most = casts.values.max(by: { ($0.blocks.count, $0.blob) < ($1.blocks.count, $1.blob) }),
            let oldest = most.blocks.keys.min()
        else { return }
        casts[most.blob]?.leave(oldest)
        outputs.append(.left(most.blob, [oldest]))
    }

    private mutating func ripen(_ block: Int, of blob: BlobID) {
        guard let symbols = casts[blob]?.whole(block), let cast = casts[blob] else { return }
        wanted[blob]?.have.insert(block)
        wanted[blob]?.delivered[block] = cast.caster
        ripe.append(Ripe(blob: blob, block: block, symbols: symbols, plan: cast.plan))
    }

    /// Releases a block: at once if nothing more will come of its cast.
    private mutating func deliver(_ now: Instant, _ outputs: inout [Output]) {
        var waiting: [Ripe] = []
        for block in ripe {
            guard ripeDue <= now || casts[block.blob] == nil else {
                waiting.append(block)
                continue
            }
            let isLast = wanted[block.blob]?.have.isFull == true
            ripeDue = now + (isLast ? Self.lastRipeInterval : Self.ripeInterval)
            putOut(block, &outputs)
        }
        ripe = waiting
    }

    private func putOut(_ block: Ripe, _ outputs: inout [Output]) {
        if let chunk = block.chunk { outputs.append(.chunk(block.blob, block.block, chunk)) }
    }

    /// Ripens blocks that waited for their chunk hashes.
    private mutating func release(_ blob: BlobID, _ page: Int) {
        guard let cast = casts[blob] else { return }
        for block in cast.blocks.keys.sorted() where cast.plan.shape.page(ofChunk: block) == page {
            ripen(block, of: blob)
        }
    }

    // MARK: Time

    private mutating func turn(
        _ now: Instant, _ rng: inout some RandomNumberGenerator, _ outputs: inout [Output]
    ) {
        for blob in casts.keys.sorted() {
            guard let have = wanted[blob]?.have, var cast = casts[blob] else { continue }
            let turn = cast.turn(now, isMissing: { !have.contains($0) }, using: &rng)
            casts[blob] = cast
            for ask in turn.asks { outputs.append(.ask(ask, cast.caster)) }
            if !turn.left.isEmpty { outputs.append(.left(blob, turn.left)) }
            if cast.endsAt <= now { end(blob, .quiet, &outputs) }
        }
        deliver(now, &outputs)
        let due = casts.values.map(\.due) + (ripe.isEmpty ? [] : [ripeDue])
        nextDeadline = due.min()
    }
}
