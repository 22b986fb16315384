import Testing
import TourModel
import TourStore

// Goal: what is learnt from peers only grows and stays bounded. Method: values in every order, large ones included.
@Suite struct SyncStateTests {
    private let scratch: Scratch
    private let store: TourStore

    init() throws {
        scratch = try Scratch()
        store = try Sample.store(scratch)
    }

    @Test func watermarksNeverGoDown() throws {
        let tour = Sample.tour
        #expect(try store.watermarks(tour).isEmpty)
        try store.raiseWatermarks(
            tour,
            [Watermark(author: Sample.anna, sentThrough: 5, deliveredThrough: 3, readThrough: 2, syncedThrough: 1)])
        try store.raiseWatermarks(
            tour,
            [
                Watermark(author: Sample.anna, sentThrough: 4, deliveredThrough: 7, readThrough: 1, syncedThrough: 0),
                Watermark(author: Sample.bert, sentThrough: .max),
            ])
        let marks = try store.watermarks(tour)
        #expect(
            marks[Sample.anna]
                == Watermark(
                    author: Sample.anna, sentThrough: 5, deliveredThrough: 7, readThrough: 2, syncedThrough: 1))
        #expect(marks[Sample.bert]?.sentThrough == UInt64(Int64.max))
        #expect(try store.watermarks(Sample.otherTour).isEmpty)
    }

    @Test func frontierRowsOfAMemberAreReplacedTogether() throws {
        func row(_ counter: UInt64) -> FrontierRecord {
            FrontierRecord(
                member: Sample.anna, counter: counter, bytes: [UInt8(truncatingIfNeeded: counter)],
                signature: [UInt8](repeating: UInt8(truncatingIfNeeded: counter), count: 64),
                receivedAt: Int64(truncatingIfNeeded: counter))
        }
        try store.saveFrontierRows(Sample.tour, [row(7), row(5), row(3)])
        try store.saveFrontierRows(Sample.tour, [])
        #expect(try store.frontierRows(Sample.tour) == [row(3), row(5), row(7)])
        try store.saveFrontierRows(Sample.tour, [row(.max), row(1 << 63), row(5)])
        #expect(try store.frontierRows(Sample.tour) == [row(5), row(1 << 63), row(.max)])
        #expect(try store.frontierRows(Sample.otherTour).isEmpty)
    }

    @Test func controlEventsOnce() throws {
        try store.addControlEvents(Sample.tour, [(Sample.id(Sample.anna, 1), [1])], durable: true)
        try store.addControlEvents(
            Sample.tour, [(Sample.id(Sample.anna, 2), [2]), (Sample.id(Sample.anna, 1), [9]), (.none, [3])],
            durable: false)
        #expect(try store.controlEvents(Sample.tour) == [[1], [2], [3]])
        #expect(try store.controlEvents(Sample.otherTour).isEmpty)
    }

    @Test func controlEventsOfALogAreKeptOnce() throws {
        let admit = Sample.event(Sample.anna, 1, clock: 1, class: .control)
        try store.addControlEvents(Sample.tour, [(admit.id, admit.bytes)], durable: false)
        let close = Sample.event(Sample.anna, 2, clock: 2, class: .control)
        let chat = Sample.event(Sample.anna, 3, clock: 3, class: .chat)
        _ = try store.append([(admit, 0), (close, 0), (chat, 0)], tour: Sample.tour, durable: false)
        #expect(try store.controlEvents(Sample.tour) == [admit.bytes, close.bytes])
    }

    @Test func addressesAreCapped() throws {
        for index in 0..<100 {
            try store.rememberAddress(
                Sample.tour, RememberedAddress(address: "192.0.2.\(index)", port: 4_000, usedAt: Int64(index)))
        }
        try store.rememberAddress(
            Sample.tour, RememberedAddress(address: "192.0.2.50", port: 4_000, usedAt: 1_000))
        try store.rememberAddress(
            Sample.tour, RememberedAddress(address: "192.0.2.99", port: 4_000, usedAt: 7))
        try store.rememberAddress(
            Sample.otherTour, RememberedAddress(address: "2001:db8::1", port: .max, usedAt: 7))
        let addresses = try store.addresses(Sample.tour)
        #expect(addresses.count == TourStore.addressesMax)
        #expect(addresses[0] == RememberedAddress(address: "192.0.2.50", port: 4_000, usedAt: 1_000))
        #expect(addresses[1].address == "192.0.2.99" && addresses[1].usedAt == 99)
        #expect(addresses.map(\.usedAt) == addresses.map(\.usedAt).sorted(by: >))
        #expect(try store.addresses(Sample.otherTour).map(\.port) == [.max])
    }

    /// A message keeps the first time; the server's own answer takes the place of a member's word.
    @Test func firstAnswerThatCoversAnEventIsIts() throws {
        let tour = Sample.tour
        #expect(try store.syncedHeads(tour).isEmpty)
        try store.recordSynced(tour, heads: [Sample.anna: 5], at: 1_000, by: nil)
        try store.recordSynced(tour, heads: [Sample.anna: 9, Sample.bert: 4], at: 2_000, by: Sample.bert)
        try store.recordSynced(tour, heads: [Sample.anna: 3, Sample.bert: 2], at: 3_000, by: Sample.anna)
        func record(_ author: MemberID, _ sequence: UInt64) throws -> SyncedRecord? {
            try store.syncedRecord(tour, author: author, sequence: sequence)
        }
        #expect(try record(Sample.anna, 1) == SyncedRecord(at: 1_000, by: nil))
        #expect(try record(Sample.anna, 5) == SyncedRecord(at: 1_000, by: nil))
        #expect(try record(Sample.anna, 6) == SyncedRecord(at: 2_000, by: Sample.bert))
        #expect(try record(Sample.anna, 10) == nil)
        #expect(try record(Sample.bert, 1) == SyncedRecord(at: 2_000, by: Sample.bert))
        #expect(try store.syncedHeads(tour)[Sample.anna].map { [$0.known, $0.told] } == [9, 5])
        #expect(try store.syncedHeads(tour)[Sample.bert].map { [$0.known, $0.told] } == [4, 0])
        try store.recordSynced(tour, heads: [Sample.anna: 9, Sample.bert: 3], at: 4_000, by: nil)
        #expect(try record(Sample.anna, 5) == SyncedRecord(at: 1_000, by: nil))
        #expect(try record(Sample.anna, 6) == SyncedRecord(at: 4_000, by: nil))
        #expect(try record(Sample.bert, 3) == SyncedRecord(at: 4_000, by: nil))
        #expect(try record(Sample.bert, 4) == SyncedRecord(at: 2_000, by: Sample.bert))
        #expect(try store.syncedRecord(Sample.otherTour, author: Sample.anna, sequence: 1) == nil)
    }

    @Test func aTourThatIsRemovedLeavesNoSyncs() throws {
        try store.recordSynced(Sample.tour, heads: [Sample.anna: 5], at: 1_000, by: nil)
        try store.removeTour(Sample.tour)
        #expect(try store.syncedHeads(Sample.tour).isEmpty)
        #expect(try store.syncedRecord(Sample.tour, author: Sample.anna, sequence: 1) == nil)
    }
}
