import ArgumentParser

/// The commands that talk to a node alone, as the program's help groups them.
package enum ClientCommands {
    /// How the node runs, and what is on this machine beside it.
    package static let ofNode: [any ParsableCommand.Type] = [
        StatusCommand.self, PeersCommand.self, DoctorCommand.self, DesktopCommand.self, SetupCommand.self,
        HotspotCommand.self,
    ]

    /// Tours and what is said in them, the notebook, and the server.
    package static let groups = [
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
                FoundCommand.self, AlarmsCommand.self, RollCommand.self, UnderstoodCommand.self, QuietCommand.self,
                MessagesCommand.self, ReceiptsCommand.self, DeleteCommand.self, ExportCommand.self,
            ]),
        CommandGroup(name: "Files:", subcommands: [FilesCommand.self, SaveCommand.self, OpenCommand.self]),
        CommandGroup(
            name: "Notebook:",
            subcommands: [
                NotesCommand.self, PlacesCommand.self, ItineraryCommand.self, SharedCommand.self, NotebookCommand.self,
            ]),
        CommandGroup(
            name: "Server:",
            subcommands: [
                LoginCommand.self, AccountCommand.self, LogoutCommand.self, SyncCommand.self, ArchiveCommand.self,
            ]),
    ]

    /// How the data here is protected and kept.
    package static let ofData: [any ParsableCommand.Type] = [
        PassphraseCommand.self, LockCommand.self, UnlockCommand.self, BackupCommand.self,
    ]

    /// Commands that programs call over and over. One that is parsed by itself starts sooner than as one of all
    /// commands, at each of which the parser looks first (`Documentation/decisions/001-frequent-commands.md`).
    package static let frequent: [String: any AsyncParsableCommand.Type] = [
        "send": SendCommand.self, "messages": MessagesCommand.self, "status": StatusCommand.self,
        "peers": PeersCommand.self, "files": FilesCommand.self, "members": MembersCommand.self,
    ]
}
