import Testing
import TourAPI
import TourModel
import TourNode
import TourRuntime
import TourWire

/// Goal: what rolls and alarms come to does not depend on the order in which events arrive, or how often.
/// Method: `roll-state.json` and `alarm-state.json`, each case in many orders, against what a node keeps of them.
enum MeaningVectors {
    /// Members by the names that a case gives them.
    struct Members {
        private(set) var all: [(id: MemberID, admittedAt: LogicalClock, isMember: Bool)] = []
        private var ids: [String: MemberID] = [:]
        private var names: [MemberID: String] = [:]

        init(_ vector: VectorCase) throws {
            for member in try vector.cases("members") {
                let id: MemberID = try member.id("id")
                all.append((id, LogicalClock(value: try member.word("admitted")), try member.flag("isMember")))
                ids[try member.text("name")] = id
                names[id] = try member.text("name")
            }
        }

        func id(_ name: String) throws -> MemberID { try #require(ids[name], "\(name)") }
        func prefixes(_ names: [String]) throws -> [UInt64] { try names.map { try id($0).prefix } }
        func name(_ id: MemberID) throws -> String { try #require(names[id]) }
        func isMember(_ id: MemberID) -> Bool { all.contains { $0.id == id && $0.isMember } }
    }

    /// Some orders of a case's events, the same ones every time, and all of them twice.
    static func orders<Element>(_ elements: [Element]) -> [[Element]] {
        var generator = SplitMix64(seed: 1)
        let shuffled = (0..<50).map { _ in elements.shuffled(using: &generator) }
        return [elements, elements.reversed(), elements + elements.reversed()] + (elements.count > 1 ? shuffled : [])
    }

    private static func clocks(_ vector: VectorCase) throws -> [Int64] {
        try vector.numbers("clocks").map { try #require(Int64(exactly: $0)) }
    }

    // MARK: - Rolls

    static func roll(_ vector: VectorCase) throws -> String? {
        let members = try Members(vector)
        let events = try vector.cases("events")
        for order in orders(events) {
            let state = try rolls(order, members)
            let rolls = state.rolls
            let expected = try vector.cases("rolls")
            #expect(rolls.count == expected.count, "\(vector.name)")
            for (roll, fields) in zip(rolls, expected) { try check(roll, fields, state, members, vector) }
        }
        return nil
    }

    /// Withdrawals are kept as a node keeps them: a call that comes behind its own is not recorded.
    private static func rolls(_ events: [VectorCase], _ members: Members) throws -> RollCallState {
        var state = RollCallState()
        var withdrawn: Set<[String]> = []
        for event in events {
            let author = try members.id(event.text("author"))
            let place = RollCallState.Place(clock: LogicalClock(value: try event.word("clock")), id: try event.id("id"))
            switch try event.text("says") {
            case "RollCall":
                guard try !withdrawn.contains([event.text("id"), event.text("author")]) else { continue }
                let call = RollCall(text: "", seconds: try event.count("seconds"))
                state.record(call, at: place, by: author)
            case "RollAnswer":
                let said = try #require(RollAnswer.State(rawValue: UInt32(event.number("state"))))
                let answer = RollAnswer(
                    call: try event.id("call"), state: said, members: try members.prefixes(event.texts("members")))
                state.record(answer, at: place, by: author, leads: try event.flag("leads"))
            case "RollEnd":
                let missing = try members.prefixes(event.texts("missing"))
                state.record(RollEnd(call: try event.id("call"), missing: missing), at: place, by: author)
            case "Buddies":
                let groups = try event.list("groups").map { group -> [UInt64] in
                    try members.prefixes(VectorCase(fields: ["names": group]).texts("names"))
                }
                state.record(Buddies(groups: groups), at: place)
            case "Withdrawal":
                withdrawn.insert([try event.text("event"), try event.text("author")])
                state.withdraw(try event.id("event"), by: author)
            default: throw VectorCase.Missing(field: "an event of roll calls")
            }
        }
        return state
    }

    private static func check(
        _ roll: RollCallState.Roll, _ fields: VectorCase, _ state: RollCallState, _ members: Members,
        _ vector: VectorCase
    ) throws {
        #expect(try roll.calls.map(\.place.id.hex) == fields.texts("calls"), "\(vector.name)")
        #expect(try roll.end?.place.id.hex == (fields.has("end") ? fields.text("end") : nil), "\(vector.name)")
        let isOpen = try roll.end == nil && roll.first.place.clock.isRecent(by: clocks(vector))
        #expect(try isOpen == fields.flag("stands"), "\(vector.name)")
        let people = members.all.map {
            RollCallState.Person(id: $0.id, admittedAt: $0.admittedAt, isActive: $0.isMember)
        }
        let lost = Set(try vector.texts("lost").map { try members.id($0) })
        let standings = state.standings(in: roll, of: people, isOpen: isOpen, lost: lost)
        let shown = try standings.map { (try members.name($0.member), $0.state.rawValue) }
        let expected = try fields.cases("members").map { (try $0.text("name"), try $0.text("state")) }
        #expect(
            Dictionary(uniqueKeysWithValues: shown) == Dictionary(uniqueKeysWithValues: expected), "\(vector.name)")
    }

    // MARK: - Alarms

    static func alarm(_ vector: VectorCase) throws -> String? {
        let members = try Members(vector)
        let clocks = try clocks(vector)
        let expected = try vector.cases("alarms")
        for order in orders(try vector.cases("events")) {
            let state = try alarms(order, members)
            #expect(state.all.count == expected.count, "\(vector.name)")
            for shown in expected {
                let author = try members.id(shown.text("author"))
                let entry = try #require(state.latest(of: author), "\(vector.name)")
                #expect(try entry.id.hex == shown.text("alarm"), "\(vector.name)")
                let stands = entry.stands(
                    isMember: members.isMember(author), isRecent: entry.header.clock.isRecent(by: clocks))
                #expect(try stands == shown.flag("stands"), "\(vector.name)")
                let answers = try entry.answers.map { (try members.name($0.key), UInt64($0.value.word.rawValue)) }
                let wanted = try shown.cases("answers").map { (try $0.text("author"), try $0.number("answer")) }
                #expect(
                    Dictionary(uniqueKeysWithValues: answers) == Dictionary(uniqueKeysWithValues: wanted),
                    "\(vector.name)")
            }
        }
        return nil
    }

    private static func alarms(_ events: [VectorCase], _ members: Members) throws -> AlarmState {
        var state = AlarmState()
        var withdrawn: Set<[String]> = []
        for event in events {
            let author = try members.id(event.text("author"))
            let clock = LogicalClock(value: try event.word("clock"))
            switch try event.text("says") {
            case "Alarm":
                let header = EventHeader(
                    eventClass: .announcement, tour: .none, author: author, sequence: try event.number("sequence"),
                    previous: .none, clock: clock, epoch: .none)
                state.record(Alarm(text: try event.text("text")), header, try event.id("id"))
                if try withdrawn.contains([event.text("id"), event.text("author")]) {
                    state.withdraw(try event.id("id"), by: author)
                }
            case "AlarmAnswer":
                let word = try #require(AlarmAnswer.Word(rawValue: UInt32(event.number("answer"))))
                state.record(
                    AlarmState.Answer(word: word, clock: clock, sequence: try event.number("sequence")),
                    to: try event.id("alarm"), by: author, leads: try event.flag("leads"))
            case "Withdrawal":
                withdrawn.insert([try event.text("event"), try event.text("author")])
                state.withdraw(try event.id("event"), by: author)
            default: throw VectorCase.Missing(field: "an event of alarms")
            }
        }
        return state
    }
}
