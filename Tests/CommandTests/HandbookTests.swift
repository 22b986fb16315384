import ArgumentParser
import Foundation
import Testing
import TourClient
import TourCommands

/// Goal: every command that README and the handbook show is one that this program takes.
/// Method: the command line reads each, and carries out none.
struct HandbookTests {
    /// What stands for something else in a text.
    private static let placeholders = [
        "ID": "c1d37291", "CODE": "AH3Z-ZHNL-JN4N-2GGC-4QEO-WTPI-2R7M-FKIW-XSFJ-OQPP-T6FH-2GIL-VQWR-4WVL",
        "DIR": "/tmp",
        "HOST:PORT": "192.0.2.1:4000", "ADDRESS": "https://tours.example", "NAME": "Museum",
    ]

    @Test func everyCommandIsRead() throws {
        let commands = try Self.documents().flatMap { try Self.commands(in: String(contentsOf: $0, encoding: .utf8)) }
        #expect(commands.count > 50)
        // The version is said while the line is read.
        for command in commands where command != ["--version"] {
            let words = GlobalArguments.normalized(command.map { Self.placeholders[$0] ?? $0 })
            // Where nobody can be asked, as here, some of them want a word that a terminal makes needless.
            let parsed = (try? TourChat.parseAsRoot(words)) ?? (try? TourChat.parseAsRoot(words + ["--yes"]))
            // A command with subcommands is only their heading.
            #expect(
                parsed.map { type(of: $0).configuration.subcommands.isEmpty } == true,
                "tour-chat \(command.joined(separator: " "))")
        }
    }

    private static func documents() throws -> [URL] {
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 1...3 { root.deleteLastPathComponent() }
        if let path = ProcessInfo.processInfo.environment["TOUR_CHAT_ROOT"] {
            root = URL(fileURLWithPath: path, isDirectory: true)
        }
        let handbook = root.appendingPathComponent("Documentation")
        let pages = try FileManager.default.contentsOfDirectory(at: handbook, includingPropertiesForKeys: nil)
        return [root.appendingPathComponent("README.md")] + pages.filter { $0.pathExtension == "md" }
    }

    /// The words behind `tour-chat` of each line of a block that begins with it, with or without a prompt.
    private static func commands(in text: String) -> [[String]] {
        var isBlock = false
        var found = [[String]]()
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isBlock.toggle() }
            guard isBlock, let command = line.firstMatch(of: /^(?:\$ )?tour-chat (.*)$/) else { continue }
            found.append(words(of: command.1))
        }
        return found
    }

    /// As a shell splits a line: quotes keep blanks, a comment ends it.
    private static func words(of line: Substring) -> [String] {
        line.matches(of: /"([^"]*)"|#.*$|[^\s"]+/).compactMap { match in
            if let quoted = match.1 { return String(quoted) }
            return match.0.hasPrefix("#") ? nil : String(match.0)
        }
    }
}
