import TourModel
import TourWire

/// Roll calls, and the answers to them. The outcome does not depend on the order in which events arrive, or how
/// often.
/// Source: `Protocol/05-events.md`, "Roll calls".
package struct RollCallState: Sendable {
    /// Where an event stands in the tour's order.
    package struct Place: Hashable, Comparable, Sendable {
        package var clock: LogicalClock
        package var id: EventID

        package init(clock: LogicalClock, id: EventID) {
            self.clock = clock
            self.id = id
        }

        package static func < (left: Place, right: Place) -> Bool {
            (left.clock, left.id) < (right.clock, right.id)
        }
    }

    /// One call, by one leader.
    package struct Call: Sendable {
        package let place: Place
        package let author: MemberID
        package let call: RollCall
    }

    /// A leader's event that ends a roll call.
    package struct End: Sendable {
        package let place: Place
        package let author: MemberID
        package let end: RollEnd
    }

    /// Calls that stood at the same time, for example of two guides: an answer to one of them answers all.
    package struct Roll: Sendable {
        /// In the tour's order; at least one.
        package fileprivate(set) var calls: [Call]
        /// The first event that ended it; nil: none yet.
        package fileprivate(set) var end: End?

        /// The call that began the roll.
        package var first: Call { calls[0] }

        /// When the time for answers is over, in milliseconds since 1970 by the callers' clocks.
        package var until: Int64 {
            calls.map { $0.place.clock.milliseconds + Int64($0.call.seconds) * 1_000 }.max() ?? 0
        }
    }

    /// The last word about one member, in time or after the end.
    package struct Said: Sendable {
        /// Where that stands in the tour's order.
        package let place: Place
        /// The member who said so.
        package let author: MemberID
        /// Whether the member is there.
        package let isHere: Bool
        /// The author leads and said it about another member: it saw the member itself.
        package let isSeen: Bool
    }

    private struct Answer: Sendable {
        let place: Place
        let answer: RollAnswer
        let leads: Bool
    }

    private struct Assignment: Sendable {
        let place: Place
        let buddies: Buddies
    }

    /// Leaders may give more answers: one for each member whom they see.
    private static let answersOfLeaderMax = 1_024
    private static let callsMax = 256
    private static let endsMax = 512
    private static let assignmentsMax = 32

    private var calls: [Call] = []
    private var ends: [End] = []
    private var answers: [MemberID: [Answer]] = [:]
    private var assignments: [Assignment] = []

    package init() {}

    // MARK: - Recording

    /// Records a call.
    package mutating func record(_ call: RollCall, at place: Place, by author: MemberID) {
        Self.insert(Call(place: place, author: author, call: call), into: &calls, max: Self.callsMax, by: \.place)
    }

    /// Records the end of a roll call.
    package mutating func record(_ end: RollEnd, at place: Place, by author: MemberID) {
        Self.insert(End(place: place, author: author, end: end), into: &ends, max: Self.endsMax, by: \.place)
    }

    /// Records an answer.
    /// - Parameter leads: whether the author led at the place where it wrote this.
    package mutating func record(_ answer: RollAnswer, at place: Place, by author: MemberID, leads: Bool) {
        Self.insert(
            Answer(place: place, answer: answer, leads: leads), into: &answers[author, default: []],
            max: leads ? Self.answersOfLeaderMax : Limits.rollAnswersOfMemberMax, by: \.place)
    }

    /// Records an assignment of buddies; the newest counts.
    package mutating func record(_ buddies: Buddies, at place: Place) {
        let assignment = Assignment(place: place, buddies: buddies)
        Self.insert(assignment, into: &assignments, max: Self.assignmentsMax, by: \.place)
    }

    /// The author withdrew its call, which then never counted.
    package mutating func withdraw(_ id: EventID, by author: MemberID) {
        calls.removeAll { $0.place.id == id && $0.author == author }
    }

    /// Keeps the newest items in order, each once.
    private static func insert<Item>(_ item: Item, into items: inout [Item], max: Int, by place: (Item) -> Place) {
        let new = place(item)
        let index = items.lastIndex { place($0) < new }.map { $0 + 1 } ?? 0
        if index < items.count, place(items[index]) == new { return }
        items.insert(item, at: index)
        if items.count > max { items.removeFirst() }
    }

    // MARK: - Deriving

    /// Every roll call that is held, the oldest first.
    package var rolls: [Roll] {
        var rolls: [Roll] = []
        var ending = ends[...]
        for call in calls {
            Self.close(&rolls, &ending, before: call.place)
            let isOpen = rolls.last.map {
                $0.end == nil
                    && call.place.clock.milliseconds - $0.first.place.clock.milliseconds
                        < Limits.rollLifetimeMilliseconds
            }
            if isOpen == true {
                rolls[rolls.count - 1].calls.append(call)
            } else {
                rolls.append(Roll(calls: [call]))
            }
        }
        Self.close(&rolls, &ending, before: nil)
        return rolls
    }

    /// The first end after the calls counts.
    private static func close(_ rolls: inout [Roll], _ ends: inout ArraySlice<End>, before place: Place?) {
        while let end = ends.first, place.map({ end.place < $0 }) ?? true {
            ends.removeFirst()
            guard let roll = rolls.last, roll.end == nil,
                roll.calls.contains(where: { $0.place.id == end.end.call })
            else { continue }
            rolls[rolls.count - 1].end = end
        }
    }

    /// The word about each member in a roll call, by the first eight bytes of the member's id: the last one before the
    /// end, or the last one after it.
    package func said(in roll: Roll, afterTheEnd isLate: Bool = false) -> [UInt64: Said] {
        let ids = Set(roll.calls.map(\.place.id))
        var said: [UInt64: Said] = [:]
        func apply(_ one: Said, of member: UInt64) {
            guard (roll.end.map { $0.place < one.place } ?? false) == isLate else { return }
            if let known = said[member], one.place < known.place { return }
            said[member] = one
        }
        for call in roll.calls {
            apply(Said(place: call.place, author: call.author, isHere: true, isSeen: false), of: call.author.prefix)
        }
        for (author, answers) in answers {
            for answer in answers where ids.contains(answer.answer.call) {
                let isHere = answer.answer.state == .here
                if answer.answer.members.isEmpty || answer.answer.members.contains(author.prefix) {
                    apply(Said(place: answer.place, author: author, isHere: isHere, isSeen: false), of: author.prefix)
                }
                // Answers that are dated ahead would have the last word about others for good.
                let age = answer.place.clock.milliseconds - roll.first.place.clock.milliseconds
                guard age < Limits.rollLifetimeMilliseconds else { continue }
                let buddies = answer.leads ? [] : group(of: author.prefix, at: answer.place)
                for member in answer.answer.members where member != author.prefix {
                    guard answer.leads || buddies.contains(member) else { continue }
                    apply(Said(place: answer.place, author: author, isHere: isHere, isSeen: answer.leads), of: member)
                }
            }
        }
        return said
    }

    /// The groups of buddies that count now.
    package var buddies: [[UInt64]] { assignments.last?.buddies.groups ?? [] }

    private func group(of member: UInt64, at place: Place) -> [UInt64] {
        guard let assignment = assignments.last(where: { $0.place < place }) else { return [] }
        return assignment.buddies.groups.first { $0.contains(member) } ?? []
    }
}
