import TourJSON
import TourModel
import TourWeb
import TourWords

/// An alarm, as people read it.
package struct AlarmWords {
    private let alarm: JSON

    /// - Parameter alarm: `Alarm` of the local API.
    package init(_ alarm: JSON) { self.alarm = alarm }

    /// Whether nobody has ended it yet.
    package var isOpen: Bool { alarm["open"]?.flag == true }
    /// Whether this node's member is the lost one.
    package var isMine: Bool { alarm["mine"]?.flag == true }
    /// Whether this node's member should answer another member's alarm.
    package var isToBeAnswered: Bool {
        isOpen && alarm["leads"]?.flag == true && alarm["answered"]?.text == nil
    }

    /// The lost member's name, safe for a terminal.
    package var name: String { safe(alarm, "name") }

    /// One line: who, their words, and since when.
    package var head: Phrase {
        let time = Timestamp(alarm.shown("at"))?.clockTime ?? ""
        let text = safe(alarm, "text")
        return text.isEmpty ? Phrase("\(name) is lost (\(time))") : Phrase("\(name) is lost (\(time)): \(text)")
    }

    /// Safe for a terminal.
    package var lines: [Phrase] {
        guard isOpen else { return [Phrase("\(head): over")] }
        var lines = [head]
        if let host = alarm["by"]?["name"]?.text {
            lines.append(Phrase("A guest, by \(TerminalText.safe(host))").indented)
        }
        if let place { lines.append(place.indented) }
        let near = alarm["near"]?.list?.compactMap(\.text).map { TerminalText.safe($0) } ?? []
        if !near.isEmpty { lines.append(Phrase("Near: \(near.joined(separator: ", "))").indented) }
        if let percent = alarm["batteryPercent"]?.integer { lines.append(Phrase("Battery: \(percent) %").indented) }
        return lines + answers.map(\.indented)
    }

    /// How far one's own alarm has come: nothing but what is known.
    package var progress: Phrase {
        let (guides, reached) = (alarm["guides"]?.integer ?? 0, alarm["guidesReached"]?.integer ?? 0)
        let answers = answers
        if guides == 0, answers.isEmpty { return Phrase("There is no guide in this tour but you.") }
        let has = Phrase("\(reached) of \(guides) guides have it.")
        return answers.isEmpty
            ? Phrase("\(has) None has answered yet.") : Phrase([has] + answers, separator: "\n")
    }

    private var answers: [Phrase] {
        (alarm["answers"]?.list ?? []).map { answer in
            let name = safe(answer, "name")
            return switch answer.shown("answer") {
            case "seen": Phrase("\(name) has seen it.")
            case "on-my-way": Phrase("\(name) is on the way.")
            case "wait": Phrase("\(name): wait where you are.")
            case "found": Phrase("\(name): found.")
            default: Phrase(verbatim: "\(name): \(safe(answer, "answer"))")
            }
        }
    }

    private var place: Phrase? {
        guard let location = alarm["location"], location != .null else { return nil }
        let place = "\(safe(location, "latitude")),\(safe(location, "longitude"))"
        let time = Timestamp(location.shown("fixedAt"))?.clockTime
        return time.map { Phrase("Last place: \(place) at \($0)") } ?? Phrase("Last place: \(place)")
    }

    private func safe(_ object: JSON, _ member: String) -> String { TerminalText.safe(object.shown(member)) }
}
