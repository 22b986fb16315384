import Testing
import TourDesktop

/// Goal: whatever somebody wrote, a notification shows it as text, short and in its place.
@Suite struct NoticeTextTests {
    @Test(arguments: [
        ("a\r\nb\tc\u{2028}d", "a b c d"), ("  x  ", "x"), ("\u{1B}[31mred\u{7}", "[31mred"),
        ("\u{202E}abc\u{2066}", "abc"),
        ("\u{FEFF}\u{200B}", ""), ("👨‍👩‍👧 ok", "👨‍👩‍👧 ok"), ("e\u{301}", "e\u{301}"), ("", ""), ("123456789ab", "123456789…"),
        ("1234567890", "1234567890"),
    ])
    func lines(text: String, line: String) { #expect(NoticeText.line(text, lengthMax: 10) == line) }

    @Test func aLetterOfManyAccentsIsCutToo() {
        let letter = "e" + String(repeating: "\u{301}", count: 64_000)
        let line = NoticeText.line(letter, lengthMax: 10)
        #expect(line.unicodeScalars.count == 10 && line.hasSuffix("…"))
    }

    @Test func tenThousandSmilesAreFew() {
        let line = NoticeText.line(String(repeating: "👨‍👩‍👧", count: 10_000), lengthMax: 100)
        #expect(line.unicodeScalars.count <= 100 && line.hasPrefix("👨‍👩‍👧") && line.hasSuffix("👨‍👩‍👧…"))
    }
}
