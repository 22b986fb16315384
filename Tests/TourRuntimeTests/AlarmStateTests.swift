import Testing
import TourModel
import TourRuntime
import TourWire

// Goal: who is lost, and what was said about it, is the same in whatever order events come, and only those end an alarm
// who may. Method: alarms and answers of a few members in every order.
@Suite struct AlarmStateTests {
    private enum Said {
        case alarm(String, clock: UInt64, id: Character)
        case answer(AlarmAnswer.Word, to: Character, by: Character, leads: Bool, clock: UInt64)
    }

    private static func member(_ digit: Character) -> MemberID {
        MemberID(hex: String(repeating: digit, count: 64)) ?? MemberID(raw: .zero)
    }

    private static func event(_ digit: Character) -> EventID {
        EventID(hex: String(repeating: digit, count: 64)) ?? .none
    }

    private static let ben = member("b")

    private static func book(_ said: [Said]) -> AlarmState {
        var book = AlarmState()
        for one in said {
            switch one {
            case .alarm(let text, let clock, let id):
                let header = EventHeader(
                    eventClass: .announcement, tour: .none, author: ben, sequence: clock, previous: .none,
                    clock: LogicalClock(value: clock), epoch: .none)
                book.record(Alarm(text: text), header, event(id))
            case .answer(let word, let id, let author, let leads, let clock):
                let answer = AlarmState.Answer(word: word, clock: LogicalClock(value: clock), sequence: clock)
                book.record(answer, to: event(id), by: member(author), leads: leads)
            }
        }
        return book
    }

    /// Every order of some things.
    private static func orders<Thing>(_ things: [Thing]) -> [[Thing]] {
        guard things.count > 1 else { return [things] }
        return things.indices.flatMap { index -> [[Thing]] in
            var others = things
            let first = others.remove(at: index)
            return orders(others).map { [first] + $0 }
        }
    }

    @Test func theOutcomeIsTheSameInEveryOrder() throws {
        let said: [Said] = [
            .alarm("Where are you?", clock: 1, id: "1"), .alarm("By the gate", clock: 5, id: "2"),
            .answer(.seen, to: "2", by: "a", leads: true, clock: 6),
            .answer(.coming, to: "2", by: "a", leads: true, clock: 7),
            .answer(.wait, to: "1", by: "c", leads: true, clock: 2),
        ]
        for order in Self.orders(said) {
            let entry = try #require(Self.book(order).latest(of: Self.ben))
            #expect(entry.alarm.text == "By the gate" && entry.endedBy == nil)
            #expect(entry.answers.mapValues(\.word) == [Self.member("a"): .coming])
        }
    }

    @Test func onlyTheLostMemberAndWhoLeadsAnswer() throws {
        let alarm = Said.alarm("", clock: 1, id: "1")
        func ended(_ answer: Said) throws -> MemberID? {
            try #require(Self.book([alarm, answer]).latest(of: Self.ben)).endedBy
        }
        #expect(try ended(.answer(.found, to: "1", by: "d", leads: false, clock: 2)) == nil, "nobody in particular")
        #expect(try ended(.answer(.found, to: "1", by: "b", leads: false, clock: 2)) == Self.ben)
        #expect(try ended(.answer(.found, to: "1", by: "a", leads: true, clock: 2)) == Self.member("a"))
        #expect(try ended(.answer(.seen, to: "1", by: "b", leads: true, clock: 2)) == nil)
        var book = Self.book([alarm])
        book.withdraw(Self.event("1"), by: Self.member("a"))
        #expect(book.latest(of: Self.ben)?.endedBy == nil)
        book.withdraw(Self.event("1"), by: Self.ben)
        #expect(book.latest(of: Self.ben)?.endedBy == Self.ben)
    }

    @Test func aNewAlarmStandsThoughAnEarlierOneWasEnded() throws {
        let book = Self.book([
            .alarm("", clock: 1, id: "1"), .answer(.found, to: "1", by: "a", leads: true, clock: 2),
            .alarm("again", clock: 3, id: "2"),
        ])
        #expect(try #require(book.latest(of: Self.ben)).endedBy == nil && book.all.count == 1)
    }

    @Test func answersToNothingAreBounded() {
        var book = AlarmState()
        for number in 0..<2_000 {
            let id = EventID(
                raw: Bytes32([UInt8](repeating: 0, count: 30) + [UInt8(number >> 8), UInt8(number & 255)]) ?? .zero)
            book.record(AlarmState.Answer(word: .seen, clock: .zero, sequence: 1), to: id, by: Self.ben, leads: true)
        }
        #expect(book.earlyCount == 256)
    }
}
