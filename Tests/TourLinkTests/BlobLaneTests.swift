import Testing
import TourLink
import TourModel
import TourWire

// Goal: parts of files wait for everything else, are counted apart, and never make a link look as if it lagged or
// lived. Method: two machines joined by hand; drains of single slices.
@Suite struct BlobLaneTests {
    private let world = World()
    private let first: Peer
    private let second: Peer

    init() {
        let (anna, bert) = (World.keys(1), World.keys(2))
        first = Peer(world, dialling: .member(world.credential(anna)), knows: [bert])
        second = Peer(world, credentials: [world.credential(bert)], knows: [anna])
        Peer.pump(first, second)
    }

    private func chunk(_ number: Int, bytes: Int = 65_552) -> LinkMessage {
        .blob(
            .chunk(
                BlobMessage.Chunk(
                    blob: BlobID(raw: .zero), chunk: number, bytes: [UInt8](repeating: 7, count: bytes))))
    }

    @Test func filesAreCountedApart() {
        first.send(chunk(0))
        let queued = first.machine.queuedBlobBytes
        #expect(first.queuedBytes == 0 && (65_552...66_600).contains(queued))
        first.send(.prune)
        #expect(first.queuedBytes == Limits.paddedPlaintextBytesMin && first.machine.queuedBlobBytes == queued)
        Peer.pump(first, second)
        #expect(first.queuedBytes == 0 && first.machine.queuedBlobBytes == 0)
        #expect(second.readMessages() == [.prune, chunk(0)])
    }

    @Test func filesStayWhereTheyMayNotGo() {
        first.send(chunk(0))
        first.send(.prune)
        let queued = first.machine.queuedBlobBytes
        second.receive(first.written(through: .catchUp))
        #expect(first.queuedBytes == 0 && first.machine.queuedBlobBytes == queued)
        #expect(first.written(through: .catchUp).isEmpty)
        #expect(second.readMessages() == [.prune])
    }

    /// One slice of a file is out at a time: a message waits for no more.
    @Test func everythingOvertakesFilesBetweenSlices() {
        first.send(chunk(0))
        let queued = first.machine.queuedBlobBytes
        first.drain(budget: 1)
        #expect(queued - first.machine.queuedBlobBytes == Limits.slicePayloadBytesTarget + Slice.prefixLength)
        #expect(first.outgoing.count < Limits.slicePayloadBytesMax + 64)
        let served = LinkMessage.served(id: 1, truncated: false)
        first.send(served)
        first.drain(budget: 1)
        #expect(first.queuedBytes == 0)
        Peer.pump(first, second)
        #expect(second.readMessages() == [served, chunk(0)])
    }

    /// Files may wait for long: the link shows meanwhile that it lives.
    @Test func signsOfLifeDoNotWaitForFiles() {
        first.send(chunk(0))
        let queued = first.machine.queuedBlobBytes
        for _ in 0..<10 {
            world.now = world.now + Limits.keepAliveInterval + .microseconds(1)
            first.tick(through: .catchUp)
            let ping = first.written(through: .catchUp)
            #expect(!ping.isEmpty)
            second.receive(ping)
            first.receive(second.written())
        }
        #expect(first.fault == nil && first.machine.queuedBlobBytes == queued)
    }
}
