import Testing
import TourModel
import TourStore

// Goal: no name of a peer's leads out of a directory, hides a file, or shows another kind of file than it is; and
// ordinary names of all languages stay. Method: a table of tricks; random scalars.
@Suite struct SafeFileNameTests {
    @Test(arguments: [
        "photo.jpg", "Straßenplan München.pdf", "東京 タワー.png", "می‌خواهم.txt", "👨‍👩‍👧 family.heic", "a.b.c", "x",
        "São Tomé (2).gpx", "no-dash-in-front", "CONTROL.txt", "com.txt", "COM10",
    ])
    func ordinaryNamesStay(name: String) {
        #expect(SafeFileName(name).text == name)
    }

    @Test(arguments: [
        ("../../etc/passwd", "_.._etc_passwd"), ("/etc/passwd", "_etc_passwd"), ("..\\..\\x", "_.._x"),
        ("..", "file"), (".", "file"), ("", "file"), ("   ", "file"), (".bashrc", "bashrc"), (". . .x", "x"),
        ("-rf", "rf"), ("~root", "root"), ("a\0b", "ab"), ("a\nb\r\n.txt", "a b .txt"), ("a\u{1B}[31mb", "a[31mb"),
        ("photo\u{202E}gpj.exe", "photogpj.exe"), ("\u{2066}a\u{2069}\u{200F}.txt", "a.txt"),
        ("a\u{2028}b\u{2029}c", "a b c"), ("bill.pdf                    .exe", "bill.pdf .exe"),
        ("x\u{FEFF}\u{00AD}\u{200B}y", "xy"), ("C:autoexec", "C_autoexec"), ("a?*<>|\"b", "a______b"),
        ("nul", "_nul"), ("Con.txt", "_Con.txt"), ("lpt1", "_lpt1"), ("name. . ", "name"),
        ("\u{E0001}\u{E0041}tag", "tag"), ("\u{FFFE}\u{10FFFF}\u{E000}z", "z"), ("a\u{85}b", "ab"),
    ])
    func tricksAreTakenOut(name: String, safe: String) {
        #expect(SafeFileName(name).text == safe)
    }

    @Test func longNamesKeepTheirEnd() {
        let long = SafeFileName(String(repeating: "ä", count: 200) + ".jpeg").text
        #expect(long == String(repeating: "ä", count: 125) + ".jpeg" && long.utf8.count == 255)
        #expect(SafeFileName(String(repeating: "x", count: 300)).text.utf8.count == 255)
        #expect(SafeFileName("a." + String(repeating: "x", count: 300)).text.utf8.count == 255)
        #expect(SafeFileName(String(repeating: "abcd ", count: 51) + "more").text.hasSuffix("abcd"))
        // One character of a thousand accents.
        let pile = SafeFileName("e" + String(repeating: "\u{301}", count: 1_000) + ".txt").text
        #expect(pile.utf8.count <= 255 && pile.hasSuffix(".txt") && pile.unicodeScalars.first == "e")
    }

    @Test func whatTheUserSaysIsTakenAsItIs() {
        #expect(SafeFileName(exactly: ".profile -x")?.text == ".profile -x")
        for name in ["", ".", "..", "a/b", "/", "a\0b", String(repeating: "x", count: 256)] {
            #expect(SafeFileName(exactly: name) == nil, "\(name)")
        }
    }

    @Test func randomScalarsMakeSafeNames() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<5_000 {
            var proposed = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0..<40, using: &random) {
                let value = UInt32.random(in: 0..<(Bool.random(using: &random) ? 0x80 : 0x2_0000), using: &random)
                if let scalar = Unicode.Scalar(value) { proposed.append(scalar) }
            }
            let name = SafeFileName(String(proposed))
            #expect(SafeFileName(exactly: name.text) == name)
            #expect(SafeFileName(name.text) == name, "safe names stay")
            #expect(!name.text.unicodeScalars.contains { $0.properties.generalCategory == .control })
            #expect(!name.text.hasPrefix(".") && !name.text.hasPrefix("-") && !name.text.hasSuffix(" "))
        }
    }
}
