import ArgumentParser
import Testing
import TourCommands
import TourPresentation
import TourWords

/// Goal: advice at a terminal names commands that exist, and sets them off from its sentence.
/// Method: the command line reads each, and carries out none.
@Suite struct TerminalSurfaceTests {
    /// What stands for something else in a name.
    private static let placeholders = [
        "CODE": "AH3Z-ZHNL-JN4N-2GGC-4QEO-WTPI-2R7M-FKIW-XSFJ-OQPP-T6FH-2GIL-VQWR-4WVL",
        "URL": "https://tours.example", "NUMBER": "+905551112233", "FILE": "/tmp/authorities.pem",
    ]

    @Test(arguments: UserAction.allCases)
    func everyActionIsACommand(action: UserAction) {
        let command = TerminalSurface.command(for: action)
        let words = GlobalArguments.normalized(command.split(separator: " ").map { Self.word(String($0)) })
        // Where nobody can be asked, as here, some of them want a word that a terminal makes needless.
        let parsed = (try? TourChat.parseAsRoot(words)) ?? (try? TourChat.parseAsRoot(words + ["--yes"]))
        // A command with subcommands is only their heading.
        #expect(parsed.map { type(of: $0).configuration.subcommands.isEmpty } == true, "tour-chat \(command)")
    }

    @Test(arguments: UserAction.allCases)
    func everyNameHoldsItsCommand(action: UserAction) {
        let name = TerminalSurface().name(of: action)
        #expect(name.english.contains("'tour-chat \(TerminalSurface.command(for: action))'"))
        for language in Language.allCases {
            #expect(name.said(in: language).contains("tour-chat \(TerminalSurface.command(for: action))"))
        }
    }

    @Test func aLoginSaysThatEmailDoesAsWell() {
        let name = TerminalSurface().name(of: .login(.account)).english
        #expect(name == "'tour-chat login --phone NUMBER' (or --email ADDRESS)")
    }

    private static func word(_ word: String) -> String { placeholders[word] ?? word }
}
