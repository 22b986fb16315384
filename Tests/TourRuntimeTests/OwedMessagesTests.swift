import Testing
import TourModel
import TourRuntime
import TourWire

/// Goal: however long an answer is, it never fills a link's queue, and indexes cannot be used to have it sent again and
/// again. Method: messages that are numbered, a queue that is a number, and a clock that the test turns.
@Suite struct OwedMessagesTests {
    private static let start = Instant(microseconds: 5_000_000)

    @Test func aLongAnswerWaitsForTheQueue() {
        var owed = OwedMessages()
        let size = 48 * 1_024
        let messages = (0..<200).map { LinkMessage.control([[UInt8](repeating: UInt8($0), count: size)]) }
        owed.add(messages)
        var sent = [LinkMessage]()
        var rounds = 0
        while !owed.isEmpty, rounds < 1_000 {
            rounds += 1
            var queued = 0
            while let message = owed.next(queuedBytes: queued, event: { _ in nil }) {
                sent.append(message)
                queued += size
            }
            #expect(queued <= Limits.linkQueueBytesMax)
        }
        #expect(sent == messages)
        #expect(rounds > 20)
    }

    /// A link that is behind is told no news until it has taken what it has; what is held no more by then is left out.
    @Test func newsWaitsForTheQueueAndGoesFirst() {
        var owed = OwedMessages()
        let size = 20 * 1_024
        let events = (0..<100).map { number in
            (id: EventID(number: number), bytes: [UInt8](repeating: UInt8(number), count: size))
        }
        var held = Dictionary(uniqueKeysWithValues: events.map { ($0.id, $0.bytes) })
        owed.add([.control([])])
        owed.add(news: events.map(\.id))
        #expect(owed.next(queuedBytes: Limits.linkQueueBytesMax / 2, event: { held[$0] }) == nil)
        held[events[1].id] = nil
        var told = [[UInt8]]()
        while case .control(let part)? = owed.next(queuedBytes: 0, event: { held[$0] }), !part.isEmpty {
            #expect(part.reduce(0) { $0 + $1.count } <= Limits.linkMessageBytesMax / 2)
            told += part
        }
        #expect(told == [events[0].bytes] + events[2...].map(\.bytes))
        #expect(owed.isEmpty)
    }

    @Test func indexesAreAnsweredOnceASecond() {
        var owed = OwedMessages()
        let first = [Duration.zero, .milliseconds(999), .seconds(1)].map { owed.answers(at: Self.start + $0) }
        #expect(first == [true, false, true])
        owed.add([.control([])])
        let meanwhile = owed.answers(at: Self.start + .seconds(5))
        #expect(!meanwhile, "the last answer is under way")
        let held = owed.next(queuedBytes: Limits.linkQueueBytesMax / 2, event: { _ in nil })
        let sent = owed.next(queuedBytes: 0, event: { _ in nil })
        #expect(held == nil && sent == .control([]) && owed.isEmpty)
        let later = owed.answers(at: Self.start + .seconds(6))
        #expect(later)
    }
}

extension EventID {
    /// One of a number, below 256.
    fileprivate init(number: Int) {
        self.init(raw: Bytes32([UInt8](repeating: UInt8(number), count: Bytes32.count)) ?? .zero)
    }
}
