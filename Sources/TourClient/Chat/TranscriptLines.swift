import TourAPI
import TourWords

/// The messages of a chat and the notices between them, broken into rows.
struct TranscriptLines {
    private let state: ChatState
    private let columns: Int
    private let colored: Bool
    private let language: Language
    /// By id, for quotes in answers.
    private let messages: [String: Message]

    /// A narrower terminal has no room for numbers.
    private static let numberedColumnsMin = 40

    init(_ state: ChatState, columns: Int, colored: Bool, in language: Language) {
        self.state = state
        self.columns = columns
        self.colored = colored
        self.language = language
        messages = state.transcript.messages
    }

    /// One row.
    struct Line {
        var text: String
        /// The message that ends with this row.
        var endOf: String?
    }

    var all: [Line] {
        if state.transcript.entries.isEmpty, let words = Self.emptyWords(state.connection) {
            return DisplayWidth.wrapped(words.said(in: language), columns: columns)
                .map { Line(text: styled($0, .dim)) }
        }
        var lines = [Line]()
        var day: Phrase?
        for entry in state.transcript.entries {
            switch entry {
            case .notice(let texts):
                for line in texts.flatMap({ $0.split(separator: "\n", omittingEmptySubsequences: false) }) {
                    lines += broken(line).map { Line(text: styled($0, .dim)) }
                }
            case .message(let message):
                let messageDay = message.sentTime?.day ?? .empty
                if messageDay != day {
                    lines.append(Line(text: rule(messageDay, .dim)))
                    day = messageDay
                }
                if message.id == state.transcript.firstUnread {
                    lines.append(Line(text: rule(Phrase("new"), .yellow)))
                }
                lines += self.lines(of: message).map { Line(text: $0) }
                lines[lines.count - 1].endOf = message.id
            }
        }
        return lines
    }

    /// Continues an indented line at its own indentation.
    private func broken(_ line: Substring) -> [String] {
        let margin = String(line.prefix { $0 == " " }.prefix(columns / 2))
        return DisplayWidth.wrapped(String(line.dropFirst(margin.count)), columns: columns - margin.count)
            .map { margin + $0 }
    }

    private static func emptyWords(_ connection: ChatState.Connection) -> Phrase? {
        switch connection {
        case .open: Phrase("Nothing written yet. Type and press Enter; /help lists the commands.")
        case .locked:
            Phrase("The node is locked. 'tour-chat unlock' in another terminal brings everything back.")
        case .wiped: Phrase("Everything on this device was destroyed. Ctrl-C leaves.")
        case .connecting, .away: nil
        }
    }

    private func rule(_ title: Phrase, _ style: Style) -> String {
        let title = DisplayWidth.fitting(" \(title.said(in: language)) ", columns: columns - 4)
        let rest = columns - DisplayWidth.of(title)
        let left = rest / 2
        return styled(
            String(repeating: "─", count: left) + title + String(repeating: "─", count: rest - left), style)
    }

    private func lines(of message: Message) -> [String] {
        let time = message.sentTime?.clockTime ?? "--:--"
        let number = number(of: message)
        let indent = "\(time) ".count + number.count
        let author = author(of: message, columns: min(max(columns / 3, 6), columns - indent - 2))
        let mark = message.mark.isEmpty ? "" : " " + message.mark.said(in: language)
        // The name takes part in the wrapping as an unbreakable word, so blanks stand in for it.
        let placeholder = String(repeating: "\u{A0}", count: DisplayWidth.of(author) + 1)
        var wrapped = DisplayWidth.wrapped(
            placeholder + " " + body(of: message).said(in: language) + tail(of: message), columns: columns - indent)
        let first = wrapped.removeFirst().drop { $0 == "\u{A0}" }
        let name = styled(author, .member(state.color(of: message.authorID))) + ":"
        var lines = [styled("\(time) \(number)", .dim) + name + styled(String(first), message.style)]
        let margin = String(repeating: " ", count: indent)
        lines += wrapped.map { margin + styled($0, message.style) }
        let lastWidth =
            wrapped.last.map(DisplayWidth.of) ?? DisplayWidth.of(author) + 1 + DisplayWidth.of(String(first))
        guard !mark.isEmpty else { return lines }
        let style = message.markStyle
        if indent + lastWidth + DisplayWidth.of(mark) <= columns {
            lines[lines.count - 1] += styled(mark, style)
        } else {
            lines.append(margin + styled(String(mark.dropFirst()), style))
        }
        return lines
    }

    /// `#7  `: the number for an answer, or as many blanks.
    private func number(of message: Message) -> String {
        guard columns >= Self.numberedColumnsMin else { return "" }
        let number = message.isAnswerable ? state.transcript.number(of: message.id) : nil
        let text = number.map { "#\($0)" } ?? ""
        return text + String(repeating: " ", count: max(4 - text.count, 0))
    }

    private func body(of message: Message) -> Phrase {
        guard let original = message.replyTo.flatMap({ messages[$0] }) else { return message.body }
        return message.body(quoting: original, in: language)
    }

    /// The text after a file's name: the id for commands, how much of the file is here, and for the latest file how
    /// to save it, until the user knows that.
    private func tail(of message: Message) -> String {
        guard let file = message.file else { return "" }
        let isHinted = !state.hasSaved && message.id == state.transcript.lastFile?.id
        let parts = [
            Phrase(verbatim: message.shortID), file.progress,
            isHinted ? Phrase("/save \(message.shortID) saves it") : nil,
        ]
        return " [" + Phrase(list: parts.compactMap(\.self)).said(in: language) + "]"
    }

    /// Cuts a long name, but not the sign that identifies its bearer; where not even that fits, gives all of it.
    private func author(of message: Message, columns: Int) -> String {
        let room = columns - DisplayWidth.of(message.byline.sign)
        guard room >= Self.nameColumnsMin else { return DisplayWidth.fitting(message.author, columns: columns) }
        return DisplayWidth.fitting(message.byline.given, columns: room) + message.byline.sign
    }

    private static let nameColumnsMin = 4

    private func styled(_ text: String, _ style: Style) -> String { colored ? style.around(text) : text }
}
