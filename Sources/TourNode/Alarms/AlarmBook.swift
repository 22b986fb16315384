import TourModel
import TourWire

/// Who is lost, and what was said about it: of each member the latest alarm, and of each of the others its latest
/// answer to that, in the tour's order. Whatever order they come in, the outcome is the same.
/// Source: `Protocol/05-events.md`, "Alarms".
package struct AlarmBook: Sendable {
    package struct Answer: Hashable, Sendable {
        package var word: AlarmAnswer.Word
        package var clock: LogicalClock

        package init(word: AlarmAnswer.Word, clock: LogicalClock) {
            self.word = word
            self.clock = clock
        }
    }

    package struct Entry: Sendable {
        package let header: EventHeader
        package let id: EventID
        package let alarm: Alarm
        /// By whom.
        package fileprivate(set) var answers: [MemberID: Answer] = [:]
        /// Who said that the alarm is over.
        package fileprivate(set) var endedBy: MemberID?
    }

    private var latest: [MemberID: Entry] = [:]
    /// Answers to alarms that are not here, or not the latest: they may come.
    private var early: [EventID: [(author: MemberID, leads: Bool, answer: Answer)]] = [:]
    private static let earlyMax = 256

    /// Alarms that are answered and not here.
    package var earlyCount: Int { early.count }

    /// By the tour's order, the newest first.
    package var all: [Entry] { latest.values.sorted { ($0.header.clock, $0.id) > ($1.header.clock, $1.id) } }

    package func latest(of member: MemberID) -> Entry? { latest[member] }

    package init() {}

    /// - Returns: whether that is the author's latest now.
    @discardableResult
    package mutating func note(_ alarm: Alarm, _ header: EventHeader, _ id: EventID) -> Bool {
        if let known = latest[header.author], (known.header.clock, known.id) >= (header.clock, id) {
            return false
        }
        latest[header.author] = Entry(header: header, id: id, alarm: alarm)
        for (author, leads, answer) in early.removeValue(forKey: id) ?? [] {
            note(answer, to: id, by: author, leads: leads)
        }
        return true
    }

    /// - Parameter leads: whether the author led where it wrote this.
    package mutating func note(_ answer: Answer, to id: EventID, by author: MemberID, leads: Bool) {
        guard let lost = latest.first(where: { $0.value.id == id })?.key, var entry = latest[lost] else {
            if early[id] != nil || early.count < Self.earlyMax, early[id]?.count ?? 0 < Self.earlyMax {
                early[id, default: []].append((author, leads, answer))
            }
            return
        }
        guard author == lost ? answer.word == .found : leads else { return }
        if let known = entry.answers[author], known.clock > answer.clock { return }
        entry.answers[author] = answer
        if answer.word == .found { entry.endedBy = entry.endedBy ?? author }
        latest[lost] = entry
    }

    /// Its author took the alarm back.
    package mutating func withdraw(_ id: EventID, by author: MemberID) {
        if latest[author]?.id == id { latest[author]?.endedBy = author }
    }
}
