import Testing
import TourCommands

/// Goal: text of others cannot drive a terminal, and columns line up.
/// Method: examples of each kind of character that would.
@Suite struct TextTests {
    @Test func escapesNeverReachTheTerminal() {
        #expect(TerminalText.safe("a\u{1B}[31mb\u{7}\u{7F}") == "a\u{241B}[31mb\u{2407}\u{2421}")
        #expect(TerminalText.safe("\u{9B}2J\u{85}") == "\u{FFFD}2J\u{FFFD}")
    }

    @Test func directionOverridesGo() {
        let all = (0x202A...0x202E).map { $0 } + (0x2066...0x2069).map { $0 }
        for value in all {
            let scalar = Character(Unicode.Scalar(UInt32(value)) ?? " ")
            #expect(TerminalText.safe("a\(scalar)b") == "ab")
        }
    }

    @Test func lineBreaks() {
        #expect(TerminalText.safe("a\r\nb\tc\rd") == "a b c d")
        #expect(TerminalText.safe("a\r\nb", keepsNewlines: true) == "a\nb")
        #expect(TerminalText.safe("a\rb\r\rc", keepsNewlines: true) == "a\nb\n\nc")
        #expect(TerminalText.safe("a\u{2028}b") == "a b")
    }

    @Test func blankIsWhatCannotBeSeen() {
        #expect("".isBlank && " \t\r\n\u{A0}".isBlank)
        #expect(!" x ".isBlank)
    }

    @Test func everydayTextStays() {
        let text = "Grüße, 日本 👩‍👩‍👧 שלום"
        #expect(TerminalText.safe(text) == text)
    }

    @Test(arguments: [
        ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("👍", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("한", 2), ("❤️", 2), ("", 0),
        ("\u{200B}", 0), ("…", 1), ("✓", 1), ("ｗ", 2),
    ])
    func widths(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test func fitting() {
        #expect(DisplayWidth.fitting("abcdef", columns: 4) == "abc…")
        #expect(DisplayWidth.fitting("日本語", columns: 4) == "日…")
        #expect(DisplayWidth.fitting("abc", columns: 3) == "abc")
        #expect(DisplayWidth.fitting("abc", columns: 0) == "")
    }

    @Test func wrapping() {
        #expect(DisplayWidth.wrapped("one two three", columns: 7) == ["one two", "three"])
        #expect(DisplayWidth.wrapped("abcdefgh", columns: 3) == ["abc", "def", "gh"])
        #expect(DisplayWidth.wrapped("日本語", columns: 5) == ["日本", "語"])
        #expect(DisplayWidth.wrapped("a\n\nb", columns: 5) == ["a", "", "b"])
        #expect(DisplayWidth.wrapped("", columns: 5) == [""])
    }

    @Test func tablesLineUp() {
        var table = Table(["ID", "NAME", "X"])
        table.add(["1", "日本", "a"])
        table.add(["22", "Bo\u{1B}b", "b"])
        table.add(["3", "", ""])
        #expect(table.lines(colored: false) == ["ID  NAME  X", "1   日本  a", "22  Bo\u{241B}b  b", "3"])
    }

    @Test func tablesColourOnlyWhenAsked() {
        var table = Table()
        table.add([.init("x", .red), "y"])
        #expect(table.lines(colored: true) == ["\u{1B}[31mx\u{1B}[0m  y"])
        #expect(table.lines(colored: false) == ["x  y"])
    }
}
