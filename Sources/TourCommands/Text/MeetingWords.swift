import TourModel
import TourNode
import TourWeb

/// The meeting point as people read it.
package struct MeetingWords {
    private let meeting: JSON

    /// - Parameter meeting: `Meeting` of the local API.
    package init(_ meeting: JSON) { self.meeting = meeting }

    /// Foreign text among them: for `TerminalText.safe`.
    package var lines: [String] {
        var lines = ["\(meeting.shown("text")) — \(place), by \(meeting.shown("by"))"]
        if meeting["expired"]?.flag == true {
            lines.append("Expired.")
        } else if let left = meeting["secondsLeft"]?.integer {
            let time = Timestamp(meeting.shown("meetAt"))?.clockTime ?? ""
            let words = DurationArgument.shown(seconds: abs(left))
            lines.append(left >= 0 ? "At \(time), in \(words)." : "At \(time), \(words) ago.")
        }
        if let photo = meeting["photo"].flatMap(FileWords.init) {
            lines.append("Picture: \(photo.text) ('tour-chat open \(meeting.shown("id").prefix(8))' shows it)")
        }
        for answer in meeting["answers"]?.list ?? [] { lines.append("  \(answer.shown("name")): \(words(answer))") }
        let unanswered = meeting["unanswered"]?.list?.compactMap(\.text) ?? []
        if !unanswered.isEmpty { lines.append("  No answer: " + unanswered.joined(separator: ", ")) }
        return lines
    }

    private var place: String {
        let place = "\(meeting.shown("latitude")),\(meeting.shown("longitude"))"
        return meeting["label"]?.text.map { "\($0) (\(place))" } ?? place
    }

    private func words(_ answer: JSON) -> String {
        switch answer.shown("answer") {
        case "on-my-way": "on the way"
        case "late": answer["minutes"]?.integer.map { "\($0) min late" } ?? "late"
        default: answer.shown("answer")
        }
    }
}
