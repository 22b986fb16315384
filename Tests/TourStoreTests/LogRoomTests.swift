import Testing
import TourModel
import TourStore

/// Goal: commits find room in the log's file, lose nothing by it, and get more once it is used up.
/// Method: a real store; its log is measured, and read by another one as after a crash.
@Suite struct LogRoomTests {
    private let scratch: Scratch
    private let store: TourStore

    init() throws {
        scratch = try Scratch()
        store = try Sample.store(scratch)
    }

    private var log: [UInt8] { Scratch.bytes(scratch.path + "/data/tour.sqlite-wal") }

    private func append(_ sequences: ClosedRange<UInt64>, bytes: Int = 3) throws {
        for sequence in sequences {
            let event = Sample.event(
                Sample.anna, sequence, clock: sequence, body: [UInt8](repeating: 7, count: bytes))
            _ = try store.append([(event, 1)], tour: Sample.tour, durable: true)
        }
    }

    @Test func commitsDoNotLengthenTheLog() throws {
        try append(1...3)
        let before = log.count
        store.makeLogRoom()
        let size = log.count
        #expect(size > before + 1_000_000)
        try append(4...40)
        store.makeLogRoom()
        #expect(log.count == size, "there was room, and there still is")
    }

    @Test func roomThatIsUsedUpIsMadeAgain() throws {
        try append(1...1)
        store.makeLogRoom()
        let size = log.count
        for sequence in UInt64(2)...40 { try append(sequence...sequence, bytes: 120_000) }
        let grown = log.count
        #expect(grown > size, "the log goes on behind the room")
        store.makeLogRoom()
        #expect(log.count > grown + 1_000_000)
    }

    @Test func aCrashLosesNothing() throws {
        try append(1...3)
        store.makeLogRoom()
        try append(4...9)
        try store.checkpoint(.beside)
        try append(10...12)
        let copy = try Scratch()
        _ = try DataDirectory(path: copy.path + "/data")
        for name in ["tour.sqlite", "tour.sqlite-wal"] {
            Scratch.write(Scratch.bytes(scratch.path + "/data/" + name), to: copy.path + "/data/" + name)
        }
        let second = try Sample.store(copy)
        #expect(try second.heads(Sample.tour)[Sample.anna]?.sequence == 12)
        try second.verify()
    }

    @Test func anEmptyLogAndAClosedStoreAreLeftAlone() throws {
        try store.checkpoint(.whole)
        store.makeLogRoom()
        #expect(log.count == 0)
        try append(1...2)
        try store.close()
        let left = log.count
        store.makeLogRoom()
        #expect(log.count == left)
    }
}
