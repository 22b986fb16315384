import Testing
import TourModel
import TourStore

// Goal: an author's log grows without gaps, all of a batch or none, and comes back byte for byte. Method: a real
// database; events of two authors.
@Suite struct AppendTests {
    private let scratch: Scratch
    private let store: TourStore

    init() throws {
        scratch = try Scratch()
        store = try Sample.store(scratch)
    }

    private func append(_ events: [(event: Event, hops: Int)], durable: Bool = false) throws -> [StoredEvent] {
        try store.append(events, tour: Sample.tour, durable: durable).map(\.stored)
    }

    @Test func storesAndReadsBack() throws {
        let events = Sample.log(Sample.anna, 1...3) + Sample.log(Sample.bert, 1...2)
        let stored = try append(events, durable: true)
        #expect(stored.map(\.event) == events.map(\.event))
        #expect(stored.allSatisfy { $0.hops == 1 && $0.receivedAt > 1_700_000_000_000_000 })
        let read = try store.event(Sample.tour, author: Sample.anna, sequence: 2)
        #expect(read == stored[1])
        #expect(try store.event(Sample.tour, author: Sample.anna, sequence: 4) == nil)
        #expect(try store.event(Sample.otherTour, author: Sample.anna, sequence: 1) == nil)
        #expect(try store.append([], tour: Sample.tour, durable: true).isEmpty)
    }

    @Test func timesNeverGoBack() throws {
        var last: Int64 = 0
        for sequence in UInt64(1)...50 {
            let stored = try append(Sample.log(Sample.anna, sequence...sequence))
            #expect(stored[0].receivedAt >= last)
            last = stored[0].receivedAt
        }
    }

    @Test func rowsAreThoseOfTheOrderOfArrival() throws {
        let first = try store.append(Sample.log(Sample.anna, 1...3), tour: Sample.tour, durable: false)
        let second = try store.append(Sample.log(Sample.bert, 1...2), tour: Sample.tour, durable: true)
        #expect(try store.rows(Sample.tour, afterRow: 0, limit: 10) == first + second)
        #expect(try store.rows(Sample.tour, afterRow: first[1].row, limit: 10) == [first[2]] + second)
    }

    /// The time after the commit is what every reader gets, at once and after an orderly end.
    @Test func commitTimesAreKept() throws {
        var first: TourStore? = try Sample.store(scratch, name: "times")
        var stored: [StoredEvent] = []
        for sequence in UInt64(1)...40 {
            let events = Sample.log(Sample.anna, sequence...sequence)
            stored += try first?.append(events, tour: Sample.tour, durable: false).map(\.stored) ?? []
        }
        #expect(try first?.messages(Sample.tour, MessageQuery()) == stored)
        try first?.close()
        first = nil
        let again = try Sample.store(scratch, name: "times")
        #expect(try again.messages(Sample.tour, MessageQuery()) == stored)
    }

    @Test func headsFollow() throws {
        #expect(try store.heads(Sample.tour).isEmpty)
        _ = try append(Sample.log(Sample.anna, 1...3) + Sample.log(Sample.bert, 1...1, clock: .max))
        try store.raiseWatermarks(Sample.tour, [Watermark(author: MemberID(raw: Sample.bytes(3)), sentThrough: 1)])
        let heads = try store.heads(Sample.tour)
        #expect(heads.count == 2)
        #expect(heads[Sample.anna]?.sequence == 3)
        #expect(heads[Sample.anna]?.id == Sample.id(Sample.anna, 3))
        #expect(heads[Sample.anna]?.clock == LogicalClock(value: 120))
        #expect(heads[Sample.bert]?.clock == LogicalClock(value: .max))
    }

    @Test func aBrokenChainKeepsNothing() throws {
        _ = try append(Sample.log(Sample.anna, 1...2))
        let faults: [(event: Event, sequence: UInt64)] = [
            (Sample.event(Sample.anna, 5, clock: 1), 5),
            (Sample.event(Sample.anna, 2, clock: 1), 2),
            (Sample.event(Sample.anna, 4, clock: 1, previous: Sample.id(Sample.bert, 9)), 4),
        ]
        for fault in faults {
            let batch = Sample.log(Sample.bert, 1...4) + Sample.log(Sample.anna, 3...3) + [(fault.event, 1)]
            #expect(throws: StoreError.chainBroken(author: Sample.anna, sequence: fault.sequence)) {
                try append(batch)
            }
            #expect(try store.heads(Sample.tour).mapValues(\.sequence) == [Sample.anna: 2])
            #expect(try store.rows(Sample.tour, afterRow: 0, limit: 100).count == 2)
        }
        #expect(throws: StoreError.chainBroken(author: Sample.bert, sequence: 1)) {
            try append([(Sample.event(Sample.bert, 1, clock: 1, previous: Sample.id(Sample.anna, 1)), 0)])
        }
        #expect(try append(Sample.log(Sample.anna, 3...3)).count == 1)
    }

    @Test func rangesOfALog() throws {
        _ = try append(Sample.log(Sample.anna, 1...10))
        let size = Sample.event(Sample.anna, 1, clock: 0).bytes.count
        func sequences(_ from: UInt64, _ through: UInt64, _ bytesMax: Int) throws -> [UInt64] {
            try store.events(Sample.tour, author: Sample.anna, from: from, through: through, bytesMax: bytesMax)
                .map(\.header.sequence)
        }
        #expect(try sequences(3, 5, .max) == [3, 4, 5])
        #expect(try sequences(0, .max, .max) == Array(1...10))
        #expect(try sequences(9, .max, .max) == [9, 10])
        #expect(try sequences(1, 10, 3 * size) == [1, 2, 3])
        #expect(try sequences(1, 10, 0) == [1])
        #expect(try sequences(5, 3, .max).isEmpty)
        #expect(try sequences(.max, .max, .max).isEmpty)
    }

    @Test func idsByPrefix() throws {
        _ = try append(Sample.log(Sample.anna, 1...100))
        let id = Sample.id(Sample.anna, 42)
        for digits in [12, 13, 16, 17, 63, 64] {
            let found = try store.events(Sample.tour, idPrefix: String(id.hex.prefix(digits)).uppercased())
            #expect(found.map(\.event.id) == [id], "\(digits)")
        }
        #expect(try store.events(Sample.tour, idPrefix: "").count == 2)
        #expect(try store.events(Sample.tour, idPrefix: "xyz").isEmpty)
        #expect(try store.events(Sample.tour, idPrefix: "-1").isEmpty)
        #expect(try store.events(Sample.tour, idPrefix: id.hex + "0").isEmpty)
        #expect(try store.events(Sample.otherTour, idPrefix: String(id.hex.prefix(12))).isEmpty)
        let last = id.hex.last == "0" ? "1" : "0"
        #expect(try store.events(Sample.tour, idPrefix: id.hex.dropLast() + last).isEmpty)
    }

    @Test func arrivalOrderResumes() throws {
        _ = try append(Sample.log(Sample.bert, 1...3, clock: 900))
        _ = try store.append(Sample.log(Sample.anna, 1...3), tour: Sample.otherTour, durable: false)
        _ = try append(Sample.log(Sample.anna, 1...3))
        let first = try store.rows(Sample.tour, afterRow: 0, limit: 4)
        let rest = try store.rows(Sample.tour, afterRow: first[3].row, limit: 100)
        let all = (first + rest).map(\.stored.event.header)
        #expect(all.map(\.author) == [Sample.bert, Sample.bert, Sample.bert, Sample.anna, Sample.anna, Sample.anna])
        #expect(all.map(\.sequence) == [1, 2, 3, 1, 2, 3])
        #expect(try store.lastRow(Sample.tour) == rest[1].row)
        #expect(try store.rows(Sample.tour, afterRow: rest[1].row, limit: 9).isEmpty)
        #expect(try store.lastRow(TourID(raw: Sample.bytes(9))) == 0)
    }

    /// A log's control events, and what stands at the place asked for; none of the others, and none of another's.
    @Test func idsOfControlEvents() throws {
        let classes: [EventClass] = [.control, .chat, .control, .chat, .control]
        let log = zip(UInt64(1)..., classes).map { Sample.event(Sample.anna, $0, clock: $0, class: $1) }
        _ = try append(log.map { ($0, 1) } + Sample.log(Sample.bert, 1...2))
        func ids(_ author: MemberID, through end: UInt64) throws -> [UInt64] {
            let found = try store.controlIDs(Sample.tour, author: author, through: end)
            #expect(found.allSatisfy { $0.value == Sample.id(author, $0.key) })
            return found.keys.sorted()
        }
        #expect(try ids(Sample.anna, through: 4) == [1, 3, 4])
        #expect(try ids(Sample.anna, through: 9) == [1, 3, 5])
        #expect(try ids(Sample.anna, through: 0) == [])
        #expect(try ids(Sample.bert, through: 2) == [2])
        #expect(try store.controlIDs(Sample.otherTour, author: Sample.anna, through: 4).isEmpty)
    }

    @Test func firstSequenceByClock() throws {
        _ = try append(Sample.log(Sample.anna, 1...10))
        func first(_ above: UInt64, _ clock: UInt64) throws -> UInt64? {
            try store.firstSequence(
                Sample.tour, author: Sample.anna, above: above, clockAtLeast: LogicalClock(value: clock))
        }
        #expect(try first(0, 0) == 1)
        #expect(try first(0, 121) == 4)
        #expect(try first(6, 121) == 7)
        #expect(try first(10, 0) == nil)
        #expect(try first(0, .max) == nil)
        #expect(try first(.max, 0) == nil)
    }

    @Test func writersFromManyThreads() async throws {
        let store = store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for member in UInt8(1)...8 {
                group.addTask {
                    let author = MemberID(raw: Sample.bytes(member))
                    for sequence in UInt64(1)...20 {
                        _ = try store.append(
                            Sample.log(author, sequence...sequence), tour: Sample.tour, durable: false)
                        _ = try store.heads(Sample.tour)
                    }
                }
            }
            try await group.waitForAll()
        }
        let heads = try store.heads(Sample.tour)
        #expect(heads.count == 8 && heads.values.allSatisfy { $0.sequence == 20 })
    }
}
