import TourAPI
import TourModel
import TourWords

/// The meeting point as people read it.
package struct MeetingWords {
    private let meeting: MeetingView

    package init(_ meeting: MeetingView) { self.meeting = meeting }

    /// Safe for a terminal.
    package var lines: [Phrase] {
        let (text, by) = (TerminalText.safe(meeting.text), TerminalText.safe(meeting.by))
        var lines = [place.map { Phrase("\(text) — \($0), by \(by)") } ?? Phrase("\(text), by \(by)")]
        if meeting.expired {
            lines.append(Phrase("Expired."))
        } else if let left = meeting.secondsLeft {
            let time = meeting.meetAt.flatMap { Timestamp($0) }?.clockTime ?? ""
            let words = DurationArgument.shown(seconds: abs(left))
            lines.append(left >= 0 ? Phrase("At \(time), in \(words).") : Phrase("At \(time), \(words) ago."))
        }
        if let rival = meeting.insteadOf {
            let (name, text) = (TerminalText.safe(rival.name), TerminalText.safe(rival.text))
            lines.append(
                rival.mine
                    ? Phrase("It counts in place of yours: \(text)")
                    : Phrase("It counts in place of the one by \(name): \(text)"))
        }
        if let photo = meeting.photo {
            let id = meeting.id.prefix(8)
            lines.append(Phrase("Picture: \(photo.words) ('tour-chat open \(id)' shows it)"))
        }
        for answer in meeting.answers {
            lines.append(Phrase("\(TerminalText.safe(answer.name)): \(words(answer))").indented)
        }
        let unanswered = meeting.unanswered.map { TerminalText.safe($0) }
        if !unanswered.isEmpty {
            lines.append(Phrase("No answer: \(Phrase(list: unanswered))").indented)
        }
        return lines
    }

    /// Nil: the text says everything.
    private var place: String? {
        let label = meeting.label.map { TerminalText.safe($0) }
        guard let place = meeting.place?.description else { return label }
        return label.map { "\($0) (\(place))" } ?? place
    }

    private func words(_ answer: MeetingView.Answer) -> Phrase {
        switch answer.answer {
        case "on-my-way": Phrase("on the way")
        case "late": answer.minutes.map { Phrase("\(Int($0)) min late") } ?? Phrase("late")
        case "lost": Phrase("lost")
        default: Phrase(verbatim: TerminalText.safe(answer.answer))
        }
    }
}
