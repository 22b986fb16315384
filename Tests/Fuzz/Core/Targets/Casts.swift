import FuzzSupport
import TourBlob
import TourCrypto
import TourModel
import TourWire

/// A sender and a receiver of casts, what goes between them lost, changed, doubled and out of order, and inputs that
/// come when nobody expects them.
struct CastHarness {
    private static let sizes: [UInt64] = [0, 1_000, 66_000, 1_200_000]
    private static let epoch = EpochKey(id: .none, key: SecretBytes([UInt8](repeating: 1, count: 32)))
    private static let caster = MemberID(raw: .zero)
    private static let blob = BlobID(raw: .zero)
    private static let content = (0..<1_300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 256) }
    /// Datagrams on their way that are kept to come again.
    private static let keptMax = 64

    private let shape: BlobShape
    private let epoch: EpochKey
    private var sender = CastSender()
    private var receiver = CastReceiver()
    private var now = Instant(microseconds: 0)
    private var rng = SplitMix64(seed: 1)
    private var kept: [[UInt8]] = []
    private var batches = 0
    private var sent: [Int: Int] = [:]
    private var isHonest = true

    static func run(_ bytes: [UInt8]) {
        var program = ByteProgram(bytes)
        guard let shape = BlobShape(size: sizes[program.number(below: sizes.count)]), let epoch else { return }
        var harness = CastHarness(shape: shape, epoch: epoch)
        while !program.isAtEnd { harness.step(&program) }
    }

    private init(shape: BlobShape, epoch: EpochKey) {
        self.shape = shape
        self.epoch = epoch
        let casters = (0..<2).compactMap { number in Bytes32([UInt8](repeating: number, count: 32)) }
        feed(.keys([epoch], casters: casters.map { MemberID(raw: $0) }))
    }

    private mutating func step(_ program: inout ByteProgram) {
        switch program.number(below: 12) {
        case 0:
            feed(.start(.init(blob: Self.blob, shape: shape, epoch: epoch, caster: Self.caster, wanting: 2)))
            var have = ChunkSet(limit: shape.chunkCount)
            if program.flag(), shape.chunkCount > 1 { have.insert(program.number(below: shape.chunkCount)) }
            feed(.want(Self.blob, shape, have: have, pages: program.flag() ? [0] : []))
        case 1, 2, 3: pass(&program)
        case 4: feed(CastSender.Input.timer)
        case 5: feed(CastReceiver.Input.timer)
        case 6: later(.microseconds(1 << Int64(program.number(below: 24))))
        case 7: feed(.ask(ask(&program), from: UInt64(program.byte())))
        case 8: feed(CastReceiver.Input.ask(ask(&program)))
        case 9: rare(&program)
        case 10: feed(.datagrams([again(&program)]))
        default:
            if let due = [sender.nextDeadline, receiver.nextDeadline].compactMap({ $0 }).min() { now = max(now, due) }
        }
    }

    private mutating func rare(_ program: inout ByteProgram) {
        let chunk = program.number(below: 32)
        switch program.number(below: 10) {
        case 0: feed(.have(Self.blob, chunk))
        case 1: feed(.wrong(Self.blob, chunk))
        case 2: feed(.lost(Self.blob, chunk))
        case 3: feed(.page(Self.blob, program.number(below: 3)))
        case 4: feed(.forget(Self.blob))
        case 5: feed(.watch(Self.blob, shape))
        case 6: feed(.stop(Self.blob))
        case 7: feed(.chunk(Self.blob, chunk, program.flag() ? nil : program.chunk()))
        case 8: feed(.otherCast(Self.blob, MemberID(raw: .zero), block: chunk))
        default: forge(&program)
        }
    }

    /// Something that a member made up under its own tag.
    private mutating func forge(_ program: inout ByteProgram) {
        guard let other = Bytes32([UInt8](repeating: 1, count: 32)) else { return }
        let seal = CastSeal(epoch: epoch, blob: Self.blob, caster: MemberID(raw: other))
        isHonest = false
        let bytes = [UInt8](repeating: program.byte(), count: Limits.castSymbolBytes)
        for number in 0..<program.number(below: 64) {
            let symbol = CastSeal.Symbol(
                block: program.number(below: 32), number: number + program.number(below: 192), bytes: bytes)
            feed(.datagrams([seal.seal(symbol)]))
        }
    }

    private func ask(_ program: inout ByteProgram) -> CastAsk {
        let first = program.number(below: 32)
        let needs = (0...program.number(below: 20)).map {
            CastAsk.Need(block: first + $0, count: 1 + Int(program.byte()) % Limits.castSymbolNumbersMax)
        }
        return CastAsk(tag: CastSeal.tag(epoch: epoch, blob: Self.blob, caster: Self.caster), needs: needs)
    }

    private func again(_ program: inout ByteProgram) -> [UInt8] {
        guard !kept.isEmpty else { return program.chunk() }
        var datagram = kept[program.number(below: kept.count)]
        if program.flag() { datagram[Int(program.byte()) * 4 % datagram.count] ^= program.byte() }
        return datagram
    }

    private mutating func later(_ duration: Duration) { now = now + duration }

    /// What was sent arrives, as far as it does, and the socket takes more.
    private mutating func pass(_ program: inout ByteProgram) {
        let lost = program.byte()
        let arriving = kept.suffix(CastSender.batchMax).enumerated().filter { lost & (1 << $0.offset) == 0 }
        later(.microseconds(4_000))
        for (_, datagram) in arriving { feed(.datagrams([datagram])) }
        if batches > 0 {
            batches -= 1
            feed(CastSender.Input.sent)
        }
    }

    private mutating func feed(_ input: CastSender.Input) {
        var outputs: [CastSender.Output] = []
        sender.handle(input, now: now, into: &outputs)
        if let due = sender.nextDeadline { check(due > now, "the sender waits for what is past") }
        for output in outputs {
            switch output {
            case .needChunk(let blob, let chunk): feed(.chunk(blob, chunk, sealed(chunk)))
            case .send(let batch): send(batch)
            case .ended: sent = [:]
            }
        }
    }

    private mutating func send(_ batch: [[UInt8]]) {
        batches += 1
        check(batches <= CastSender.batchesInFlightMax, "more than the socket was said to take")
        check((1...CastSender.batchMax).contains(batch.count), "\(batch.count) datagrams at once")
        for datagram in batch {
            sent[Int(datagram[9]) << 8 | Int(datagram[10]), default: 0] += 1
            check(Int(datagram[11]) < 2 * 56 + 16, "more symbols than are ever sent")
        }
        check(sent.values.allSatisfy { $0 <= 2 * 56 + 16 }, "a symbol goes out twice")
        kept = (kept + batch).suffix(Self.keptMax)
    }

    private mutating func feed(_ input: CastReceiver.Input) {
        var outputs: [CastReceiver.Output] = []
        receiver.handle(input, now: now, using: &rng, into: &outputs)
        if let due = receiver.nextDeadline { check(due > now, "the receiver waits for what is past") }
        for output in outputs {
            switch output {
            case .chunk(let blob, let chunk, let bytes):
                let isRight = bytes == sealed(chunk)
                check(isRight || !isHonest, "a chunk came out wrong")
                feed(isRight ? .have(blob, chunk) : .wrong(blob, chunk))
            case .ask(let ask, _):
                check((1...Limits.castAskBlocksMax).contains(ask.needs.count), "an ask for \(ask.needs.count) blocks")
                let message = LinkMessage.castAsks([ask])
                check((try? LinkMessage.decode(message.encode())) == message, "an ask that nobody reads")
                feed(.ask(ask, from: 1))
            case .left(_, let chunks):
                check(chunks.allSatisfy { !receiver.expects($0, of: Self.blob) }, "what was left is waited for")
            case .began, .ended, .otherCast: break
            }
        }
    }

    private func sealed(_ chunk: Int) -> [UInt8] {
        guard chunk < shape.chunkCount else { return [] }
        let start = Int(shape.sealedOffset(chunk))
        return Array(Self.content[start..<start + shape.sealedBytes(chunk)])
    }
}
