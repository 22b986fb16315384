import TourAPI
import TourWords

/// Messages one below the other for people: days, times, ids to use in commands.
package struct MessageList {
    private let isColored: Bool
    private let language: Language
    private var day: Phrase?
    /// The last state shown of each message, bounded; shown again, a message prints only its changes.
    private var shown: [String: Message] = [:]
    private static let shownMax = 10_000

    package init(isColored: Bool, in language: Language = .ofUser) {
        self.isColored = isColored
        self.language = language
    }

    /// Whether no message was added yet.
    package var isEmpty: Bool { day == nil }

    /// The lines that this message adds; none when nothing visible has changed.
    package mutating func add(_ message: Message) -> [String] {
        if shown.count >= Self.shownMax { shown.removeAll() }
        let before = shown.updateValue(message, forKey: message.id)
        if let before, before.body == message.body {
            let isHere = before.file?.complete == false && message.file?.complete == true
            let mark = before.mark == message.mark ? .empty : message.mark
            let news = [
                mark.isEmpty ? nil : Phrase(verbatim: "\(message.shortID) ") + mark,
                isHere ? Phrase("\(message.shortID) is here") : nil,
            ]
            return news.compactMap(\.self).map { styled("      " + $0.said(in: language), .dim) }
        }
        var lines = [String]()
        let day = message.sentTime?.day ?? .empty
        if day != self.day {
            lines.append(styled("── \(day.said(in: language)) ──", .dim))
            self.day = day
        }
        let unread = message.unread ? styled("*", .yellow) : " "
        let head = "\(message.sentTime?.clockTime ?? "--:--")\(unread)\(styled(message.shortID, .dim)) "
        let author = styled(message.author, .bold)
        let body = message.body.said(in: language).split(separator: "\n", omittingEmptySubsequences: false)
        let tail = message.mark.isEmpty ? "" : " " + styled(message.mark.said(in: language), .dim)
        for (index, line) in body.enumerated() {
            let mark = index == body.count - 1 ? tail : ""

            let start = index == 0 ? "\(head)\(author): " : "               "
            lines.append(start + styled(String(line), message.style) + mark)
        }
        return lines
    }

    private func styled(_ text: String, _ style: Style) -> String { isColored ? style.around(text) : text }
}
