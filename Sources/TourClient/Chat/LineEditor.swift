/// One line being written, and the lines written before.
package struct LineEditor {
    /// The effect of a key.
    package enum Outcome: Hashable, Sendable {
        /// No effect outside the editor; the line may have changed.
        case edited
        case submitted(String)
        /// Enter on an empty line.
        case confirmed
        /// Ctrl-D on an empty line.
        case ended
        /// Ctrl-C.
        case interrupted
        case scrolled(pages: Int)
        /// The pasted text was cut.
        case pasteCut
        case redraw
        /// Tab: the text before the cursor is to be completed.
        case completes
    }

    private static let historyMax = 200

    private var characters: [Character] = []
    /// Characters left of the cursor.
    package private(set) var cursor = 0
    private var history: [String] = []
    /// The place in the history; its count means the line being written.
    private var place = 0
    /// The line being written, while an older one is shown.
    private var draft = ""

    package init() {}

    /// The line being written.
    package var text: String { String(characters) }

    package var beforeCursor: String { String(characters[..<cursor]) }

    /// Applies a key to the line.
    package mutating func handle(_ key: Key) -> Outcome {
        switch key {
        case .character(let character): insert(String(character))
        case .paste(let text): insert(TerminalText.safe(text))
        case .pasteCut: return .pasteCut
        case .enter: return submit()
        case .tab: return .completes
        case .backspace, .control("h"): removeBefore(1)
        case .delete: removeAfter(1)
        case .left, .control("b"): cursor = max(cursor - 1, 0)
        case .right, .control("f"): cursor = min(cursor + 1, characters.count)
        case .wordLeft: cursor = startOfWord
        case .wordRight: cursor = endOfWord
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .up, .control("p"): recall(place - 1)
        case .down, .control("n"): recall(place + 1)
        case .control("k"): removeAfter(characters.count - cursor)
        case .control("u"): removeBefore(cursor)
        case .control("w"): removeBefore(cursor - startOfWord)
        case .control("c"): return .interrupted
        case .control("d"):
            if characters.isEmpty { return .ended }
            removeAfter(1)
        case .control("l"): return .redraw
        case .pageUp: return .scrolled(pages: 1)
        case .pageDown: return .scrolled(pages: -1)
        case .control, .focus: break
        }
        return .edited
    }

    /// Replaces the text before the cursor, and puts the cursor after the new text.
    package mutating func replaceBeforeCursor(with text: String) {
        removeBefore(cursor)
        insert(text)
    }

    /// Restores a line that could not be sent; while another is being written, only adds it to the history.
    /// - Returns: whether the line is back in its place.
    package mutating func restore(_ line: String) -> Bool {
        guard characters.isEmpty else {
            remember(line)
            return false
        }
        place = history.count
        draft = ""
        show(line)
        return true
    }

    private var startOfWord: Int {
        var start = cursor
        while start > 0, characters[start - 1].isWhitespace { start -= 1 }
        while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
        return start
    }

    private var endOfWord: Int {
        var end = cursor
        while end < characters.count, characters[end].isWhitespace { end += 1 }
        while end < characters.count, !characters[end].isWhitespace { end += 1 }
        return end
    }

    private mutating func insert(_ text: String) {
        // A mark may join the character before it, so the characters are counted again.
        let left = String(characters[..<cursor]) + text
        let right = characters[cursor...]
        let leftCharacters = Array(left)
        cursor = leftCharacters.count
        characters = leftCharacters + right
    }

    private mutating func removeBefore(_ count: Int) {
        let count = min(count, cursor)
        characters.removeSubrange(cursor - count..<cursor)
        cursor -= count
    }

    private mutating func removeAfter(_ count: Int) {
        characters.removeSubrange(cursor..<min(cursor + count, characters.count))
    }

    private mutating func submit() -> Outcome {
        let line = text
        guard line.contains(where: { !$0.isWhitespace }) else { return line.isEmpty ? .confirmed : .edited }
        remember(line)
        place = history.count
        draft = ""
        show("")
        return .submitted(line)
    }

    /// Adds to the history; neither the line being written nor an older one on display changes.
    private mutating func remember(_ line: String) {
        let isWriting = place == history.count
        if history.last != line { history.append(line) }
        if history.count > Self.historyMax {
            history.removeFirst()
            place = max(place - 1, 0)
        }
        if isWriting { place = history.count }
    }

    private mutating func recall(_ target: Int) {
        guard (0...history.count).contains(target), target != place else { return }
        if place == history.count { draft = text }
        place = target
        show(target == history.count ? draft : history[target])
    }

    private mutating func show(_ text: String) {
        characters = Array(text)
        cursor = characters.count
    }
}
