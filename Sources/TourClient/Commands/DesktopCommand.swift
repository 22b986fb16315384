import ArgumentParser
import TourDesktop
import TourJSON
import TourPresentation
import TourWords

/// `desktop`
struct DesktopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "desktop",
        abstract: Phrase("Add Tour Chat to the application menu, or remove it."),
        discussion: Phrase(
            """
            The menu's entry opens the page, and starts the node if none runs; a tour-chat:// link opens the page \
            where you can join. \
            Both are for you alone: nothing is written outside your own files.

            EXAMPLES
              tour-chat desktop install
              tour-chat desktop remove
            """),
        subcommands: [DesktopInstall.self, DesktopRemove.self])
}

/// `desktop install`
struct DesktopInstall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: Phrase("Add Tour Chat to the application menu, and let it open tour-chat:// links."))

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let files = try DesktopFiles.ofUser()
        let isKnown = try await files.install(try DesktopEntry(command: try command, comment: .ofProgram))
        try global.output.done(
            ["entry": .text(files.entry), "icon": .text(files.icon), "handlesLinks": .flag(isKnown)],
            Phrase("Tour Chat is in the application menu: \(files.entry)"),
            isKnown
                ? Phrase("tour-chat:// links open with it.")
                : Phrase("For tour-chat:// links install xdg-utils and desktop-file-utils, and call this again."))
    }

    /// This program at its present path, with the data directory that it was given.
    private var command: [String] {
        get throws {
            var words = [try NodeStart.program, "page", "--start"]
            let given = global.dataDirectory ?? environmentValue("TOUR_CHAT_DATA_DIR")
            if let given, !given.isEmpty { words += ["--data-dir", try AbsolutePath.of(given)] }
            return words
        }
    }
}

/// `desktop remove`
struct DesktopRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: Phrase("Remove Tour Chat from the application menu."))

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let wasThere = try await DesktopFiles.ofUser().remove()
        try global.output.done(
            ["removed": .flag(wasThere)],
            wasThere
                ? Phrase("Tour Chat is no longer in the application menu.")
                : Phrase("Tour Chat was not in the application menu."))
    }
}
