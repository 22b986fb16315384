import TourCrypto
import TourModel
import TourWire

/// Casts blobs to one segment, of one tour: one after the other, each symbol once for all, then what is asked for.
/// Pure: the shell reads chunks, sends datagrams and says when the socket took them.
/// Source: `Protocol/11-blobs.md`, "Multicast session".
package struct CastSender: Sendable {
    /// What is cast, and to whom.
    package struct Start: Sendable {
        package let blob: BlobID
        package let shape: BlobShape
        /// What this node seals under.
        package let epoch: EpochKey
        package let caster: MemberID
        /// Members on the segment who lack something of it.
        package let wanting: Int
        /// Of a thousand datagrams, how many those who listen miss, as far as they say; 0: not known.
        package let lossPerMille: Int

        package init(
            blob: BlobID, shape: BlobShape, epoch: EpochKey, caster: MemberID, wanting: Int, lossPerMille: Int = 0
        ) {
            self.blob = blob
            self.shape = shape
            self.epoch = epoch
            self.caster = caster
            self.wanting = wanting
            self.lossPerMille = lossPerMille
        }
    }

    package enum Input: Sendable {
        /// More than `Limits.castsWaitingMax`, or an empty blob, are left to the links: `ended` comes at once.
        case start(Start)
        case stop(BlobID)
        /// The sealed chunk that was needed; nil: it cannot be read.
        case chunk(BlobID, Int, [UInt8]?)
        /// The socket took one batch.
        case sent
        /// By datagram on this segment, or by link; from the member whose id begins so, as far as that is known.
        case ask(CastAsk, from: UInt64)
        /// Somebody else casts a blob on this segment, and sent something of this block. Who is further on goes on, of
        /// two in the same window the lower member id.
        case otherCast(BlobID, MemberID, block: Int)
        case timer
    }

    package enum Output: Sendable {
        case needChunk(BlobID, Int)
        /// Up to `Limits.castBatchMax` sealed datagrams; `sent` answers each batch.
        case send([[UInt8]])
        case ended(BlobID, CastEnd)
    }

    /// One at a time: two would share the rate and both be late.
    private var job: CastJob?
    private var waiting: [Start] = []
    private let rateMax: Int
    private var pace: CastPace
    private var batchesInFlight = 0

    /// When `timer` is due; nil: not before another input.
    package private(set) var nextDeadline: Instant?

    /// - Parameter rate: bytes a second on the wire at most.
    package init(rate: Int = Limits.castRateMax) {
        rateMax = rate
        pace = CastPace(rate: rate)
    }

    /// Whether this blob is cast or waits for it.
    package func casts(_ blob: BlobID) -> Bool {
        job?.blob == blob || waiting.contains { $0.blob == blob }
    }

    package mutating func handle(_ input: Input, now: Instant, into outputs: inout [Output]) {
        switch input {
        case .start(let start): begin(start, &outputs)
        case .stop(let blob): end(blob, .done, &outputs)
        case .chunk(let blob, let number, let sealed?):
            if job?.blob == blob { job?.fill(number, sealed) }
        case .chunk(let blob, _, nil): end(blob, .unreadable, &outputs)
        case .sent: batchesInFlight = max(batchesInFlight - 1, 0)
        case .ask(let ask, let asker):
            job?.ask(ask, from: asker, now)
            ease(&outputs)
        case .otherCast(let blob, let member, let block):
            if job?.blob == blob, job?.yields(to: member, at: block) != true { break }
            end(blob, .yielded, &outputs)
        case .timer: break
        }
        goOn(now, &outputs)
    }

    /// The rate that another blob's cast was eased to is not kept: it may have had other listeners.
    private mutating func begin(_ start: Start, _ now: Instant) {
        pace.rate = rateMax
        job = CastJob(start, now)
    }

    private mutating func begin(_ start: Start, _ outputs: inout [Output]) {
        guard !casts(start.blob) else { return }
        guard waiting.count < Limits.castsWaitingMax, start.shape.chunkCount > 0, ErasureCode.isAvailable else {
            return outputs.append(.ended(start.blob, .done))
        }
        waiting.append(start)
    }

    private mutating func end(_ blob: BlobID, _ reason: CastEnd, _ outputs: inout [Output]) {
        guard casts(blob) else { return }
        if job?.blob == blob { job = nil }
        waiting.removeAll { $0.blob == blob }
        outputs.append(.ended(blob, reason))
    }

    private mutating func goOn(_ now: Instant, _ outputs: inout [Output]) {
        repeat {
            if let job, job.isOver(now) { end(job.blob, .done, &outputs) }
            if job == nil, !waiting.isEmpty { begin(waiting.removeFirst(), now) }
            read(now, &outputs)
            send(now, &outputs)
            read(now, &outputs)
            // That nothing is left to send may show only when more is asked for, long after the last.
        } while job?.isOver(now) == true
        nextDeadline = due(now)
    }

    /// Many missed too much: perhaps more is sent than the network takes. If less is no better the links have to do it.
    private mutating func ease(_ outputs: inout [Output]) {
        guard let job, let share = job.arrivingShare else { return }
        let rate = Int(Double(pace.rate) * share)
        guard rate >= Limits.castRateMin else { return end(job.blob, .quiet, &outputs) }
        pace.rate = rate
        self.job?.noteEase()
    }

    private mutating func read(_ now: Instant, _ outputs: inout [Output]) {
        guard let blob = job?.blob, let blocks = job?.open(now) else { return }
        for block in blocks { outputs.append(.needChunk(blob, block)) }
    }

    private mutating func send(_ now: Instant, _ outputs: inout [Output]) {
        isHeldUp = false
        guard job != nil else { return }
        while batchesInFlight < Limits.castBatchesInFlightMax {
            let room = min(pace.datagrams(now), Limits.castBatchMax)
            // Half a batch at least, unless that is all: small ones cost the socket a call each.
            guard room >= Limits.castBatchMax / 2 else {
                isHeldUp = true
                return
            }
            var batch: [[UInt8]] = []
            while batch.count < room, let datagram = job?.next(now) { batch.append(datagram) }
            guard !batch.isEmpty else { return }
            pace.take(batch.count)
            batchesInFlight += 1
            outputs.append(.send(batch))
            read(now, &outputs)
        }
    }

    /// Whether only the rate holds the next batch back.
    private var isHeldUp = false

    private func due(_ now: Instant) -> Instant? {
        guard let job else { return nil }
        let batch = isHeldUp ? pace.nextBatch(now) : nil
        return [batch, job.due].compactMap { $0 }.min()
    }
}
