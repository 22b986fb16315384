import TourAPI
import TourWords

/// Says what is still open in a tour, as people read it before they end it.
package struct OpenMattersWords {
    private let matters: OpenMatters

    package init(_ matters: OpenMatters) { self.matters = matters }

    /// Safe for a terminal; none where nothing is open.
    package var lines: [Phrase] {
        var lines: [Phrase] = []
        if !matters.lost.isEmpty { lines.append(Phrase("Still lost: \(Self.list(matters.lost))")) }
        if !matters.unanswered.isEmpty {
            lines.append(Phrase("No answer to the roll call: \(Self.list(matters.unanswered))"))
        }
        for urgent in matters.urgent {
            let text = TerminalText.safe(urgent.text)
            lines.append(
                Phrase(
                    urgent.missing, one: "\(urgent.missing) has not understood: \(text)",
                    other: "\(urgent.missing) have not understood: \(text)"))
        }
        return lines
    }

    private static func list(_ names: [String]) -> Phrase { Phrase(list: names.map { TerminalText.safe($0) }) }
}
