import ArgumentParser
import Testing
import TourClient
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
        "ID": "3fa2c1", "DIR": "/tmp",
        // Its help is that of a command that does something.
        "--help": "--nothing-since",
    ]

    /// What a command may want beside its name: consent, where nobody can be asked as here; an account; a server.
    private static let completions = [
        [], ["--yes"], ["--phone", "+905551112233"], ["--mailbox", "https://tours.example"],
    ]

    @Test(arguments: UserAction.allCases)
    func everyActionIsACommand(action: UserAction) {
        let command = TerminalSurface.command(for: action)
        let words = GlobalArguments.normalized(command.split(separator: " ").map { Self.word(String($0)) })
        let parsed = Self.completions.lazy.compactMap { try? TourChat.parseAsRoot(words + $0) }.first
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
