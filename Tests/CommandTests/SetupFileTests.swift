import Testing
import TourClient
import TourModel
import TourWords

/// Goal: whatever stands on a boot partition, a device takes what can be meant, says what it does not take, and keeps
/// no code there.
/// Method: files as editors of several systems leave them, and files that no editor would.
struct SetupFileTests {
    private static func file(_ text: String) throws -> SetupFile { try SetupFile(Array(text.utf8)) }

    /// What the file is after its codes were wiped.
    private static func wiped(_ bytes: [UInt8]) throws -> [UInt8] {
        try SetupFile(bytes).wiping.reduce(into: bytes) { $0.replaceSubrange($1.bytes, with: $1.text) }
    }

    @Test(arguments: [
        "name = \"Bus 1\"\ncode = \"ABCD-EFGH\"\nrole = \"bridge\"\n",
        "name=\"Bus 1\"\r\ncode=\"ABCD-EFGH\"\r\nrole=\"bridge\"",
        "\u{FEFF}name = \"Bus 1\"\r\n\r\n# a note\r\ncode = \"ABCD-EFGH\" # from the guide\r\nrole = \"Bridge\"\r\n",
        "name = 'Bus 1'\rcode = 'ABCD-EFGH'\rrole = 'bridge'\r",
        "NAME = Bus 1\ncode = ABCD-EFGH   # bare\n\trole\t=\tbridge\t\n",
        "name = \u{201C}Bus 1\u{201D}\ncode = \u{201E}ABCD-EFGH\u{201C}\nrole = \u{2018}bridge\u{2019}",
        #"name = "Bus\u00201""# + "\ncode = \"ABCD-EFGH\"\nrole = \"bridge\"",
    ])
    func whatIsMeantIsTaken(text: String) throws {
        let file = try Self.file(text)
        #expect(file.name == "Bus 1")
        #expect(file.code == "ABCD-EFGH")
        #expect(file.role == .bridge)
        #expect(file.remarks.isEmpty)
    }

    @Test(arguments: ["", "\n\n", "# nothing\r\n", "\u{FEFF}", "code = \"\"", "code = \"----\"", "#code = \"ABCD\""])
    func withoutACodeThereIsNone(text: String) throws {
        let file = try Self.file(text)
        #expect(file.code == nil)
        #expect(file.remarks.isEmpty)
    }

    @Test func whatIsNotTakenIsToldOf() throws {
        let file = try Self.file(
            """
            nick = "Bus"
            name = ""
            role = "guide"
            code = "ABCD"
            code = "EFGH"
            what is this
            name "Bus"
            code = "AB" CD
            [wifi]
            ssid = "Hotel"
            password = "secret"
            [hotspot]
            on = true
            [wlan]
            ssid = "x"
            """)
        #expect(
            file.remarks == [
                .unknownKey(line: 1, key: "nick"), .badName(line: 2), .badRole(line: 3, value: "guide"),
                .twice(line: 5, key: "code"), .stray(line: 6), .stray(line: 7), .stray(line: 8),
                .notYet(line: 10, section: "wifi"), .notYet(line: 13, section: "hotspot"),
                .unknownSection(line: 15, section: "wlan"),
            ])
        #expect(file.code == "ABCD")
        let words = file.remarks.map(\.phrase.english).joined()
        #expect(!words.contains("secret") && !words.contains("EFGH") && !words.contains("CD"))
    }

    @Test func aWiFiPasswordInAnotherSectionIsNoCode() throws {
        #expect(try Self.file("[wifi]\ncode = \"ABCD\"").code == nil)
    }

    @Test(arguments: [String(repeating: "x", count: 129), "a\\tb", "  "])
    func whatCannotBeANameIsNone(name: String) throws {
        let file = try Self.file("name = \"\(name)\"")
        #expect(file.name == nil)
        #expect(file.remarks == [.badName(line: 1)])
    }

    /// Not a byte more or less, and nothing else is touched.
    @Test(arguments: ["\n", "\r\n", "\r"])
    func wipingLeavesEverythingElse(lineBreak: String) throws {
        let lines = ["\u{FEFF}name = \"Bus\"", "code = \"ABCD-EFGH-IJKL\"", "code=X", "role = \"bridge\"", "? code"]
        let before = Array(lines.joined(separator: lineBreak).utf8)
        let after = try Self.wiped(before)
        #expect(after.count == before.count)
        let taken = "# code: taken" + String(repeating: " ", count: lines[1].utf8.count - 13)
        let expected = [lines[0], taken, "# code", lines[3], lines[4]]
        let text = String(decoding: after, as: UTF8.self)
        #expect(text == expected.joined(separator: lineBreak))
        let again = try SetupFile(after)
        #expect(again.code == nil && again.name == "Bus" && again.role == .bridge)
        #expect(again.wiping.isEmpty)
    }

    @Test(arguments: [
        [0xFF, 0xFE, 0x63, 0x00], [0xFE, 0xFF, 0x00, 0x63], [0x63, 0x00], [0xC3, 0x28], [0x80],
    ])
    func whatIsNoTextIsRefused(bytes: [UInt8]) {
        #expect(throws: SetupError.notText) { try SetupFile(bytes) }
    }

    @Test func whatIsTooLongIsRefused() throws {
        let line = Array(repeating: UInt8(ascii: "#"), count: SettingsText.bytesMax)
        #expect(try SetupFile(line).remarks.isEmpty)
        #expect(throws: SetupError.tooLong) { try SetupFile(line + [0x0A]) }
    }

    /// Whatever a broken card gives back: nothing traps, and what is wiped is as long as it was.
    @Test func nothingTraps() throws {
        var generator = Numbers()
        let pieces = [
            "code", "name", "=", "\"", "'", "\\", "\\u00", "[", "]", "#", "\r", "\n", "\u{FEFF}", " ", "ä", "\u{201C}",
        ]
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...24, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let bytes = Array(text.utf8)
            let after = try Self.wiped(bytes)
            #expect(after.count == bytes.count, "\(text.debugDescription)")
            #expect(try SetupFile(after).code == nil, "\(text.debugDescription)")
        }
    }

    /// The same ones in each run. Source: Vigna, SplitMix64.
    private struct Numbers: RandomNumberGenerator {
        private var state: UInt64 = 34

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
