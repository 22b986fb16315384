import TourAPI
import TourModel
import TourWords

/// An alarm, as people read it.
package struct AlarmWords {
    private let alarm: AlarmView

    package init(_ alarm: AlarmView) { self.alarm = alarm }

    /// Whether nobody has ended it yet.
    package var isOpen: Bool { alarm.open }
    /// Whether this node's member is the lost one.
    package var isMine: Bool { alarm.mine }
    /// Whether this node's member should answer another member's alarm.
    package var isToBeAnswered: Bool {
        isOpen && alarm.leads && alarm.answered == nil
    }

    /// The lost member's name, safe for a terminal.
    package var name: String { TerminalText.safe(alarm.name) }

    /// One line: who, their words, and since when.
    package var head: Phrase {
        let time = Timestamp(alarm.at)?.clockTime ?? ""
        let text = TerminalText.safe(alarm.text)
        return text.isEmpty ? Phrase("\(name) is lost (\(time))") : Phrase("\(name) is lost (\(time)): \(text)")
    }

    /// Safe for a terminal.
    package var lines: [Phrase] {
        guard isOpen else { return [Phrase("\(head): over")] }
        var lines = [head]
        if alarm.guidesOnly { lines.append(Phrase("Only the guides see it.").indented) }
        if let host = alarm.by?.name {
            lines.append(Phrase("A guest, by \(TerminalText.safe(host))").indented)
        }
        if let place { lines.append(place.indented) }
        let near = alarm.near.map { TerminalText.safe($0) }
        if !near.isEmpty { lines.append(Phrase("Near: \(near.joined(separator: ", "))").indented) }
        if let percent = alarm.batteryPercent { lines.append(Phrase("Battery: \(percent) %").indented) }
        return lines + answers.map(\.indented)
    }

    /// How far one's own alarm has come: nothing but what is known.
    package var progress: Phrase {
        let (guides, reached) = (alarm.guides, alarm.guidesReached)
        let answers = answers
        if guides == 0, answers.isEmpty { return Phrase("There is no guide in this tour but you.") }
        let has = Phrase(
            guides, one: "\(reached) of \(guides) guide has it.", other: "\(reached) of \(guides) guides have it.")
        return answers.isEmpty
            ? Phrase("\(has) None has answered yet.") : Phrase([has] + answers, separator: "\n")
    }

    private var answers: [Phrase] {
        alarm.answers.map { answer in
            let name = TerminalText.safe(answer.name)
            return switch answer.answer {
            case "seen": Phrase("\(name) has seen it.")
            case "on-my-way": Phrase("\(name) is on the way.")
            case "wait": Phrase("\(name): wait where you are.")
            case "found": Phrase("\(name): found.")
            default: Phrase(verbatim: "\(name): \(TerminalText.safe(answer.answer))")
            }
        }
    }

    private var place: Phrase? {
        guard let location = alarm.location, let place = location.place?.description else { return nil }
        let time = location.fixedAt.flatMap { Timestamp($0) }?.clockTime
        return time.map { Phrase("Last place: \(place) at \($0)") } ?? Phrase("Last place: \(place)")
    }
}
