import Foundation
import Testing
import TourModel
import TourStore

// Goal: messages come in the tour's order, whatever page they are asked by, and nothing else is listed. Method: 240
// messages whose readings often collide and span all that are to be believed, against a sorted array.
@Suite struct MessagesTests {
    private let scratch: Scratch
    private let store: TourStore
    private let expected: [Event]

    init() throws {
        scratch = try Scratch()
        store = try Sample.store(scratch)
        let classes: [EventClass] = [.chat, .announcement, .control, .chat, .profile, EventClass(rawValue: 9)]
        var events: [(event: Event, hops: Int)] = []
        for sequence in UInt64(1)...60 {
            for member in UInt8(1)...6 {
                let clock = sequence / 4 * 7_000_000_000_000_000
                events.append(
                    (
                        Sample.event(
                            MemberID(raw: Sample.bytes(200 - member * 30)), sequence, clock: clock,
                            class: classes[Int(sequence + UInt64(member)) % classes.count]), 0
                    ))
            }
        }
        _ = try store.append(events, tour: Sample.tour, durable: false)
        _ = try store.append(Sample.log(Sample.anna, 1...5), tour: Sample.otherTour, durable: false)
        expected = events.map(\.event).filter { ![.control, .profile].contains($0.header.eventClass) }
            .sorted(by: Event.precedes)
    }

    private func list(_ query: MessageQuery) throws -> [Event] {
        try store.messages(Sample.tour, query).map(\.event)
    }

    private func iterate(_ query: MessageQuery, batch: Int) throws -> [Event] {
        var events: [Event] = []
        var cursor = MessageCursor(query)
        while true {
            let page = try store.next(&cursor, Sample.tour, count: batch)
            if page.isEmpty { return events }
            #expect(page.count <= max(batch, 1))
            events += page.map(\.event)
        }
    }

    @Test func allInOrder() throws {
        #expect(expected.count == 240)
        #expect(try list(MessageQuery()) == expected)
        #expect(try store.messages(TourID(raw: Sample.bytes(9)), MessageQuery()).isEmpty)
    }

    @Test func limits() throws {
        #expect(try list(MessageQuery(limit: 7)) == Array(expected.prefix(7)))
        #expect(try list(MessageQuery(limit: 7, last: true)) == Array(expected.suffix(7)))
        #expect(try list(MessageQuery(limit: 0)).isEmpty)
        #expect(try list(MessageQuery(limit: -3, last: true)).isEmpty)
        #expect(try list(MessageQuery(limit: 1_000, last: true)) == expected)
        #expect(try list(MessageQuery(last: true)) == expected)
    }

    @Test func positions() throws {
        for index in stride(from: 0, to: expected.count, by: 13) {
            let position = MessagePosition(expected[index])
            #expect(try list(MessageQuery(afterPosition: position)) == Array(expected[(index + 1)...]))
            #expect(try list(MessageQuery(beforePosition: position)) == Array(expected[..<index]))
            let before = MessageQuery(beforePosition: position, limit: 5, last: true)
            #expect(try list(before) == Array(expected[..<index].suffix(5)))
            #expect(try store.count(Sample.tour, MessageQuery(afterPosition: position)) == expected.count - index - 1)
        }
    }

    @Test func iteration() throws {
        for batch in [1, 7, 80, 240, 1_000] {
            #expect(try iterate(MessageQuery(), batch: batch) == expected)
            #expect(try iterate(MessageQuery(limit: 50), batch: batch) == Array(expected.prefix(50)))
            #expect(try iterate(MessageQuery(limit: 50, last: true), batch: batch) == Array(expected.suffix(50)))
            #expect(try iterate(MessageQuery(limit: 500, last: true), batch: batch) == expected)
        }
        let window = MessageQuery(
            afterPosition: MessagePosition(expected[20]), beforePosition: MessagePosition(expected[60]), limit: 10,
            last: true)
        #expect(try iterate(window, batch: 3) == Array(expected[50..<60]))
    }

    @Test func iterationGoesOnBehindItsPlace() throws {
        var cursor = MessageCursor(MessageQuery())
        let first = try store.next(&cursor, Sample.tour, count: 200)
        let late = Sample.event(MemberID(raw: Sample.bytes(250)), 1, clock: .max - 1, class: .chat)
        _ = try store.append([(late, 0)], tour: Sample.tour, durable: false)
        let rest = try store.next(&cursor, Sample.tour, count: 200)
        #expect(Set((first + rest).map(\.event.id)) == Set(expected.map(\.id) + [late.id]))
        #expect(try store.next(&cursor, Sample.tour).isEmpty)
    }

    /// Else a message of the year 9999 would stand below all others for the tour's life.
    @Test func aClockThatIsNotToBeBelievedStandsWhereItArrived() throws {
        let author = MemberID(raw: Sample.bytes(250))
        let far = Sample.event(author, 1, clock: .max - 1, class: .announcement)
        let soon = LogicalClock(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1_000) + 60_000)
        let later = Sample.event(MemberID(raw: Sample.bytes(251)), 1, clock: soon.value, class: .chat)
        for event in [far, later] { _ = try store.append([(event, 0)], tour: Sample.tour, durable: false) }
        #expect(try list(MessageQuery()) == expected + [far, later])
        #expect(try iterate(MessageQuery(), batch: 1) == expected + [far, later])
        let stored = try #require(try store.events(Sample.tour, idPrefix: far.id.hex).first)
        #expect(stored.place < later.header.clock)
        #expect(try list(MessageQuery(afterPosition: MessagePosition(stored))) == [later])
        // Which announcement is the latest is the same for everybody.
        var latest = MessageQuery(limit: 1, last: true, classes: [.announcement])
        latest.order = .clock
        #expect(try list(latest) == [far])
        try latest.goOn(from: stored)
        let before = try #require(expected.last { $0.header.eventClass == .announcement })
        #expect(try list(latest) == [before])
    }

    @Test func classesAndAuthors() throws {
        let announcements = MessageQuery(classes: [.announcement])
        #expect(try list(announcements) == expected.filter { $0.header.eventClass == .announcement })
        #expect(try list(MessageQuery(classes: [.control, .profile])).isEmpty)
        #expect(try list(MessageQuery(classes: [])).isEmpty)
        let author = expected[0].header.author
        let ended = MessageQuery(ends: [author: 20])
        let counted = expected.filter { $0.header.author != author || $0.header.sequence <= 20 }
        #expect(counted.count < expected.count)
        #expect(try list(ended) == counted)
        #expect(try store.count(Sample.tour, ended) == counted.count)
        let others = MessageQuery(excludedAuthor: author)
        #expect(try list(others) == expected.filter { $0.header.author != author })
        #expect(try store.count(Sample.tour, others) == expected.filter { $0.header.author != author }.count)
    }

    @Test func whatWasDisplayedIsNotUnseen() throws {
        var unseen = MessageQuery()
        unseen.isUnseen = true
        #expect(try store.count(Sample.tour, unseen) == expected.count)
        let shown = expected.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        let marked = try store.markSeen(Sample.tour, shown.map(\.id))
        #expect(marked.map(\.sequence) == shown.map(\.header.sequence))
        #expect(try store.markSeen(Sample.tour, shown.map(\.id)).isEmpty)
        #expect(try store.markSeen(Sample.otherTour, expected.map(\.id)).isEmpty)
        let left = expected.enumerated().filter { $0.offset % 3 != 0 }.map(\.element)
        #expect(try store.messages(Sample.tour, unseen).map(\.event) == left)
        unseen.limit = 1
        #expect(try store.messages(Sample.tour, unseen).map(\.event) == [left[0]])
        #expect(try store.messages(Sample.tour, MessageQuery()).map(\.isSeen) == expected.indices.map { $0 % 3 == 0 })
    }

    @Test func unread() throws {
        let clock = expected[100].header.clock
        let unread = MessageQuery(afterPosition: .end(of: clock))
        #expect(try store.count(Sample.tour, unread) == expected.filter { $0.header.clock > clock }.count)
        let since = MessageQuery(afterPosition: .start(of: clock))
        #expect(try store.count(Sample.tour, since) == expected.filter { $0.header.clock >= clock }.count)
    }
}
