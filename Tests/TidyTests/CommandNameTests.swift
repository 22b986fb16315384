import Foundation
import Testing

/// Goal: the words of each surface stand at the edge: below the command line no text names one of its commands.
/// Method: searches the strings of every file for `tour-chat` and a command behind it; the commands are those that
/// the sources of the command line name.
struct CommandNameTests {
    /// Modules that are the command line, or that have none of a node's commands.
    private static let beside: Set<String> = [
        "TourClient", "TourCommands", "tour-chat", "ServerBase", "ServerStorage", "ServerRequests", "ServerAccounts",
        "ServerNotebook", "ServerTours", "TourServer", "tour-server", "tour-sim",
    ]

    @Test func noTextNamesACommandBelowTheCommandLine() {
        let commands = Self.commands
        #expect(commands.contains("login") && commands.contains("join") && commands.count > 30)
        let files = Repository.sources.filter { !Self.beside.contains($0.target) && !$0.isGenerated }
        let found = files.flatMap { Self.mentions(in: $0, of: commands) }
        #expect(found.isEmpty, report(found))
    }

    @Test func samplesAreJudgedRight() {
        let text = """
            let a = "Nobody is logged in: 'tour-chat login'."
            // 'tour-chat login' in a comment
            let b = "no tour-chat server, tour-chat.toml, _tour-chat._tcp"
            let c = \"""
                makes it known by 'tour-chat \\
                sync'.
                \"""
            """
        let file = SourceFile(path: "Sources/TourStore/Sample.swift", text: text)
        let found = Self.mentions(in: file, of: ["login", "sync"])
        #expect(found == ["Sources/TourStore/Sample.swift:1: login", "Sources/TourStore/Sample.swift:5: sync"])
    }

    /// The names of all commands, as their configurations have them.
    private static var commands: Set<String> {
        let files = Repository.sources.filter { ["TourClient", "TourCommands"].contains($0.target) }
        let names = files.flatMap { $0.lines(with: ["commandName"], in: \.text) }
            .flatMap { $0.text.matches(of: /commandName: "([a-z-]+)"/) }.map { String($0.1) }
        return Set(names).subtracting(["tour-chat"])
    }

    private static func mentions(in file: SourceFile, of commands: Set<String>) -> [String] {
        file.lines(with: ["tour-chat "], in: \.text).flatMap { line -> [String] in
            guard !line.text.drop(while: { $0 == " " }).hasPrefix("//") else { return [] }
            // A string may continue in the next line.
            let next = file.line(after: line, in: \.text)?.text.drop { $0 == " " } ?? ""
            let text = line.text.hasSuffix("\\") ? line.text.dropLast() + next : line.text[...]
            return text.matches(of: /tour-chat ([a-z]+)/).compactMap { match in
                guard commands.contains(String(match.1)), match.range.lowerBound < line.text.endIndex else {
                    return nil
                }
                return "\(file.path):\(line.number): \(match.1)"
            }
        }
    }
}
