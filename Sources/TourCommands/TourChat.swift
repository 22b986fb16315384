import ArgumentParser
import CProcess
import Glibc
import TourClient
import TourModel
import TourNode
import TourWords

/// The command line of a node.
package struct TourChat: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "tour-chat",
        abstract: Phrase("Chat with your tour group over the local network: no internet, no server.").text,
        discussion: Phrase(
            """
            A node runs on each device ('tour-chat run'); the other commands talk to it. Without a running node they \
            do what can be done, and what they queue is sent when one runs.

            EXAMPLES
              tour-chat                            begin, and talk
              tour-chat run --name Anna            the node, in the foreground
              tour-chat tour create "Rome 2026"    a new tour; prints the code to join
              tour-chat join CODE                  on each other device
              tour-chat chat                       talk

            Shell completions: tour-chat --generate-completion-script bash|zsh|fish
            """
        ).text,
        version: "tour-chat \(ProgramVersion.text)",
        groupedSubcommands: [
            CommandGroup(name: "Node:", subcommands: [RunCommand.self, PageCommand.self] + ClientCommands.ofNode)
        ] + ClientCommands.groups + [
            CommandGroup(name: "Data:", subcommands: ClientCommands.ofData + [RestoreCommand.self, WipeCommand.self])
        ],
        helpNames: GlobalArguments.helpNames)

    package init() {}

    /// Runs the command that the program was called with, and ends the process.
    package static func start() -> Never {
        // This program writes files (keys, exports, invitations) for its user alone.
        umask(0o077)
        // Keeps other processes from reading keys and messages in memory; a system that refuses leaves us no
        // alternative.
        _ = process_keep_memory_private()
        // A node is idle nearly always: only the loop and one other thread work at the same time.
        process_bound_heaps(2)
        signal(SIGPIPE, SIG_IGN)
        CommandLoop.main.run {
            await NodeAccess.$homes.withValue(NodeSettings.self) {
                await perform(Array(CommandLine.arguments.dropFirst()))
            }
        }
        Glibc.exit(EXIT_SUCCESS)
    }

    private static func perform(_ words: [String]) async {
        // Somebody who starts the program alone, at a terminal, wants to begin.
        let isBare = words.isEmpty && Confirmation.canBeAsked(json: false)
        let arguments = GlobalArguments.normalized(isBare ? ["chat"] : words)
        do {
            if var command = frequentCommand(arguments) { return try await command.run() }
            try await parseAndRun(arguments)
        } catch {
            FailureReport.exit(error, json: GlobalArguments.wantsJSON(arguments))
        }
    }

    /// - Returns: nil for another command, and for words that this one does not understand: what is said about them is
    ///   said in view of all commands.
    package static func frequentCommand(_ words: [String]) -> (any AsyncParsableCommand)? {
        guard let name = words.first, let command = ClientCommands.frequent[name] else { return nil }
        return try? command.parse(Array(words.dropFirst()))
    }

    private static func parseAndRun(_ words: [String]) async throws {
        let commands = commandWords
        let arguments = CommandSuggestion.normalized(words, commands: commands)
        if let complaint = CommandSuggestion.complaint(about: arguments, commands: commands) {
            throw ValidationError(complaint)
        }
        var command = try parseAsRoot(arguments)
        if var asynchronous = command as? any AsyncParsableCommand {
            try await asynchronous.run()
        } else {
            try command.run()
        }
    }

    /// The words of every command.
    package static var commandWords: [String] { words(of: TourChat.self, below: "") + ["help"] }

    private static func words(of command: any ParsableCommand.Type, below path: String) -> [String] {
        command.configuration.subcommands.flatMap { subcommand -> [String] in
            guard let name = subcommand.configuration.commandName else { return [] }
            return [path + name] + words(of: subcommand, below: path + name + " ")
        }
    }
}
