import Testing
import TourClient
import TourWords

/// Goal: what is typed means what the help says, and nothing else is taken.
/// Method: tables of good and bad arguments.
@Suite struct ArgumentTests {
    @Test(arguments: [("90s", 90), ("15m", 900), ("2h", 7_200), ("1d", 86_400)])
    func durations(text: String, seconds: Int) {
        #expect(DurationArgument(text)?.seconds == seconds)
    }

    @Test(arguments: ["", "s", "90", "0s", "-1h", "1.5h", "2 h", "1w", "+1h", "99999d", "99999999999999999999d", "１h"])
    func noDurations(text: String) {
        #expect(DurationArgument(text) == nil)
    }

    @Test func durationsAreShown() {
        #expect(DurationArgument.shown(seconds: 59).english == "59 s")
        #expect(DurationArgument.shown(seconds: 125).english == "2 min")
        #expect(DurationArgument.shown(seconds: 7_500).english == "2 h 5 min")
        #expect(DurationArgument.shown(seconds: 90_000).english == "1 d 1 h")
    }

    @Test func ids() {
        #expect(IDArgument("ABCDEF")?.text == "abcdef")
        #expect(IDArgument("\u{202A}3fa2c1\u{202C}")?.text == "3fa2c1")
        #expect(TypedDigits.read(["\u{2066}1234\u{2069}", "\u{200B}5678"]) == "12345678")
        #expect(IDArgument("abcde") == nil && IDArgument("abcde\u{200B}") == nil)
        #expect(IDArgument("abcdeg") == nil)
        #expect(IDArgument(String(repeating: "a", count: 65)) == nil)
    }

    @Test(arguments: [
        (["--json", "send", "x"], ["send", "--json", "x"]),
        (["--data-dir", "d", "--json", "tour", "create", "N"], ["tour", "create", "--data-dir", "d", "--json", "N"]),
        (["--tour=T", "tour", "--json", "list"], ["tour", "list", "--tour=T", "--json"]),
        (["send", "--", "--json"], ["send", "--", "--json"]),
        (["--help"], ["--help"]),
        (["tour", "--help"], ["tour", "--help"]),
        (["--json"], ["--json"]),
        (["--data-dir"], ["--data-dir"]),
    ])
    func leadingOptionsMove(arguments: [String], expected: [String]) {
        #expect(GlobalArguments.normalized(arguments) == expected)
    }

    @Test func errorsAreJSONWhenAsked() {
        #expect(GlobalArguments.wantsJSON(["send", "--json", "x"]))
        #expect(!GlobalArguments.wantsJSON(["send", "--", "--json"]))
    }

    @Test func peers() {
        #expect(PeerAddress.isValid("host:1") && PeerAddress.isValid("[fe80::1%eth0]:65535"))
        for bad in ["host", "host:", ":1", "host:0", "host:65536", "fe80::1:80", "[]:1", "a b:1"] {
            #expect(!PeerAddress.isValid(bad), "\(bad)")
        }
    }

    @Test func dataDirectory() {
        func resolve(_ option: String?, _ variables: [String: String]) -> String? {
            DataDirectory.resolve(option: option) { variables[$0] }
        }
        let all = ["TOUR_CHAT_DATA_DIR": "/t", "XDG_DATA_HOME": "/x", "HOME": "/h"]
        #expect(resolve("o", all) == "o")
        #expect(resolve(nil, all) == "/t")
        #expect(resolve(nil, ["TOUR_CHAT_DATA_DIR": "", "XDG_DATA_HOME": "/x"]) == "/x/tour-chat")
        #expect(resolve(nil, ["XDG_DATA_HOME": "relative", "HOME": "/h"]) == "/h/.local/share/tour-chat")
        #expect(resolve(nil, [:]) == nil)
    }

    @Test func paths() {
        #expect(LocalPath.make(["tours", "Röm/1"]) == "/v1/tours/R%C3%B6m%2F1")
        #expect(LocalPath.make(["peers"], query: [("tour", nil), ("a", "b&c")]) == "/v1/peers?a=b%26c")
    }

    @Test(arguments: ["", " ", "\u{200B}\u{200B}", "\u{3164}", "\u{2800}", "\u{202A}\u{202C}", "\u{FEFF} \u{AD}"])
    func whatLooksEmptyIsNeitherNameNorText(text: String) {
        #expect(throws: (any Error).self) { try NameRule.check(text) }
        #expect(text.isBlank)
    }

    @Test func names() throws {
        try NameRule.check("Anna Ö. 日本")
        for bad in ["", "  ", "Anna\u{1B}[D", "a\nb", "a\u{7F}", String(repeating: "x", count: 129)] {
            #expect(throws: (any Error).self, "\(bad)") { try NameRule.check(bad) }
        }
    }

    @Test func anIDIsExplained() throws {
        #expect(try IDArgument.parse("3FA2C1").text == "3fa2c1")
        #expect(throws: (any Error).self) { try IDArgument.parse("3fa") }
    }

    @Test func absenceIsToldToPeopleOnly() {
        #expect(AbsenceNote.stored.words(isOffline: true, json: false)?.english.hasSuffix("tour-chat run") == true)
        #expect(AbsenceNote.stored.words(isOffline: true, json: true) == nil)
        #expect(AbsenceNote.nobodyCanJoin.words(isOffline: false, json: false) == nil)
    }

    private static func complaint(_ line: String) -> String? {
        guard case .unknown(let words) = ChatInput(line) else { return nil }
        return words.english
    }

    @Test func chatLines() {
        #expect(ChatInput("hello") == .say("hello"))
        #expect(ChatInput("//x") == .say("/x"))
        #expect(ChatInput("/announce bus at 5 ") == .announce("bus at 5", isUrgent: false))
        #expect(ChatInput("/urgent bus at 5") == .announce("bus at 5", isUrgent: true))
        #expect(Self.complaint("/urgent ") == "/urgent wants a text")
        #expect(
            Self.complaint("/announce --urgent bus") == "/announce takes no options; /urgent TEXT is for urgent ones")
        #expect(ChatInput("/missing") == .missing)
        #expect(ChatInput("/quit") == .quit)
        #expect(Self.complaint("/nope") == "/nope is no command; /help lists them")
    }
}
