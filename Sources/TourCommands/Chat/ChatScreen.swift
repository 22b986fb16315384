import TourWords

/// One picture of the chat: what stands in each row, and where the cursor is.
package struct ChatScreen: Hashable, Sendable {
    /// Top to bottom, styled, none wider than the terminal.
    package let rows: [String]
    /// Column of the cursor in the last row, from 0.
    package let cursorColumn: Int
    /// Lines the transcript can be scrolled back.
    package let scrollMax: Int
    /// The ids of the messages whose last line is among what is shown.
    package let messages: [String]

    private static let prompt = "> "

    package init(
        _ state: ChatState, columns: Int, rows: Int, colored: Bool, in language: Language = .ofUser
    ) {
        let renderer = Renderer(state: state, columns: max(columns, 10), colored: colored, language: language)
        // Whatever else is shown, who is lost stands above it until that is over.
        let alarms = Array(renderer.alarms().prefix(max(rows - 4, 0)))
        let height = max(rows - 2 - alarms.count, 1)
        let lines = renderer.transcript()
        scrollMax = max(lines.count - height, 0)
        let end = lines.count - min(max(state.scroll, 0), scrollMax)
        let shown = lines[max(end - height, 0)..<end]
        messages = shown.compactMap(\.endOf)
        let (input, cursor) = renderer.input()
        cursorColumn = cursor
        let blank = [String](repeating: "", count: height - shown.count)
        self.rows = alarms + blank + shown.map(\.text) + [renderer.status(isScrolled: end < lines.count), input]
    }

    private struct Renderer {
        let state: ChatState
        let columns: Int
        let colored: Bool
        let language: Language

        func styled(_ text: String, _ style: Style) -> String { colored ? style.around(text) : text }

        struct Line {
            var text: String
            /// The message that ends with it.
            var endOf: String?
        }

        func transcript() -> [Line] {
            if state.transcript.entries.isEmpty, let words = Self.emptyWords(state.connection) {
                return DisplayWidth.wrapped(words.said(in: language), columns: columns)
                    .map { Line(text: styled($0, .dim)) }
            }
            var lines = [Line]()
            var day: Phrase?
            for entry in state.transcript.entries {
                switch entry {
                case .notice(let texts):
                    for text in texts {
                        lines += DisplayWidth.wrapped(text, columns: columns).map { Line(text: styled($0, .dim)) }
                    }
                case .message(let message):
                    let messageDay = message.sentAt?.day ?? .empty
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
            let time = message.sentAt?.clockTime ?? "--:--"
            let indent = "\(time) ".count
            let author = author(of: message, columns: min(max(columns / 3, 6), columns - indent - 2))
            let mark = message.mark.isEmpty ? "" : " " + message.mark.said(in: language)
            // The name takes part in the wrapping as a word that does not break, so blanks stand in for it.
            let placeholder = String(repeating: "\u{A0}", count: DisplayWidth.of(author) + 1)
            var wrapped = DisplayWidth.wrapped(
                placeholder + " " + message.body.said(in: language) + tail(of: message), columns: columns - indent)
            let first = wrapped.removeFirst().drop { $0 == "\u{A0}" }
            let name = styled(author, .member(state.color(of: message.authorID))) + ":"
            var lines = [styled(time, .dim) + " " + name + styled(String(first), message.style)]
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

        /// What is said of a file behind its name: the id to name it by, how far it is here, and of the latest how it
        /// is saved, until that is known.
        private func tail(of message: Message) -> String {
            guard let file = message.file else { return "" }
            let isHinted = !state.hasSaved && message.id == state.transcript.lastFile?.id
            let parts = [
                Phrase(verbatim: message.shortID), file.progress,
                isHinted ? Phrase("/save \(message.shortID) saves it") : nil,
            ]
            return " [" + Phrase(list: parts.compactMap(\.self)).said(in: language) + "]"
        }

        /// A long name is cut, and not what says who it is; where there is no room for that, all of it.
        private func author(of message: Message, columns: Int) -> String {
            let room = columns - DisplayWidth.of(message.authorName.sign)
            guard room >= Self.nameColumnsMin else { return DisplayWidth.fitting(message.author, columns: columns) }
            return DisplayWidth.fitting(message.authorName.given, columns: room) + message.authorName.sign
        }

        private static let nameColumnsMin = 4

        func status(isScrolled: Bool) -> String {
            var parts = [Phrase(verbatim: TerminalText.safe(state.tourName))]
            switch state.connection {
            case .connecting: parts.append(Phrase("connecting …"))
            case .away: parts.append(Phrase("the node is away, trying again …"))
            case .locked: parts.append(Phrase("locked; tour-chat unlock"))
            case .wiped: parts.append(Phrase("destroyed"))
            case .open: parts.append(state.isActive ? state.near : TourStanding.sentence(state.tourState))
            }
            if isScrolled { parts.append(Phrase("scrolled back, page down for the newest")) }
            if state.isActive, !state.connection.isShut { parts.append(Phrase(verbatim: "/help")) }
            let line = Phrase(parts.filter { !$0.isEmpty }, separator: " · ").said(in: language)
            let text = DisplayWidth.fitting(" " + line, columns: columns)
            let padded = text + String(repeating: " ", count: max(columns - DisplayWidth.of(text), 0))
            return colored ? Style.reverse.around(padded) : text
        }

        /// Of each alarm that stands what it says, how it was answered, and what is to be done.
        func alarms() -> [String] {
            state.alarms.map(AlarmWords.init).filter(\.isOpen).flatMap { alarm -> [String] in
                guard alarm.isMine else {
                    let hint = alarm.isToBeAnswered ? Phrase("Answer: /seen, /coming or /wait; /found ends it.") : nil
                    return lines(of: alarm.lines + [hint].compactMap(\.self), isUrgent: alarm.isToBeAnswered)
                }
                return lines(of: [Phrase("You are reported lost."), alarm.progress], isUrgent: false)
            }
        }

        private func lines(of phrases: [Phrase], isUrgent: Bool) -> [String] {
            phrases.flatMap { $0.said(in: language).split(separator: "\n") }.map { line in
                let text = DisplayWidth.fitting(" " + line, columns: columns)
                let padded = text + String(repeating: " ", count: max(columns - DisplayWidth.of(text), 0))
                return colored ? (isUrgent ? Style.redReverse : .red).around(padded) : "!" + text.dropFirst()
            }
        }

        /// The part of the line that fits, around the cursor.
        func input() -> (String, Int) {
            let room = columns - ChatScreen.prompt.count - 1
            var left = Array(TerminalText.safe(state.editor.beforeCursor))
            while left.reduce(0, { $0 + DisplayWidth.of($1) }) > room { left.removeFirst(max(left.count / 8, 1)) }
            let used = left.reduce(0) { $0 + DisplayWidth.of($1) }
            var line = String(left)
            var width = used
            let after = state.editor.text.dropFirst(state.editor.cursor)
            for character in TerminalText.safe(String(after)) {
                let next = DisplayWidth.of(character)
                if width + next > room { break }
                line.append(character)
                width += next
            }
            return (ChatScreen.prompt + line, ChatScreen.prompt.count + used)
        }
    }
}
