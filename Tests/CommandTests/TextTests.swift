import Testing
import TourClient
import TourWords

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

    @Test func paceOfASync() {
        #expect(SyncPace.words(moved: 0, total: 0, elapsed: .seconds(5)) == nil)
        #expect(SyncPace.words(moved: 7, total: 20, elapsed: .milliseconds(499))?.english == "7 of 20")
        #expect(SyncPace.words(moved: 0, total: 20, elapsed: .seconds(5))?.english == "0 of 20")
        let pace = SyncPace.words(moved: 8_412, total: 20_000, elapsed: .seconds(2))
        #expect(pace?.english == "8412 of 20000, 4206 a second")
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
        #expect(DisplayWidth.wrapped("日本語。", columns: 6) == ["日本", "語。"])
        #expect(DisplayWidth.wrapped("日本「語」", columns: 6) == ["日本", "「語」"])
        #expect(DisplayWidth.wrapped("。。。。", columns: 4) == ["。。", "。。"])
        #expect(DisplayWidth.wrapped("a\n\nb", columns: 5) == ["a", "", "b"])
        #expect(DisplayWidth.wrapped("", columns: 5) == [""])
    }

    @Test func tablesLineUp() {
        var table = Table(["ID", "NAME", "X"].map { Phrase(verbatim: $0) })
        table.add(["1", "日本", "a"])
        table.add(["22", "Bo\u{1B}b", "b"])
        table.add(["3", "", ""])
        #expect(table.lines(colored: false) == ["ID  NAME  X", "1   日本  a", "22  Bo\u{241B}b  b", "3"])
    }

    @Test func tablesBreakAtSpaces() {
        var table = Table()
        table.add(["ok", "mDNS", "nodes find each other here"])
        table.add(["", "", "-> wait"])
        let broken = ["ok  mDNS  nodes find", "          each other", "          here", "          -> wait"]
        #expect(table.lines(colored: false, columns: 24) == broken)
        let whole = ["ok  mDNS  nodes find each other here", "          -> wait"]
        #expect(table.lines(colored: false, columns: 36) == whole)
        #expect(table.lines(colored: false) == whole)
    }

    @Test func aWordThatIsTooLongEndsInAnEllipsis() {
        var table = Table(["NAME", "X"].map { Phrase(verbatim: $0) })
        table.add(["abcdefghijklmnop", "x"])
        #expect(table.lines(colored: false, columns: 12) == ["NAME       X", "abcdefgh…  x"])
        // The start of an id is never cut.
        #expect(table.lines(colored: false, columns: 4) == ["NAME      X", "abcdefg…  x"])
    }

    @Test(arguments: [(18, ["1   ABCD-EFGH-IJKL"]), (17, ["1", "  ABCD-EFGH-IJKL"]), (12, ["1", "ABCD-EFGH-IJKL"])])
    func aCodeIsNeverBroken(columns: Int, lines: [String]) {
        var table = Table(["ID", "CODE"].map { Phrase(verbatim: $0) })
        table.add(["1", .whole("ABCD-EFGH-IJKL")])
        #expect(table.lines(colored: false, columns: columns) == ["ID  CODE"] + lines)
    }

    @Test func anAddressIsNeverBroken() {
        var table = Table()
        table.add([.whole("192.0.2.1 port 4000"), "a long name", "y"])
        let lines = ["192.0.2.1 port 4000  a long  y", "                     name"]
        #expect(table.lines(colored: false, columns: 30) == lines)
    }

    @Test func tablesColourOnlyWhenAsked() {
        var table = Table()
        table.add([.init("x", .red), "y"])
        #expect(table.lines(colored: true) == ["\u{1B}[31mx\u{1B}[0m  y"])
        #expect(table.lines(colored: false) == ["x  y"])
    }
}
