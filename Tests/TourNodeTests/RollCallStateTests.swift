import Testing
import TourModel
import TourNode
import TourRuntime
import TourWire

// Goal: who is here is the same in whatever order events come, and only those say it of others who may. Method: calls,
// answers, ends and buddies of a few members in every order.
@Suite struct RollCallStateTests {
    private enum Said {
        case call(Character, by: Character, at: UInt64)
        case answer(
            RollAnswer.State, to: Character, by: Character, of: [Character] = [], leads: Bool = false, at: UInt64)
        case end(Character, at: UInt64)
        case buddies([[Character]], at: UInt64)
    }

    private static func member(_ digit: Character) -> MemberID {
        MemberID(hex: String(repeating: digit, count: 64)) ?? MemberID(raw: .zero)
    }

    private static func event(_ digit: Character) -> EventID {
        EventID(hex: String(repeating: digit, count: 64)) ?? .none
    }

    private static func place(_ milliseconds: UInt64, _ id: EventID = .none) -> RollCallState.Place {
        RollCallState.Place(clock: LogicalClock(milliseconds: Int64(milliseconds)), id: id)
    }

    private static func book(_ said: [Said]) -> RollCallState {
        var book = RollCallState()
        for one in said {
            switch one {
            case .call(let id, let author, let time):
                book.record(
                    RollCall(text: "", seconds: 60), at: place(time, event(id)), by: member(author))
            case .answer(let state, let id, let author, let members, let leads, let time):
                let answer = RollAnswer(
                    call: event(id), state: state, members: members.map { member($0).prefix })
                book.record(answer, at: place(time), by: member(author), leads: leads)
            case .end(let id, let time):
                book.record(RollEnd(call: event(id), missing: []), at: place(time), by: member("a"))
            case .buddies(let groups, let time):
                book.record(Buddies(groups: groups.map { $0.map { member($0).prefix } }), at: place(time))
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

    /// The first digits of those who are here.
    private static func here(_ book: RollCallState, _ roll: RollCallState.Roll, late: Bool = false) -> Set<Character> {
        let said = book.said(in: roll, afterTheEnd: late)
        return Set("abcdef".filter { said[member($0).prefix]?.isHere == true })
    }

    @Test func twoGuidesWhoCallAtOnceHaveOneRoll() throws {
        let said: [Said] = [
            .call("1", by: "a", at: 100), .call("2", by: "b", at: 101), .answer(.here, to: "1", by: "c", at: 110),
            .answer(.here, to: "2", by: "d", at: 111), .end("2", at: 120), .call("3", by: "b", at: 130),
        ]
        for order in Self.orders(said) {
            let book = Self.book(order + order)
            #expect(book.rolls.count == 2)
            let first = try #require(book.rolls.first)
            #expect(first.calls.count == 2 && first.end != nil && Self.here(book, first) == ["a", "b", "c", "d"])
            let second = try #require(book.rolls.last)
            #expect(second.end == nil && Self.here(book, second) == ["b"])
        }
    }

    @Test func theLastAnswerBeforeTheEndCounts() throws {
        let said: [Said] = [
            .call("1", by: "a", at: 100), .answer(.here, to: "1", by: "c", at: 110),
            .answer(.notHere, to: "1", by: "a", of: ["c"], leads: true, at: 115), .end("1", at: 120),
            .answer(.here, to: "1", by: "c", at: 125), .answer(.here, to: "1", by: "d", at: 126),
        ]
        for order in Self.orders(said) {
            let book = Self.book(order)
            let roll = try #require(book.rolls.last)
            #expect(Self.here(book, roll) == ["a"] && Self.here(book, roll, late: true) == ["c", "d"])
        }
    }

    @Test func nobodySpeaksForOthersButLeadersAndBuddies() throws {
        let said: [Said] = [
            .buddies([["c", "d"]], at: 50), .call("1", by: "a", at: 100),
            .answer(.here, to: "1", by: "c", of: ["d"], at: 110), .answer(.here, to: "1", by: "c", of: ["e"], at: 111),
            .answer(.here, to: "1", by: "b", of: ["f"], leads: true, at: 112),
            .buddies([["c", "e"]], at: 113),
        ]
        for order in Self.orders(said) {
            let book = Self.book(order)
            let roll = try #require(book.rolls.last)
            #expect(Self.here(book, roll) == ["a", "d", "f"])
            #expect(book.said(in: roll)[Self.member("f").prefix]?.isSeen == true)
            #expect(book.said(in: roll)[Self.member("d").prefix]?.isSeen == false)
        }
    }

    @Test func whatIsDatedAheadHasNotTheLastWordOnOthers() throws {
        let year: UInt64 = 365 * 86_400_000
        let book = Self.book([
            .buddies([["c", "d"]], at: 50), .call("1", by: "a", at: 100),
            .answer(.notHere, to: "1", by: "d", of: ["c"], at: year), .answer(.here, to: "1", by: "c", at: 110),
            .answer(.here, to: "1", by: "d", at: year + 1),
        ])
        let roll = try #require(book.rolls.last)
        #expect(Self.here(book, roll) == ["a", "c", "d"])
    }

    @Test func aCallOfAnotherDayAndAWithdrawnOneAreOthers() {
        let day = UInt64(Limits.rollLifetimeMilliseconds)
        var book = Self.book([.call("1", by: "a", at: 100), .call("2", by: "a", at: 100 + day)])
        #expect(book.rolls.count == 2)
        book.withdraw(Self.event("2"), by: Self.member("b"))
        #expect(book.rolls.count == 2)
        book.withdraw(Self.event("2"), by: Self.member("a"))
        #expect(book.rolls.count == 1)
    }

    @Test func anEndOfSomethingElseEndsNothing() {
        let book = Self.book([.end("2", at: 90), .call("1", by: "a", at: 100), .end("9", at: 110), .end("1", at: 99)])
        #expect(book.rolls.count == 1 && book.rolls.last?.end == nil)
    }

    @Test func whatOneMemberSaysHasABound() throws {
        var said: [Said] = [.call("1", by: "a", at: 1_000_000), .answer(.here, to: "1", by: "c", at: 1_000_001)]
        said += (0..<UInt64(Limits.rollAnswersOfMemberMax) + 10).map { .answer(.here, to: "9", by: "c", at: $0) }
        said += (0..<300).map { .call(Character("\($0 % 8)"), by: "a", at: 10 + $0) }
        let book = Self.book(said)
        let roll = try #require(book.rolls.last)
        #expect(Self.here(book, roll).contains("c"))
        #expect(book.rolls.flatMap(\.calls).count <= 256)
    }
}
