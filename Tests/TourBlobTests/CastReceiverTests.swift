import Testing
import TourBlob
import TourCrypto
import TourModel
import TourWire

/// Goal: a receiver takes what its members cast and nothing else, holds no more than is stated, and says what it waits
/// for. Method: one machine and symbols made by hand.
struct CastReceiverTests {
    private static let blob = BlobID(raw: CastNetwork.member(50).raw)
    private static let casters = [CastNetwork.member(1), CastNetwork.member(2), CastNetwork.member(3)]

    private let epoch: EpochKey
    private let shape: BlobShape
    private var receiver = CastReceiver()
    private var rng = SplitMix64(seed: 1)
    private var now = Instant(microseconds: 0)

    init() throws {
        epoch = try #require(EpochKey(id: .none, key: SecretBytes([UInt8](repeating: 5, count: 32))))
        shape = try #require(BlobShape(size: 200 * 65_536 + 10))
        _ = take(.keys([epoch], casters: Self.casters))
    }

    private mutating func take(_ input: CastReceiver.Input) -> [CastReceiver.Output] {
        var outputs: [CastReceiver.Output] = []
        receiver.handle(input, now: now, using: &rng, into: &outputs)
        now = now + .microseconds(100)
        return outputs
    }

    private mutating func want(_ blob: BlobID = Self.blob, pages: Set<Int> = [0]) -> [CastReceiver.Output] {
        take(.want(blob, shape, have: ChunkSet(limit: shape.chunkCount), pages: pages))
    }

    private func datagram(
        _ block: Int, _ number: Int, by caster: Int = 0, of blob: BlobID = Self.blob, under epoch: EpochKey? = nil
    ) -> [UInt8] {
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: block), count: Limits.castSymbolBytes)
        let seal = CastSeal(epoch: epoch ?? self.epoch, blob: blob, caster: Self.casters[caster])
        return seal.seal(CastSeal.Symbol(block: block, number: number, bytes: bytes))
    }

    /// All but the last symbol of a block.
    private mutating func begin(_ block: Int, by caster: Int = 0, of blob: BlobID = Self.blob) {
        for number in 0..<55 { _ = take(.datagrams([datagram(block, number, by: caster, of: blob)])) }
    }

    private func chunks(_ outputs: [CastReceiver.Output]) -> [Int] {
        outputs.compactMap { if case .chunk(_, let chunk, _) = $0 { chunk } else { nil } }
    }

    private func left(_ outputs: [CastReceiver.Output]) -> [Int] {
        outputs.flatMap { output -> [Int] in
            if case .left(_, let chunks) = output { chunks } else { [] }
        }
    }

    @Test mutating func aBlockComesOutOnce() {
        _ = want()
        begin(0)
        #expect(receiver.expects(0, of: Self.blob) && receiver.expects(200, of: Self.blob))
        let last = datagram(0, 55)
        #expect(chunks(take(.datagrams([last]))) == [0])
        #expect(chunks(take(.datagrams([last]))).isEmpty)
        #expect(!receiver.expects(0, of: Self.blob), "it is on its way to be stored")
        // It could not be stored.
        _ = take(.lost(Self.blob, 0))
        #expect(receiver.expects(0, of: Self.blob))
    }

    /// The blocks of a window, whole at the same time.
    @Test mutating func blocksComeOutOneAfterTheOther() throws {
        _ = want()
        for block in 0..<3 { begin(block) }
        let last = (0..<3).map { datagram($0, 55) }
        #expect(chunks(take(.datagrams(last))) == [0])
        let due = try #require(receiver.nextDeadline)
        #expect(chunks(take(.timer)).isEmpty)
        now = due
        #expect(chunks(take(.timer)) == [1])
        #expect(!receiver.expects(2, of: Self.blob), "it is whole")
        now = try #require(receiver.nextDeadline)
        #expect(chunks(take(.timer)) == [2])
    }

    /// Nothing else is to come, and somebody waits: they follow sooner, and still one by one.
    @Test mutating func theLastBlocksFollowSoon() throws {
        var have = ChunkSet.all(shape.chunkCount)
        for block in 0..<3 { have.remove(block) }
        _ = take(.want(Self.blob, shape, have: have, pages: [0]))
        for block in 0..<3 { begin(block) }
        #expect(chunks(take(.datagrams((0..<3).map { datagram($0, 55) }))) == [0])
        for block in 1..<3 {
            let before = now
            now = try #require(receiver.nextDeadline)
            #expect(now - before <= .milliseconds(1))
            #expect(chunks(take(.timer)) == [block])
        }
    }

    @Test mutating func whatIsWholeMakesRoomForWhatIsNot() {
        _ = want(pages: [])
        for block in 0..<Limits.castUnfinishedBlocksMax {
            begin(block)
            _ = take(.datagrams([datagram(block, 55)]))
        }
        #expect(chunks(take(.page(Self.blob, 0))) == [0])
        #expect(take(.datagrams([datagram(64, 0)])).isEmpty)
        let outputs = take(.datagrams([datagram(65, 0)]))
        #expect(chunks(outputs) == [1])
        #expect(left(outputs).isEmpty)
    }

    @Test mutating func whatIsWholeComesOutBeforeTheSegmentGoes() {
        _ = want()
        for block in 0..<3 { begin(block) }
        #expect(chunks(take(.datagrams((0..<3).map { datagram($0, 55) }))) == [0])
        #expect(chunks(take(.leave)) == [1, 2])
        #expect(chunks(take(.leave)).isEmpty)
    }

    @Test mutating func whatIsNoCastOfOursMovesNothing() throws {
        let other = try #require(EpochKey(id: .none, key: SecretBytes([UInt8](repeating: 6, count: 32))))
        #expect(take(.datagrams([datagram(0, 0)])).isEmpty, "it is not wanted")
        _ = want()
        var changed = datagram(0, 0)
        changed[600] ^= 1
        let foreign = [
            [], [3], [UInt8](repeating: 3, count: 1_199), changed, datagram(0, 0, under: other),
            datagram(201, 0), datagram(0, 128), Array(datagram(0, 0).dropLast()),
        ]
        for bytes in foreign { #expect(take(.datagrams([bytes])).isEmpty) }
        #expect(receiver.castUntil(Self.blob) == nil)
        #expect(receiver.nextDeadline == nil)
    }

    @Test mutating func unfinishedBlocksAreBounded() {
        _ = want()
        var gone: [Int] = []
        for block in 0..<Limits.castUnfinishedBlocksMax {
            gone += left(take(.datagrams([datagram(block % 16, block / 16)])))
        }
        #expect(gone.isEmpty)
        // A cast that jumps: windows that were over are left, and beyond the bound the oldest goes.
        for block in 16..<200 { gone += left(take(.datagrams([datagram(block, 0)]))) }
        #expect(Set(gone).count == gone.count)
        #expect(gone.count >= 200 - Limits.castUnfinishedBlocksMax)
        #expect(gone.allSatisfy { !receiver.expects($0, of: Self.blob) })
    }

    @Test mutating func chunksWaitForTheirHashes() {
        _ = want(pages: [])
        begin(0)
        #expect(chunks(take(.datagrams([datagram(0, 55)]))).isEmpty)
        #expect(receiver.expects(0, of: Self.blob))
        #expect(chunks(take(.page(Self.blob, 1))).isEmpty)
        #expect(chunks(take(.page(Self.blob, 0))) == [0])
    }

    @Test mutating func asksComeWhenTheWindowIsOver() {
        _ = want()
        for block in 0..<16 { begin(block) }
        var outputs = take(.datagrams([datagram(16, 0)]))
        while now < Instant(microseconds: 200_000) {
            now = receiver.nextDeadline ?? Instant(microseconds: .max)
            outputs += take(.timer)
            if !outputs.isEmpty { break }
        }
        let asks = outputs.compactMap { if case .ask(let ask, let member) = $0 { (ask, member) } else { nil } }
        #expect(asks.count == 1)
        #expect(asks.first?.1 == Self.casters[0])
        #expect(asks.first?.0.needs == (0..<16).map { CastAsk.Need(block: $0, count: 1) })
    }

    /// A sender that stands still before the end of the last window has lost nothing.
    @Test mutating func rowsThatWereNotSentAreNotMissed() throws {
        _ = want()
        let last = 192..<200
        for number in 0..<44 where ![2, 5, 8].contains(number % 10) {
            for block in last { _ = take(.datagrams([datagram(block, number)])) }
        }
        now = now + .milliseconds(50)
        #expect(take(.timer).isEmpty, "more is to come")
        now = now + .milliseconds(30)
        let outputs = take(.timer)
        #expect(Set(left(outputs)).isDisjoint(with: last))
        #expect(last.allSatisfy { receiver.expects($0, of: Self.blob) })
        now = now + .milliseconds(20)
        let asks = (outputs + take(.timer)).compactMap { if case .ask(let ask, _) = $0 { ask } else { nil } }
        let needs = try #require(asks.last).needs
        let whole = last.map { CastAsk.Need(block: $0, count: 56 - 31) }
        #expect(needs == whole + [CastAsk.Need(block: 200, count: 1)])
    }

    @Test mutating func whoHearsAnAskStaysSilentOnce() {
        _ = want()
        for block in 0..<16 { begin(block) }
        _ = take(.datagrams([datagram(16, 0)]))
        let tag = CastSeal.tag(epoch: epoch, blob: Self.blob, caster: Self.casters[0])
        let ask = CastAsk(tag: tag, needs: (0..<16).map { .init(block: $0, count: 2) })
        let over = now
        #expect(take(.ask(ask)).isEmpty)
        let due = receiver.nextDeadline ?? over
        #expect(due >= over + .milliseconds(20))
        now = over + .milliseconds(26)
        _ = take(.ask(ask))
        now = over + .milliseconds(60)
        let asks = take(.timer).filter { if case .ask = $0 { true } else { false } }
        #expect(asks.count == 1, "a second ask in a row silences nobody")
    }

    @Test mutating func twoCastsAtOnceAndNoMore() {
        let blobs = (60..<63).map { BlobID(raw: CastNetwork.member($0).raw) }
        for blob in blobs { _ = want(blob) }
        for blob in blobs { _ = take(.datagrams([datagram(0, 0, of: blob)])) }
        #expect(blobs.map { receiver.castUntil($0) != nil } == [true, true, false])
    }

    @Test mutating func theFirstOfTwoCastsIsFollowed() {
        _ = want()
        begin(0, by: 1)
        #expect(chunks(take(.datagrams([datagram(0, 55, by: 0)]))).isEmpty)
        #expect(chunks(take(.datagrams([datagram(0, 55, by: 1)]))) == [0])
        now = now + .milliseconds(60)
        let outputs = take(.datagrams([datagram(1, 0, by: 0)]))
        #expect(outputs.contains { if case .began(_, Self.casters[0]) = $0 { true } else { false } })
    }

    @Test mutating func aLiarIsNotFollowedAgain() {
        _ = want()
        begin(0)
        #expect(chunks(take(.datagrams([datagram(0, 55)]))) == [0])
        let outputs = take(.wrong(Self.blob, 0))
        #expect(outputs.contains { if case .ended(_, .wrong) = $0 { true } else { false } })
        #expect(take(.datagrams([datagram(1, 0)])).isEmpty)
        #expect(!take(.datagrams([datagram(1, 0, by: 1)])).isEmpty, "another member is")
    }

    @Test mutating func ownCastsAreWatched() {
        _ = take(.watch(Self.blob, shape))
        let outputs = take(.datagrams([datagram(17, 0, by: 2)]))
        #expect(
            outputs.contains {
                if case .otherCast(Self.blob, Self.casters[2], block: 17) = $0 { true } else { false }
            })
        _ = take(.forget(Self.blob))
        #expect(take(.datagrams([datagram(17, 0, by: 2)])).isEmpty)
    }

    @Test mutating func blobsListenedForAreBounded() {
        for number in 0..<CastReceiver.blobsMax + 1 { _ = want(BlobID(raw: CastNetwork.member(60 + number).raw)) }
        let last = BlobID(raw: CastNetwork.member(60 + CastReceiver.blobsMax).raw)
        #expect(take(.datagrams([datagram(0, 0, of: last)])).isEmpty)
        _ = take(.forget(BlobID(raw: CastNetwork.member(60).raw)))
        _ = want(last)
        #expect(!take(.datagrams([datagram(0, 0, of: last)])).isEmpty)
    }
}
