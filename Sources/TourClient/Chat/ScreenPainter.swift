/// Updates a terminal from one picture to the next, writing only the rows that differ.
package struct ScreenPainter {
    /// Switches to the alternate screen, bracketed paste and reports of the focus; `leave` switches back.
    package static let enter = "\u{1B}[?1049h\u{1B}[?2004h\u{1B}[?1004h\u{1B}[2J\u{1B}[H"
    /// Undoes `enter`, shows the cursor and resets colours.
    package static let leave = "\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?25h\u{1B}[0m\u{1B}[?1049l"

    private struct Row: Hashable {
        var text = ""
        var side = ""
    }

    private var shown: [Row] = []

    package init() {}

    /// The next picture is painted completely: after a resize, or when something else wrote to the terminal.
    package mutating func forget() { shown = [] }

    /// The bytes that show this picture, given the one before.
    package mutating func paint(_ screen: ChatScreen) -> String {
        var text = "\u{1B}[?25l"
        if shown.count != screen.rows.count {
            text += "\u{1B}[2J"
            shown = [Row](repeating: Row(), count: screen.rows.count)
        }
        for (index, row) in zip(screen.rows, screen.side).map({ Row(text: $0, side: $1) }).enumerated()
        where row != shown[index] {
            text += "\u{1B}[\(index + 1);1H\(row.text)\u{1B}[K"
            // Placed absolutely, so that the terminal's own idea of the text's width does not matter.
            if !row.side.isEmpty { text += "\u{1B}[\(index + 1);\(screen.sideColumn + 1)H\(row.side)" }
            shown[index] = row
        }
        return text + "\u{1B}[\(screen.rows.count);\(screen.cursorColumn + 1)H\u{1B}[?25h"
    }
}
