import TourModel
import TourWire

/// Alarms of lost members, and the answers to them: of each member the latest alarm, and of every other member its
/// latest answer to that alarm, in the tour's order. The outcome does not depend on the order of arrival.
/// Source: `Protocol/05-events.md`, "Alarms".
package struct AlarmState: Sendable {
    /// One member's answer to an alarm.
    package struct Answer: Hashable, Sendable {
        package var word: AlarmAnswer.Word
        /// Where the answer stands in the tour's order.
        package var clock: LogicalClock
        /// Which of its author's answers with one clock is the later one.
        package var sequence: UInt64

        package init(word: AlarmAnswer.Word, clock: LogicalClock, sequence: UInt64) {
            self.word = word
            self.clock = clock
            self.sequence = sequence
        }
    }

    /// The latest alarm of one member.
    package struct Entry: Sendable {
        package let header: EventHeader
        package let id: EventID
        package let alarm: Alarm
        /// The latest answers, by author.
        package fileprivate(set) var answers: [MemberID: Answer] = [:]
        /// The member who ended the alarm.
        package fileprivate(set) var endedBy: MemberID?

        /// - Parameters:
        ///   - isMember: whether its author is still in the tour.
        ///   - isRecent: whether it is less than a day old.
        package func stands(isMember: Bool, isRecent: Bool) -> Bool { endedBy == nil && isMember && isRecent }
    }

    private var latest: [MemberID: Entry] = [:]
    /// Answers to alarms that have not arrived yet, or that are not their author's latest.
    private var early: [EventID: [(author: MemberID, leads: Bool, answer: Answer)]] = [:]
    private static let earlyMax = 256

    /// How many alarms have answers here but have not arrived themselves.
    package var earlyCount: Int { early.count }

    /// In the tour's order, the newest first.
    package var all: [Entry] { latest.values.sorted { ($0.header.clock, $0.id) > ($1.header.clock, $1.id) } }

    /// The member's latest alarm, unless it withdrew that.
    package func latest(of member: MemberID) -> Entry? { latest[member] }

    package init() {}

    /// - Returns: whether that is the author's latest now.
    @discardableResult
    package mutating func record(_ alarm: Alarm, _ header: EventHeader, _ id: EventID) -> Bool {
        if let known = latest[header.author], (known.header.clock, known.id) >= (header.clock, id) {
            return false
        }
        latest[header.author] = Entry(header: header, id: id, alarm: alarm)
        for (author, leads, answer) in early.removeValue(forKey: id) ?? [] {
            record(answer, to: id, by: author, leads: leads)
        }
        return true
    }

    /// - Parameter leads: whether the author led at the place where it wrote this.
    package mutating func record(_ answer: Answer, to id: EventID, by author: MemberID, leads: Bool) {
        guard let lost = latest.first(where: { $0.value.id == id })?.key, var entry = latest[lost] else {
            if early[id] != nil || early.count < Self.earlyMax, early[id]?.count ?? 0 < Self.earlyMax {
                early[id, default: []].append((author, leads, answer))
            }
            return
        }
        guard author == lost ? answer.word == .found : leads else { return }
        // For good, whatever its author answered later.
        if answer.word == .found { entry.endedBy = entry.endedBy ?? author }
        let known = entry.answers[author]
        if known.map({ ($0.clock, $0.sequence) < (answer.clock, answer.sequence) }) ?? true {
            entry.answers[author] = answer
        }
        latest[lost] = entry
    }

    /// The author withdrew its alarm.
    package mutating func withdraw(_ id: EventID, by author: MemberID) {
        if latest[author]?.id == id { latest[author]?.endedBy = author }
    }
}
