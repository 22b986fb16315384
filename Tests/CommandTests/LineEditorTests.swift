import Testing
import TourClient
import TourWords

/// Goal: a line can be written and changed as in any shell.
/// Method: keys in, text and cursor out; characters of several scalars and of double width are among them.
@Suite struct LineEditorTests {
    private func editor(_ text: String, _ keys: Key...) -> LineEditor {
        var editor = LineEditor()
        for character in text { _ = editor.handle(.character(character)) }
        for key in keys { _ = editor.handle(key) }
        return editor
    }

    @Test func insertsAtTheCursor() {
        var editor = editor("held", .left, .left)
        _ = editor.handle(.character("é"))
        #expect(editor.text == "heéld")
        #expect(editor.beforeCursor == "heé")
    }

    @Test func movesByCharacterNotByByte() {
        let editor = editor("日👩‍👩‍👧é", .left, .left)
        #expect(editor.beforeCursor == "日")
    }

    @Test func staysInsideTheLine() {
        #expect(editor("ab", .left, .left, .left).cursor == 0)
        #expect(editor("ab", .right).cursor == 2)
        #expect(editor("", .backspace, .delete, .control("w"), .control("k")).text == "")
    }

    @Test func deletes() {
        #expect(editor("abc", .left, .backspace).text == "ac")
        #expect(editor("abc", .home, .delete).text == "bc")
        #expect(editor("abc", .left, .control("k")).text == "ab")
        #expect(editor("abc", .left, .control("u")).text == "c")
        #expect(editor("one two  ", .control("w")).text == "one ")
        #expect(editor("one two", .control("w"), .control("w")).text == "")
    }

    @Test func jumpsToTheEnds() {
        #expect(editor("abc", .control("a")).cursor == 0)
        #expect(editor("abc", .home, .control("e")).cursor == 3)
    }

    @Test func aMarkJoinsTheCharacterBefore() {
        let editor = editor("e", .character("\u{301}"))
        #expect(editor.cursor == 1)
        #expect(editor.text == "e\u{301}")
    }

    @Test func submitsAndRemembers() {
        var editor = editor("first")
        #expect(editor.handle(.enter) == .submitted("first"))
        #expect(editor.text == "")
        _ = editor.handle(.paste("second"))
        #expect(editor.handle(.enter) == .submitted("second"))
        _ = editor.handle(.character("x"))
        _ = editor.handle(.up)
        #expect(editor.text == "second")
        _ = editor.handle(.up)
        _ = editor.handle(.up)
        #expect(editor.text == "first")
        _ = editor.handle(.down)
        _ = editor.handle(.down)
        #expect(editor.text == "x")
    }

    @Test func anEmptyLineIsNotSubmitted() {
        var editor = editor("  ")
        #expect(editor.handle(.enter) == .edited)
        #expect(self.editor("").text.isEmpty)
        var empty = self.editor("")
        #expect(empty.handle(.enter) == .confirmed)
    }

    @Test func controlDEndsOnlyAnEmptyLine() {
        var editor = editor("a", .home)
        #expect(editor.handle(.control("d")) == .edited)
        #expect(editor.handle(.control("d")) == .ended)
        #expect(editor.handle(.control("c")) == .interrupted)
    }

    @Test func pastedControlsDoNothing() {
        #expect(editor("", .paste("a\nb\u{1B}[2J")).text == "a b\u{241B}[2J")
    }

    @Test func restoresOnlyIntoAnEmptyLine() {
        var empty = editor("")
        let isBack = empty.restore("/announce lost")
        #expect(isBack && empty.text == "/announce lost")
    }

    @Test func whatCannotBeRestoredIsOneUp() {
        var busy = editor("first", .enter)
        for character in "new" { _ = busy.handle(.character(character)) }
        let isBack = busy.restore("lost")
        #expect(!isBack && busy.text == "new")
        _ = busy.handle(.up)
        #expect(busy.text == "lost")
        _ = busy.handle(.up)
        #expect(busy.text == "first")
        _ = busy.handle(.down)
        _ = busy.handle(.down)
        #expect(busy.text == "new")
    }

    @Test func movesByWord() {
        #expect(editor("one two", .wordLeft).cursor == 4)
        #expect(editor("one two", .wordLeft, .wordLeft, .wordLeft).cursor == 0)
        #expect(editor("one two", .home, .wordRight).cursor == 3)
        #expect(editor("one two", .home, .wordRight, .wordRight, .wordRight).cursor == 7)
    }

    @Test func pastedLinesStayApart() {
        #expect(editor("", .paste("one\rtwo\r\nthree\nfour")).text == "one two three four")
        var cut = editor("")
        #expect(cut.handle(.pasteCut) == .pasteCut)
    }

    @Test func aRefusalSaysWhereTheTextIs() {
        let absent = CommandFailure(code: "no-node", message: Phrase(verbatim: "x"))
        #expect(
            RefusalNote.words(absent, isRestored: true).english
                == "Not sent: the node is not running ('tour-chat run' starts it); your text is kept below.")
        #expect(
            RefusalNote.words(.textTooLong, isRestored: false).english
                == "Not sent: A message is at most 16384 bytes long; send it in parts. Arrow up brings it back.")
    }
}
