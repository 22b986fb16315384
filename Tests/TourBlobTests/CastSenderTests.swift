import Testing
import TourBlob
import TourCrypto
import TourModel
import TourWire

/// Goal: a sender sends no faster than the socket takes it and than is stated, sends again what is asked for and no
/// more than that, and ends. Method: one machine; what it sends is opened and counted.
struct CastSenderTests {
    private static let blob = BlobID(raw: .zero)
    private static let caster = CastNetwork.member(7)

    private let epoch: EpochKey
    private let seal: CastSeal
    private let shape: BlobShape

    init() throws {
        epoch = try #require(EpochKey(id: .none, key: SecretBytes([UInt8](repeating: 5, count: 32))))
        seal = CastSeal(epoch: epoch, blob: Self.blob, caster: Self.caster)
        shape = try #require(BlobShape(size: 20 * 65_536))
    }

    private func start(_ blob: BlobID = Self.blob, of shape: BlobShape? = nil) -> CastSender.Input {
        .start(.init(blob: blob, shape: shape ?? self.shape, epoch: epoch, caster: Self.caster, wanting: 8))
    }

    private func ask(_ block: Int, _ count: Int) -> CastSender.Input {
        .ask(CastAsk(tag: seal.tag, needs: [.init(block: block, count: count)]), from: 1)
    }

    /// A machine, and the symbols that it sent.
    private struct Bench {
        var sender = CastSender()
        var now = Instant(microseconds: 0)
        var sent: [CastSeal.Symbol] = []
        var batches = 0
        var needed: [Int] = []
        var ends: [CastEnd] = []
        var isReading = true

        mutating func take(_ input: CastSender.Input, _ shape: BlobShape, _ seal: CastSeal) {
            var outputs: [CastSender.Output] = []
            sender.handle(input, now: now, into: &outputs)
            for output in outputs {
                switch output {
                case .needChunk(let blob, let chunk):
                    needed.append(chunk)
                    let bytes = [UInt8](repeating: UInt8(chunk), count: shape.sealedBytes(chunk))
                    if isReading { take(.chunk(blob, chunk, bytes), shape, seal) }
                case .send(let batch):
                    batches += 1
                    sent += batch.compactMap(seal.open)
                case .ended(_, let end): ends.append(end)
                }
            }
        }

        /// Until it waits for nothing but time, the socket taking what it gets.
        mutating func drain(_ shape: BlobShape, _ seal: CastSeal) {
            var count = -1
            while batches > 0 || sent.count != count {
                count = sent.count
                now = now + .milliseconds(4)
                let taken = batches
                batches = 0
                for _ in 0..<taken { take(.sent, shape, seal) }
                take(.timer, shape, seal)
            }
        }
    }

    @Test func aWindowGoesOutRowByRow() {
        var bench = Bench()
        bench.take(start(), shape, seal)
        bench.drain(shape, seal)
        #expect(bench.sent.count == 20 * 56)
        #expect(bench.sent.prefix(16).map(\.block) == Array(0..<16))
        #expect(bench.sent.prefix(16).allSatisfy { $0.number == 0 })
        #expect(bench.sent.prefix(32).suffix(16).allSatisfy { $0.number == 1 })
        #expect(bench.sent.prefix(16 * 56).allSatisfy { $0.block < 16 })
        #expect(bench.sent.suffix(4 * 56).allSatisfy { $0.block >= 16 })
    }

    @Test func theSocketSetsThePace() {
        var bench = Bench()
        bench.take(start(), shape, seal)
        #expect(bench.sent.count == CastSender.batchMax * CastSender.batchesInFlightMax)
        bench.now = bench.now + .seconds(5)
        bench.take(.timer, shape, seal)
        #expect(bench.sent.count == CastSender.batchMax * CastSender.batchesInFlightMax, "it waits for the socket")
        bench.take(.sent, shape, seal)
        #expect(bench.sent.count == CastSender.batchMax * (CastSender.batchesInFlightMax + 1))
    }

    @Test func theRateIsKept() {
        var bench = Bench()
        bench.take(start(), shape, seal)
        // A socket that takes everything at once.
        while bench.now < Instant(microseconds: 200_000), bench.ends.isEmpty {
            while bench.batches > 0 {
                bench.batches -= 1
                bench.take(.sent, shape, seal)
            }
            bench.now = bench.sender.nextDeadline ?? Instant(microseconds: .max)
            bench.take(.timer, shape, seal)
        }
        let bytes = bench.sent.count * (1_199 + CastSender.datagramHeaderBytes)
        #expect(bytes <= CastSender.rateMax / 5 + 40_000)
        #expect(bytes >= CastSender.rateMax / 5 - 40_000)
    }

    @Test func asksAreAnsweredByNewSymbols() {
        var bench = Bench()
        bench.take(start(), shape, seal)
        bench.drain(shape, seal)
        let before = bench.sent.count
        bench.take(ask(3, 5), shape, seal)
        bench.drain(shape, seal)
        let repairs = bench.sent.dropFirst(before)
        #expect(repairs.map(\.block) == [3, 3, 3, 3, 3])
        #expect(repairs.map(\.number) == Array(56..<61))
        // Others asked for less at the same time, and one for more.
        bench.take(ask(4, 2), shape, seal)
        bench.take(ask(4, 6), shape, seal)
        bench.take(ask(4, 3), shape, seal)
        bench.drain(shape, seal)
        #expect(bench.sent.count == before + 5 + 6)
    }

    @Test func whatNobodyMayAskForBringsNothing() {
        var bench = Bench()
        bench.take(start(), shape, seal)
        bench.take(ask(0, 3), shape, seal)
        bench.drain(shape, seal)
        bench.take(ask(20, 3), shape, seal)
        bench.take(ask(65_535, 255), shape, seal)
        bench.take(ask(1, 37), shape, seal)
        bench.take(.ask(CastAsk(tag: seal.tag ^ 1, needs: [.init(block: 1, count: 3)]), from: 1), shape, seal)
        bench.drain(shape, seal)
        #expect(bench.sent.count == 20 * 56)
        for _ in 0..<100 {
            bench.take(ask(1, 36), shape, seal)
            bench.drain(shape, seal)
        }
        #expect(bench.sent.filter { $0.block == 1 }.count == 2 * 56 + 16)
    }

    @Test func itEndsWhenNobodyAsks() {
        var bench = Bench()
        bench.take(start(), shape, seal)
        bench.drain(shape, seal)
        #expect(bench.ends.isEmpty)
        bench.now = bench.now + .seconds(1)
        bench.take(.timer, shape, seal)
        #expect(bench.ends == [.done])
        #expect(bench.sender.nextDeadline == nil)
        #expect(!bench.sender.casts(Self.blob))
    }

    @Test func whatCannotBeReadEndsIt() {
        var bench = Bench()
        bench.isReading = false
        bench.take(start(), shape, seal)
        #expect(bench.needed == Array(0..<20), "one window ahead")
        #expect(bench.sent.isEmpty)
        bench.take(.chunk(Self.blob, 3, nil), shape, seal)
        #expect(bench.ends == [.unreadable])
    }

    @Test func oneAfterTheOther() throws {
        var bench = Bench()
        let others = (1...CastSender.waitingMax + 1).map { CastNetwork.member($0) }.map { BlobID(raw: $0.raw) }
        bench.take(start(), shape, seal)
        for other in others { bench.take(start(other), shape, seal) }
        #expect(bench.ends == [.done], "one is too many")
        bench.drain(shape, seal)
        #expect(bench.sent.count == 20 * 56)
        #expect(bench.sender.casts(others[0]))
        let empty = try #require(BlobShape(size: 0))
        bench.take(.stop(others[0]), shape, seal)
        bench.take(start(BlobID(raw: CastNetwork.member(99).raw), of: empty), shape, seal)
        #expect(bench.ends.count == 3)
    }
}
