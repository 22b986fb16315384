import TourCrypto
import TourModel
import TourWire

/// Hears casts on one segment, of one tour, and asks for what is missing. What it brings is to be verified like any
/// other chunk. Source: `Protocol/11-blobs.md`, "Multicast session".
package struct CastReceiver: Sendable {
    package enum Input: Sendable {
        /// The keys that are tried, and the members who may cast on this segment: those heard on it.
        case keys([EpochKey], casters: [MemberID])
        /// A blob that this node lacks chunks of. `pages`: those whose chunk hashes are known, so that chunks of them
        /// can be verified. More than `Limits.castBlobsMax` are not listened for.
        case want(BlobID, BlobShape, have: ChunkSet, pages: Set<Int>)
        /// The chunk hashes of one more page are known.
        case page(BlobID, Int)
        /// A blob that this node casts itself: whether somebody else does.
        case watch(BlobID, BlobShape)
        case forget(BlobID)
        /// A chunk is stored, wherever it came from.
        case have(BlobID, Int)
        /// A chunk that came out here is not the blob's.
        case wrong(BlobID, Int)
        /// A chunk that came out here could not be stored: it is missing again.
        case lost(BlobID, Int)
        /// Those that `CastSeal.tag` takes for a cast's, as they came.
        case datagrams([[UInt8]])
        /// By datagram on this segment.
        case ask(CastAsk)
        /// Nothing more will be heard here: what is whole comes out.
        case leave
        case timer
    }

    package enum Output: Sendable {
        /// What `expects` says counts from now on.
        case began(BlobID, MemberID)
        /// A sealed chunk, not verified.
        case chunk(BlobID, Int, [UInt8])
        /// To everybody on the segment; by link to the member where its datagrams are not heard.
        case ask(CastAsk, MemberID)
        /// The cast will not bring these: they are to be asked for on links.
        case left(BlobID, [Int])
        case ended(BlobID, CastEnd)
        /// Of a blob that is watched; the block that came.
        case otherCast(BlobID, MemberID, block: Int)
    }

    private struct Wanted: Sendable {
        let plan: CastPlan
        /// Stored, or on its way there.
        var have: ChunkSet
        var pages: Set<Int>
        /// Chunks that came out here and are not stored yet, by who cast them.
        var delivered: [Int: MemberID] = [:]
        let isWatched: Bool
    }

    /// A tag that may come, and what it stands for.
    private struct Source: Sendable {
        let blob: BlobID
        let caster: MemberID
        let epoch: Int
    }

    /// A block of which enough came.
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
    /// The blocks of a window are whole within milliseconds, everywhere at once. To put them together, verify and store
    /// them takes a while, in which messages would wait: so one after the other, with room between.
    private var ripe: [Ripe] = []
    private var ripeDue = Instant(microseconds: 0)
    private static let ripeInterval: Duration = .milliseconds(4)
    /// The last ones of a blob: nothing comes beside them, and somebody waits.
    private static let lastRipeInterval: Duration = .milliseconds(1)
    /// Who cast something wrong.
    private var distrusted = LastSeen<Culprit>(limit: 256)

    /// When `timer` is due; nil: not before another input.
    package private(set) var nextDeadline: Instant?

    package init() {}

    /// Whether a cast is under way that may bring this chunk: it is not asked for on links meanwhile.
    package func expects(_ chunk: Int, of blob: BlobID) -> Bool {
        guard let cast = casts[blob], let blob = wanted[blob] else { return false }
        return !blob.have.contains(chunk) && cast.expects(chunk)
    }

    /// Until when a cast of this blob is waited for, if nothing comes; nil: none is under way.
    package func castUntil(_ blob: BlobID) -> Instant? { casts[blob]?.endsAt }

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
            for datagram in datagrams { heard(datagram, now, &outputs) }
        case .ask(let ask):
            if let blob = sources[ask.tag]?.blob { casts[blob]?.heard(ask, now, using: &rng) }
        case .leave:
            for block in ripe { putOut(block, &outputs) }
            ripe = []
        case .timer: break
        }
        turn(now, &rng, &outputs)
    }

    // MARK: Blobs

    private mutating func add(_ blob: BlobID, _ entry: Wanted) {
        guard wanted[blob] == nil, wanted.count < Limits.castBlobsMax, entry.have.limit == entry.plan.blockCount,
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

    /// All that was missing is stored: nothing more is listened for.
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

    private mutating func heard(_ datagram: [UInt8], _ now: Instant, _ outputs: inout [Output]) {
        guard let tag = CastSeal.tag(of: datagram), let source = sources[tag], let entry = wanted[source.blob],
            !distrusted.contains(Culprit(blob: source.blob, caster: source.caster)),
            let symbol = seal(tag, source).open(datagram), symbol.block < entry.plan.blockCount,
            symbol.number < CastBound.symbols(of: entry.plan.dataSymbols(symbol.block))
        else { return }
        guard !entry.isWatched else {
            return outputs.append(.otherCast(source.blob, source.caster, block: symbol.block))
        }
        guard follow(source, tag, entry.plan, now, &outputs) else { return }
        casts[source.blob]?.heard(symbol, now)
        guard !entry.have.contains(symbol.block) else { return }
        makeRoom(for: symbol.block, of: source.blob, &outputs)
        casts[source.blob]?.take(symbol, now)
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

    /// Whether this cast counts. Of two of one blob the first, until nothing came of it for a moment: one of the two
    /// ends.
    private mutating func follow(
        _ source: Source, _ tag: UInt64, _ plan: CastPlan, _ now: Instant, _ outputs: inout [Output]
    ) -> Bool {
        if let cast = casts[source.blob] {
            guard cast.tag != tag else { return true }
            guard cast.isSilent(now) else { return false }
        } else {
            guard casts.count < Limits.castsAtOnceMax else { return false }
        }
        casts[source.blob] = CastArrivals(blob: source.blob, caster: source.caster, plan: plan, tag: tag, now)
        outputs.append(.began(source.blob, source.caster))
        return true
    }

    /// One block more: what is whole goes out early, else the oldest of the cast that has most is left, if there are
    /// too many.
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

    /// What nothing more is to come of goes out at once.
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

    /// Blocks that waited for their hashes.
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
