import TourJSON
import TourModel
import TourNode
import TourWeb
import TourWords

/// The meeting point as people read it.
package struct MeetingWords {
    private let meeting: JSON

    /// - Parameter meeting: `Meeting` of the local API.
    package init(_ meeting: JSON) { self.meeting = meeting }

    /// Safe for a terminal.
    package var lines: [Phrase] {
        let (text, by) = (safe(meeting, "text"), safe(meeting, "by"))
        var lines = [place.map { Phrase("\(text) — \($0), by \(by)") } ?? Phrase("\(text), by \(by)")]
        if meeting["expired"]?.flag == true {
            lines.append(Phrase("Expired."))
        } else if let left = meeting["secondsLeft"]?.integer {
            let time = Timestamp(meeting.shown("meetAt"))?.clockTime ?? ""
            let words = DurationArgument.shown(seconds: abs(left))
            lines.append(left >= 0 ? Phrase("At \(time), in \(words).") : Phrase("At \(time), \(words) ago."))
        }
        if let photo = meeting["photo"].flatMap(FileWords.init) {
            let id = safe(meeting, "id").prefix(8)
            lines.append(Phrase("Picture: \(photo.words) ('tour-chat open \(id)' shows it)"))
        }
        for answer in meeting["answers"]?.list ?? [] {
            lines.append(Phrase("\(safe(answer, "name")): \(words(answer))").indented)
        }
        let unanswered = meeting["unanswered"]?.list?.compactMap(\.text).map { TerminalText.safe($0) } ?? []
        if !unanswered.isEmpty {
            lines.append(Phrase("No answer: \(Phrase(list: unanswered))").indented)
        }
        return lines
    }

    private func safe(_ object: JSON, _ member: String) -> String { TerminalText.safe(object.shown(member)) }

    /// Nil: the text says everything.
    private var place: String? {
        let label = meeting["label"]?.text.map { TerminalText.safe($0) }
        guard meeting["latitude"]?.real != nil else { return label }
        let place = "\(safe(meeting, "latitude")),\(safe(meeting, "longitude"))"
        return label.map { "\($0) (\(place))" } ?? place
    }

    private func words(_ answer: JSON) -> Phrase {
        switch answer.shown("answer") {
        case "on-my-way": Phrase("on the way")
        case "late": answer["minutes"]?.integer.map { Phrase("\($0) min late") } ?? Phrase("late")
        case "lost": Phrase("lost")
        default: Phrase(verbatim: safe(answer, "answer"))
        }
    }
}
