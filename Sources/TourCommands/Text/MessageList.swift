/// Messages one below the other for a person: days, times, ids to use in commands.
package struct MessageList {
    private let isColored: Bool
    private var day: String?
    /// What was shown of each message, bounded; a second coming shows only what changed.
    private var shown: [String: Message] = [:]
    private static let shownMax = 10_000

    package init(isColored: Bool) { self.isColored = isColored }

    package var isEmpty: Bool { day == nil }

    /// The lines that this message adds; none when nothing that is shown has changed.
    package mutating func add(_ message: Message) -> [String] {
        if shown.count >= Self.shownMax { shown.removeAll() }
        let before = shown.updateValue(message, forKey: message.id)
        if let before, before.body == message.body {
            let news = [
                before.mark == message.mark ? "" : message.mark,
                before.file?.isComplete == false && message.file?.isComplete == true ? "is here" : "",
            ]
            return news.filter { !$0.isEmpty }.map { styled("      \(message.shortID) \($0)", .dim) }
        }
        var lines = [String]()
        let day = message.sentAt?.day ?? ""
        if day != self.day {
            lines.append(styled("── \(day) ──", .dim))
            self.day = day
        }
        let unread = message.isUnread ? styled("*", .yellow) : " "
        let head = "\(message.sentAt?.clockTime ?? "--:--")\(unread)\(styled(message.shortID, .dim)) "
        let author = styled(message.author, .bold)
        let body = message.body.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in body.enumerated() {
            let isLast = index == body.count - 1
            let mark = isLast && !message.mark.isEmpty ? " " + styled(message.mark, .dim) : ""
            let start = index == 0 ? "\(head)\(author): " : "               "
            lines.append(start + styled(String(line), message.style) + mark)
        }
        return lines
    }

    private func styled(_ text: String, _ style: Style) -> String { isColored ? style.around(text) : text }
}
