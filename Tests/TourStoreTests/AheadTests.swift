import Testing
import TourModel
import TourStore

// Goal: an event ahead of its log is listed at once and once, survives a restart, and joins the log when that comes to
// it, or goes if it does not continue it. Method: a real database; an announcement that is the tenth of its author.
@Suite struct AheadTests {
    private let scratch: Scratch
    private let store: TourStore

    init() throws {
        scratch = try Scratch()
        store = try Sample.store(scratch)
        _ = try store.append(Sample.log(Sample.anna, 1...3), tour: Sample.tour, durable: false)
    }

    /// As `Sample.log` gives it its clock.
    private static let tenth = Sample.event(Sample.anna, 10, clock: 190, class: .announcement)

    private func keep(_ event: Event = Self.tenth) throws -> [ArrivedEvent] {
        try store.append(ahead: [(event, 2)], tour: Sample.tour)
    }

    /// Anna's log from the fourth event on; the tenth is the announcement.
    private func append(through last: UInt64) throws -> [ArrivedEvent] {
        let log = Sample.log(Sample.anna, 1...last).dropFirst(3)
            .map { $0.event.header.sequence == 10 ? (event: Self.tenth, hops: 1) : $0 }
        return try store.append(Array(log), tour: Sample.tour, durable: false)
    }

    private func listed(_ query: MessageQuery = MessageQuery()) throws -> [UInt64] {
        try store.messages(Sample.tour, query).map(\.event.header.sequence)
    }

    @Test func listedAndFoundButNotInTheLog() throws {
        let arrived = try keep()
        #expect(arrived.map(\.stored.event) == [Self.tenth] && arrived[0].stored.hops == 2)
        #expect(try listed() == [1, 2, 3, 10])
        #expect(try store.rows(Sample.tour, afterRow: 0, limit: 9).last == arrived[0])
        #expect(try store.lastRow(Sample.tour) == arrived[0].row)
        #expect(try store.events(Sample.tour, idPrefix: String(Self.tenth.id.hex.prefix(12))).count == 1)
        #expect(try store.aheadEvents(Sample.tour) == [Self.tenth])
        #expect(try store.heads(Sample.tour)[Sample.anna]?.sequence == 3)
        #expect(try store.event(Sample.tour, author: Sample.anna, sequence: 10) == nil)
        let log = try store.events(Sample.tour, author: Sample.anna, from: 1, through: .max, bytesMax: .max)
        #expect(log.map(\.header.sequence) == [1, 2, 3])
    }

    @Test func aLogOfItsOwnHasNoHead() throws {
        let alone = Sample.event(Sample.bert, 2, clock: 5, class: .announcement)
        #expect(try keep(alone).count == 1)
        #expect(try store.heads(Sample.tour)[Sample.bert] == nil)
        #expect(try store.append(Sample.log(Sample.bert, 1...1), tour: Sample.tour, durable: false).count == 1)
        #expect(try store.heads(Sample.tour)[Sample.bert]?.sequence == 2)
    }

    @Test func pagesHaveItOnce() throws {
        _ = try keep()
        let place = MessagePosition(Self.tenth)
        #expect(try listed(MessageQuery(afterPosition: place)).isEmpty)
        #expect(try listed(MessageQuery(beforePosition: place)) == [1, 2, 3])
        var cursor = MessageCursor(MessageQuery(limit: 2, last: true))
        var pages: [UInt64] = []
        while true {
            let page = try store.next(&cursor, Sample.tour, count: 1)
            if page.isEmpty { break }
            pages += page.map(\.event.header.sequence)
        }
        #expect(pages == [3, 10])
    }

    @Test func theLogTakesItIn() throws {
        let row = try keep()[0].row
        let arrived = try append(through: 9)
        #expect(arrived.map(\.stored.event.header.sequence) == Array(4...9))
        #expect(arrived.allSatisfy { !$0.wasAhead && $0.row > row })
        #expect(try store.heads(Sample.tour)[Sample.anna]?.sequence == 10)
        #expect(try store.heads(Sample.tour)[Sample.anna]?.id == Self.tenth.id)
        #expect(try store.aheadEvents(Sample.tour).isEmpty)
        #expect(try listed() == Array(1...10))
        // It stays where it arrived: whoever was told of it is not told again.
        let rows = try store.rows(Sample.tour, afterRow: row, limit: 99)
        #expect(rows.map(\.stored.event.header.sequence) == Array(4...9))
        #expect(try store.lastRow(Sample.tour) == rows.last?.row)
        let next = Sample.event(Sample.anna, 11, clock: 999)
        #expect(try store.append([(next, 1)], tour: Sample.tour, durable: false).count == 1)
    }

    @Test func aRunThatBringsItAgain() throws {
        let row = try keep()[0].row
        let arrived = try append(through: 12)
        #expect(arrived.filter(\.wasAhead).map(\.row) == [row])
        #expect(arrived.map(\.stored.event.header.sequence) == Array(4...12))
        #expect(try listed() == Array(1...12))
    }

    @Test func oneTransactionOnBothSides() throws {
        _ = try keep()
        let events = Sample.log(Sample.anna, 1...12).filter { ![1, 2, 3, 10].contains($0.event.header.sequence) }
        #expect(try store.append(events, tour: Sample.tour, durable: false).count == 8)
        #expect(try store.heads(Sample.tour)[Sample.anna]?.sequence == 12)
        #expect(try listed() == Array(1...12))
    }

    @Test func aGapIsStillAGap() throws {
        _ = try keep()
        #expect(throws: StoreError.chainBroken(author: Sample.anna, sequence: 11)) {
            try store.append([(Sample.event(Sample.anna, 11, clock: 9), 1)], tour: Sample.tour, durable: false)
        }
        #expect(try store.aheadEvents(Sample.tour) == [Self.tenth])
    }

    @Test func survivesARestart() throws {
        let name = "again"
        var first: TourStore? = try Sample.store(scratch, name: name)
        _ = try first?.append(Sample.log(Sample.anna, 1...3), tour: Sample.tour, durable: false)
        _ = try first?.append(ahead: [(Self.tenth, 2)], tour: Sample.tour)
        try first?.close()
        first = nil
        let second = try Sample.store(scratch, name: name)
        #expect(try second.aheadEvents(Sample.tour) == [Self.tenth])
        #expect(try second.append(ahead: [(Self.tenth, 2)], tour: Sample.tour).isEmpty)
        let log = Array(Sample.log(Sample.anna, 1...9).dropFirst(3))
        _ = try second.append(log, tour: Sample.tour, durable: false)
        #expect(try second.heads(Sample.tour)[Sample.anna]?.sequence == 10)
        #expect(try second.messages(Sample.tour, MessageQuery()).count == 10)
    }

    /// Who wrote two logs: the one that is stored stands.
    @Test func anotherBranchGoesWhenTheLogComes() throws {
        let stray = Sample.event(
            Sample.anna, 10, clock: 5, class: .announcement, previous: Sample.id(Sample.bert, 9))
        #expect(try keep(stray).count == 1)
        #expect(try append(through: 9).count == 6)
        #expect(try store.heads(Sample.tour)[Sample.anna]?.sequence == 9)
        #expect(try store.aheadEvents(Sample.tour).isEmpty)
        #expect(try listed() == Array(1...9))
    }

    @Test func anotherEventAtItsPlaceStands() throws {
        let twin = Event(header: Self.tenth.header, id: Sample.id(Sample.bert, 77), bytes: Self.tenth.bytes)
        let row = try keep(twin)[0].row
        let arrived = try append(through: 10)
        #expect(arrived.allSatisfy { !$0.wasAhead && $0.row != row })
        #expect(try store.heads(Sample.tour)[Sample.anna]?.id == Self.tenth.id)
        #expect(try store.events(Sample.tour, idPrefix: String(twin.id.hex.prefix(12))).isEmpty)
        #expect(try listed() == Array(1...10))
    }

    @Test func theFirstAtAPlaceStaysAndTheLogIsNoPlace() throws {
        #expect(try keep().count == 1)
        #expect(try keep().isEmpty)
        #expect(try keep(Sample.event(Sample.anna, 3, clock: 1, class: .announcement)).isEmpty)
        #expect(try keep(Sample.event(Sample.anna, .max, clock: 1, class: .announcement)).isEmpty)
        #expect(try store.append(ahead: [], tour: Sample.tour).isEmpty)
    }

    @Test func urgentOnesTheLastFirst() throws {
        let events = (UInt64(1)...40).map { sequence in
            (
                event: Sample.event(
                    Sample.bert, sequence, clock: sequence, class: sequence % 10 == 0 ? .announcement : .chat),
                hops: 3
            )
        }
        _ = try store.append(events, tour: Sample.tour, durable: false)
        _ = try keep(Sample.event(Sample.bert, 60, clock: 60, class: .announcement))
        func urgent(_ from: UInt64, _ through: UInt64, _ limit: Int) throws -> [UInt64] {
            try store.urgentEvents(Sample.tour, author: Sample.bert, from: from, through: through, limit: limit)
                .map(\.event.header.sequence)
        }
        #expect(try urgent(1, .max, 9) == [60, 40, 30, 20, 10])
        #expect(try urgent(11, 40, 9) == [40, 30, 20])
        #expect(try urgent(1, 40, 2) == [40, 30])
        #expect(try urgent(41, 59, 9).isEmpty)
        #expect(try store.urgentEvents(Sample.tour, author: Sample.anna, from: 1, through: .max, limit: 9).isEmpty)
    }
}
