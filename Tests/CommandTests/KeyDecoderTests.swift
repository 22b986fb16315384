import Testing
import TourClient

/// Goal: what terminals send becomes the key that was pressed, however it is cut into reads, and nothing traps.
/// Method: known sequences whole and byte by byte; all pairs of bytes.
@Suite struct KeyDecoderTests {
    private func keys(_ text: String) -> [Key] {
        var decoder = KeyDecoder()
        return decoder.add(text.utf8)
    }

    @Test(arguments: [
        ("\u{1B}[A", Key.up), ("\u{1B}OB", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left), ("\u{1B}[H", .home),
        ("\u{1B}[4~", .end), ("\u{1B}[3~", .delete), ("\u{1B}[5~", .pageUp), ("\r", .enter), ("\u{7F}", .backspace),
        ("\u{1B}b", .wordLeft), ("\u{1B}f", .wordRight), ("\u{1B}[1;5C", .wordRight), ("\u{1B}[1;5D", .wordLeft),
        ("\u{1}", .control("a")), ("\u{17}", .control("w")), ("é", .character("é")), ("👍", .character("👍")),
    ])
    func knows(text: String, key: Key) {
        #expect(keys(text) == [key])
        var decoder = KeyDecoder()
        #expect(text.utf8.flatMap { decoder.add([$0]) } == [key])
    }

    @Test func takesAPasteAsText() {
        let text = "\u{1B}[200~two\nlines\u{1B}[A\u{1B}[201~x"
        let expected: [Key] = [.paste("two\nlines\u{1B}[A"), .character("x")]
        #expect(keys(text) == expected)
        var decoder = KeyDecoder()
        #expect(text.utf8.flatMap { decoder.add([$0]) } == expected)
    }

    @Test func aPasteIsNeverCutInSilence() throws {
        let long = String(repeating: "é", count: KeyDecoder.pasteBytesMax / 2)
        #expect(keys("\u{1B}[200~\(long)\u{1B}[201~") == [.paste(long)])
        let all = keys("\u{1B}[200~x\(long)\u{1B}[201~y")
        #expect(Array(all.dropFirst()) == [.pasteCut, .character("y")])
        guard case .paste(let text)? = all.first else {
            Issue.record("no paste")
            return
        }
        #expect(("x" + long).hasPrefix(text) && text.utf8.count > KeyDecoder.pasteBytesMax - 4)
    }

    @Test func joinsScalarsOfOneCharacter() {
        #expect(keys("👩‍👧") == [.character("👩‍👧")])
        #expect(keys("e\u{301}") == [.character("e\u{301}")])
    }

    @Test func dropsWhatMeansNothing() {
        #expect(keys("\u{1B}[99;99Xa") == [.character("a")])
        var decoder = KeyDecoder()
        #expect(decoder.add([0xFF, 0xC0, 0x80, 0x61]) == [.character("a")])
    }

    @Test func isTotal() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                var decoder = KeyDecoder()
                _ = decoder.add([first, second, 0x1B, 0x5B, second, first])
            }
        }
    }

    @Test func boundsWhatWaits() {
        var decoder = KeyDecoder()
        _ = decoder.add("\u{1B}[".utf8)
        for _ in 0..<1_000 { _ = decoder.add("1".utf8) }
        #expect(decoder.add("\rz".utf8).contains(.character("z")))
    }
}
