import ArgumentParser
import CProcess
import Glibc
import TourModel
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
            CommandGroup(
                name: "Node:",
                subcommands: [
                    RunCommand.self, PageCommand.self, StatusCommand.self, PeersCommand.self, DoctorCommand.self,
                    DesktopCommand.self, SetupCommand.self, HotspotCommand.self,
                ]),
            CommandGroup(
                name: "Tour:",
                subcommands: [
                    TourCommand.self, JoinCommand.self, NameCommand.self, MembersCommand.self, RoleCommand.self,
                    RemoveCommand.self, ShareCommand.self, SeatsCommand.self,
                ]),
            CommandGroup(
                name: "Messages:",
                subcommands: [
                    ChatCommand.self, SendCommand.self, AnnounceCommand.self, MeetCommand.self, LostCommand.self,
                    FoundCommand.self, AlarmsCommand.self, RollCommand.self, UnderstoodCommand.self,
                    MessagesCommand.self,
                    ReceiptsCommand.self, DeleteCommand.self, ExportCommand.self,
                ]),
            CommandGroup(name: "Files:", subcommands: [FilesCommand.self, SaveCommand.self, OpenCommand.self]),
            CommandGroup(
                name: "Notebook:",
                subcommands: [
                    NotesCommand.self, PlacesCommand.self, ItineraryCommand.self, SharedCommand.self,
                    NotebookCommand.self,
                ]),
            CommandGroup(
                name: "Server:",
                subcommands: [
                    LoginCommand.self, AccountCommand.self, LogoutCommand.self, SyncCommand.self, ArchiveCommand.self,
                ]),
            CommandGroup(
                name: "Data:",
                subcommands: [
                    PassphraseCommand.self, LockCommand.self, UnlockCommand.self, BackupCommand.self,
                    RestoreCommand.self, WipeCommand.self,
                ]),
        ])

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
        CommandLoop.main.run { await perform(Array(CommandLine.arguments.dropFirst())) }
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

    /// Commands that programs call over and over. One that is parsed by itself starts sooner than as one of all
    /// commands, at each of which the parser looks first (`Documentation/decisions/001-frequent-commands.md`).
    private static let frequent: [String: any AsyncParsableCommand.Type] = [
        "send": SendCommand.self, "messages": MessagesCommand.self, "status": StatusCommand.self,
        "peers": PeersCommand.self, "files": FilesCommand.self, "members": MembersCommand.self,
    ]

    /// - Returns: nil for another command, and for words that this one does not understand: what is said about them is
    ///   said in view of all commands.
    package static func frequentCommand(_ words: [String]) -> (any AsyncParsableCommand)? {
        guard let name = words.first, let command = frequent[name] else { return nil }
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
