import TourCrypto
import TourModel
import TourWire

/// Casts blobs of one tour to one segment: one after the other, each symbol once for all, then the symbols asked for.
/// Pure: the shell reads chunks, sends datagrams and reports when the socket accepted them.
/// Source: `Protocol/11-blobs.md`, "Multicast session".
package struct CastSender: Sendable {
    /// The most casts that wait for their turn: a handful of pictures.
    package static let waitingMax = 8
    /// The most bytes a second that casts put on a segment, headers included: what 24 Mbit/s carry. A socket that
    /// accepts them more slowly sets the pace.
    package static let rateMax = 3_000_000
    /// Below this rate a cast is no faster than links.
    private static let rateMin = 375_000
    /// The most datagrams that a sender passes to the socket at once: 4 ms at 20 Mbit/s, so that chat waits no longer
    /// than that.
    package static let batchMax = 8
    /// The most batches that the socket has not accepted yet: one goes out while the next waits, so that the link never
    /// idles.
    package static let batchesInFlightMax = 2
    /// The bytes that the network adds to a datagram: Ethernet, IPv4 and UDP headers. Only used for the rate.
    package static let datagramHeaderBytes = 42

    /// A cast to start.
    package struct Start: Sendable {
        /// The blob.
        package let blob: BlobID
        /// The blob's chunks.
        package let shape: BlobShape
        /// The epoch whose key seals it.
        package let epoch: EpochKey
        /// This node's member.
        package let caster: MemberID
        /// The number of members on the segment that lack part of it.
        package let wanting: Int
        /// How many of a thousand datagrams the listeners miss, as far as they report; 0: not known.
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

    /// An event that the shell reports.
    package enum Input: Sendable {
        /// A cast beyond `CastSender.waitingMax`, or of an empty blob, is left to the links: `ended` comes at once.
        case start(Start)
        /// Ends the cast of this blob.
        case stop(BlobID)
        /// The sealed chunk that `needChunk` asked for; nil: it cannot be read.
        case chunk(BlobID, Int, [UInt8]?)
        /// The socket accepted one batch.
        case sent
        /// A receiver's ask, from a datagram on this segment or a link; with the prefix of the member, as far as that
        /// is known.
        case ask(CastAsk, from: UInt64)
        /// Another member casts a blob on this segment, and sent a symbol of this block. The cast that is further ahead
        /// continues; of two in the same window that of the lower member id.
        case otherCast(BlobID, MemberID, block: Int)
        /// The time of `nextDeadline` has come.
        case timer
    }

    /// An action for the shell.
    package enum Output: Sendable {
        /// Read this sealed chunk; answered by `chunk`.
        case needChunk(BlobID, Int)
        /// Send up to `CastSender.batchMax` sealed datagrams; `sent` answers each batch.
        case send([[UInt8]])
        /// The cast has ended.
        case ended(BlobID, CastEnd)
    }

    /// One cast at a time: two would share the rate and both be late.
    private var job: CastJob?
    private var waiting: [Start] = []
    private let rateMax: Int
    private var pace: CastPace
    private var batchesInFlight = 0

    /// When the shell must call with `timer`; nil: not before another input.
    package private(set) var nextDeadline: Instant?

    /// - Parameter rate: the most bytes a second on the wire.
    package init(rate: Int = Self.rateMax) {
        rateMax = rate
        pace = CastPace(rate: rate)
    }

    /// Whether this blob is being cast or waits for its turn.
    package func casts(_ blob: BlobID) -> Bool {
        job?.blob == blob || waiting.contains { $0.blob == blob }
    }

    /// Applies one input, and appends the outputs.
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

    /// Each cast starts at the full rate: the listeners of the last one may have been others.
    private mutating func begin(_ start: Start, _ now: Instant) {
        pace.rate = rateMax
        job = CastJob(start, now)
    }

    private mutating func begin(_ start: Start, _ outputs: inout [Output]) {
        guard !casts(start.blob) else { return }
        guard waiting.count < Self.waitingMax, start.shape.chunkCount > 0, ErasureCode.isAvailable else {
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
            // Only a later ask may show that nothing is left to send, long after the last symbol.
        } while job?.isOver(now) == true
        nextDeadline = due(now)
    }

    /// Many missed too much: the rate may exceed the network's. If a lower one does not help, the links must do it.
    private mutating func ease(_ outputs: inout [Output]) {
        guard let job, let share = job.arrivingShare else { return }
        let rate = Int(Double(pace.rate) * share)
        guard rate >= Self.rateMin else { return end(job.blob, .quiet, &outputs) }
        pace.rate = rate
        self.job?.discardReports()
    }

    private mutating func read(_ now: Instant, _ outputs: inout [Output]) {
        guard let blob = job?.blob, let blocks = job?.open(now) else { return }
        for block in blocks { outputs.append(.needChunk(blob, block)) }
    }

    private mutating func send(_ now: Instant, _ outputs: inout [Output]) {
        isHeldUp = false
        guard job != nil else { return }
        while batchesInFlight < Self.batchesInFlightMax {
            let room = min(pace.datagrams(now), Self.batchMax)
            // At least half a batch, unless that is all: each batch costs a call to the socket.
            guard room >= Self.batchMax / 2 else {
                isHeldUp = true
                return
            }
            var batch: [[UInt8]] = []
            while batch.count < room, let datagram = job?.next(now) { batch.append(datagram) }
            guard !batch.isEmpty else { return }
            pace.acquire(batch.count)
            batchesInFlight += 1
            outputs.append(.send(batch))
            read(now, &outputs)
        }
    }

    /// Whether only the rate delays the next batch.
    private var isHeldUp = false

    private func due(_ now: Instant) -> Instant? {
        guard let job else { return nil }
        let batch = isHeldUp ? pace.nextBatch(now) : nil
        return [batch, job.due].compactMap { $0 }.min()
    }
}
