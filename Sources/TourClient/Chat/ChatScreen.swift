import TourAPI
import TourWords

/// One picture of the chat: the contents of each row, and the cursor's place.
package struct ChatScreen: Hashable, Sendable {
    /// Top to bottom, styled, none wider than the terminal less the member pane.
    package let rows: [String]
    /// For each row the member pane's text, which starts at `sideColumn`; empty where the pane has none.
    package let side: [String]
    /// From 0.
    package let sideColumn: Int
    /// Column of the cursor in the last row, from 0.
    package let cursorColumn: Int
    /// Lines the transcript can be scrolled back.
    package let scrollMax: Int
    /// The ids of the messages whose last line is visible.
    package let messages: [String]

    private static let prompt = "> "

    package init(
        _ state: ChatState, columns: Int, rows: Int, colored: Bool, in language: Language = .ofUser
    ) {
        let columns = max(columns, 10)
        let renderer = Renderer(state: state, columns: columns, colored: colored, language: language)
        // Whatever else is shown, alarms stay above it until they are over.
        let alarms = Array(
            (renderer.alarms() + renderer.urgent() + renderer.roll() + renderer.asks()).prefix(max(rows - 4, 0)))
        let height = max(rows - 2 - alarms.count, 1)
        let paneColumns = state.connection.isShut ? 0 : MemberPane.columns(ofWindow: columns)
        sideColumn = columns - paneColumns
        let lines = TranscriptLines(state, columns: sideColumn, colored: colored, in: language).all
        scrollMax = max(lines.count - height, 0)
        let end = lines.count - min(max(state.scroll, 0), scrollMax)
        let shown = lines[max(end - height, 0)..<end]
        messages = shown.compactMap(\.endOf)
        let (input, cursor) = renderer.input()
        cursorColumn = cursor
        let blank = [String](repeating: "", count: height - shown.count)
        let middle = blank + shown.map(\.text)
        let last = [renderer.status(isScrolled: end < lines.count), input]
        self.rows = alarms + middle + last
        let pane =
            paneColumns == 0
            ? [String](repeating: "", count: height)
            : MemberPane(state, columns: paneColumns, rows: height, colored: colored, in: language).rows
        side =
            alarms.map { _ in "" } + zip(middle, pane).map { ReadingDirection.apart($1, from: $0) }
            + last.map { _ in "" }
    }

    private struct Renderer {
        let state: ChatState
        let columns: Int
        let colored: Bool
        let language: Language

        func status(isScrolled: Bool) -> String {
            var parts = [Phrase(verbatim: TerminalText.safe(state.tourName))]
            switch state.connection {
            case .connecting: parts.append(Phrase("connecting …"))
            case .away: parts.append(Phrase("the node is away, trying again …"))
            case .locked: parts.append(Phrase("locked; tour-chat unlock"))
            case .wiped: parts.append(Phrase("destroyed"))
            case .open: parts.append(state.near)
            }
            if !state.choices.isEmpty { parts = [Phrase(verbatim: state.choices.joined(separator: "   "))] }
            if isScrolled { parts.append(Phrase("scrolled back, page down for the newest")) }
            if state.isActive, !state.connection.isShut { parts.append(Phrase(verbatim: "/help")) }
            let line = Phrase(parts.filter { !$0.isEmpty }, separator: " · ").said(in: language)
            let text = DisplayWidth.fitting(" " + line, columns: columns)
            let padded = text + String(repeating: " ", count: max(columns - DisplayWidth.of(text), 0))
            return colored ? Style.reverse.around(padded) : text
        }

        /// For each open alarm its words, the answers, and what to do.
        func alarms() -> [String] {
            state.asked.alarms.map(AlarmWords.init).filter(\.isOpen).flatMap { alarm -> [String] in
                guard alarm.isMine else {
                    let hint = alarm.isToBeAnswered ? Phrase("Answer: /seen, /coming or /wait; /found ends it.") : nil
                    return lines(of: alarm.lines + [hint].compactMap(\.self), isUrgent: alarm.isToBeAnswered)
                }
                return lines(of: [Phrase("You are reported lost."), alarm.progress], isUrgent: false)
            }
        }

        func urgent() -> [String] {
            state.asked.toUnderstand.flatMap { announcement in
                let name = TerminalText.safe(announcement.name)
                let text = TerminalText.safe(announcement.text)
                return lines(
                    of: [Phrase("URGENT, from \(name): \(text)"), Phrase("/understood says that you have read it.")],
                    isUrgent: true)
            }
        }

        /// The question of a roll call, and for guides its progress.
        func roll() -> [String] {
            guard let roll = state.asked.roll.map(RollWords.init), roll.isOpen else { return [] }
            if roll.isAsked {
                return lines(of: [roll.head, Phrase("Are you here? Enter, or /here.")], isUrgent: true)
            }
            return roll.isLed ? lines(of: [roll.head, roll.progress], isUrgent: false) : []
        }

        /// For each asker the words to compare, and what to do.
        func asks() -> [String] {
            state.asked.askers.flatMap { asker -> [String] in
                let (all, first) = (asker.words.joined(separator: " "), asker.words.first ?? "")
                let hint = Phrase(
                    "The same words on the other screen? /admit \(all) lets in, /refuse \(first) does not.")
                return lines(of: asker.lines + [hint], isUrgent: false)
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
