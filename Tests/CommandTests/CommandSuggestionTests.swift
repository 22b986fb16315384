import Testing
import TourAPI
import TourClient
import TourCommands
import TourJSON
import TourPresentation
import TourWords

/// Goal: a mistyped command is named as such, with the one that was meant; right ones pass.
/// Method: the program's own commands; each kind of typing error.
@Suite struct CommandSuggestionTests {
    private static func complaint(_ arguments: String...) -> String? {
        CommandSuggestion.complaint(about: arguments, commands: TourChat.commandWords)?.english
    }

    @Test(arguments: [
        ("jion", "join"), ("mesages", "messages"), ("sendd", "send"), ("statas", "status"), ("JOIN", "join"),
        ("create", "tour create"), ("invit", "tour invite"),
    ])
    func whatWasMeant(typed: String, meant: String) {
        #expect(Self.complaint(typed, "x") == "There is no command '\(typed)'. Did you mean '\(meant)'?")
    }

    @Test func theWordBehindAWordIsLookedAtToo() {
        #expect(Self.complaint("tour", "creat") == "There is no command 'tour creat'. Did you mean 'tour create'?")
        #expect(Self.complaint("tour", "send") == "There is no command 'tour send'. Did you mean 'send'?")
    }

    @Test func whatIsLikeNothingIsOnlyRefused() {
        #expect(Self.complaint("bus") == "There is no command 'bus'.")
        #expect(Self.complaint("on my way\u{1B}[31m") == "There is no command 'on my way\u{241B}[31m'.")
        let text = String(repeating: "join", count: 10_000)
        #expect(Self.complaint(text)?.hasSuffix("join'.") == true)
    }

    @Test func whatHelpIsAskedForIsLookedAtToo() {
        #expect(Self.complaint("help", "nosuch") == "There is no command 'nosuch'.")
        #expect(Self.complaint("help", "jion") == "There is no command 'jion'. Did you mean 'join'?")
        #expect(Self.complaint("help", "tour", "creat")?.contains("'tour creat'") == true)
    }

    @Test func helpBehindAGroupIsHelpOnIt() {
        func normalized(_ arguments: String...) -> [String] {
            CommandSuggestion.normalized(arguments, commands: TourChat.commandWords)
        }
        #expect(normalized("tour", "help") == ["help", "tour"])
        #expect(normalized("tour", "help", "create") == ["help", "tour", "create"])
        #expect(normalized("send", "help") == ["send", "help"])
        #expect(normalized("help", "help") == ["help", "help"] && normalized("tour") == ["tour"])
    }

    @Test func newPassphrasesAreNotTooShort() {
        #expect(throws: CommandFailure.self) { try PassphraseRule.check(Array("lantern".utf8), allowsWeak: false) }
        // Characters, not bytes.
        #expect(throws: CommandFailure.self) { try PassphraseRule.check(Array("äöüß€".utf8), allowsWeak: false) }
        #expect(throws: Never.self) { try PassphraseRule.check(Array("lantern".utf8), allowsWeak: true) }
        #expect(throws: Never.self) { try PassphraseRule.check(Array("lanterns".utf8), allowsWeak: false) }
    }

    @Test func adviceComesFromTheFaultOrFromTheNode() {
        let own = CommandFailure(code: "file-exists", message: Phrase(verbatim: "m"), advice: .replaceFile)
        #expect(own.advice?.english.contains("--force") == true)
        let error: JSON = ["code": "c", "message": "m", "advice": "a"]
        #expect(CommandFailure(answer: ["error": error], status: 400).advice?.english == "a")
        #expect(CommandFailure(answer: ["error": ["code": "c", "message": "m"]], status: 400).advice == nil)
        #expect(CommandFailure(Problem(code: "c", message: "m", advice: "a")).advice?.english == "a")
        #expect(CommandFailure(answer: nil, status: 500).code == "http-500")
    }

    @Test func rightOnesPass() {
        for command in TourChat.commandWords {
            let words = command.split(separator: " ").map { String($0) }
            #expect(CommandSuggestion.complaint(about: words + ["--json"], commands: TourChat.commandWords) == nil)
        }
        #expect(Self.complaint("send", "jion") == nil)
        #expect(Self.complaint("help", "tour", "create") == nil && Self.complaint("help") == nil)
        #expect(Self.complaint("--version") == nil && Self.complaint() == nil && Self.complaint("tour") == nil)
    }
}
