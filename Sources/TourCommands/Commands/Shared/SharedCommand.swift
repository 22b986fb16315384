import ArgumentParser
import TourModel
import TourNode
import TourWeb

/// `shared …`: what guides share of their notebooks.
struct SharedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shared",
        abstract: "The itineraries, places and notes that guides share in the tour.",
        discussion: """
            They are on this device, with or without a network. Guides share them with 'itinerary publish', 'places \
            publish' and 'notes publish'.

            EXAMPLES
              tour-chat shared list
              tour-chat shared show 3fa2c1 --changes
              tour-chat shared copy 3fa2c1
            """,
        subcommands: [SharedList.self, SharedShow.self, SharedCopy.self])
}

/// `shared list`
struct SharedList: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what is shared in the tour.",
        discussion: """
            EXAMPLES
              tour-chat shared list
              tour-chat shared list --json
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let records = try await client.call(.GET, tourPath("shared"))["records"]?.list ?? []
        if output.json { return try records.forEach(output.object) }
        guard !records.isEmpty else { return try output.text("Nothing is shared.") }
        var table = Table(["ID", "KIND", "TITLE", "STOPS", "VERSION", "BY", "WHEN"])
        for record in records {
            table.add([
                .init(String(record.shown("record").prefix(8)), .dim), .init(record.shown("type")),
                .init(record.shown("title"), .bold), .init(record.shown("stops")), .init(record.shown("version")),
                .init(record.shown("authorName")), .init(Timestamp(record.shown("publishedAt"))?.dateAndTime ?? ""),
            ])
        }
        try output.table(table)
    }
}

/// `shared show`
struct SharedShow: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a shared itinerary, place or note.",
        discussion: """
            The id is the record's, then it is shown as it is now; or that of a message that told of a version, then \
            it is shown as it was then. With --changes also what that version changed: + added, - removed, > moved, \
            * changed.

            EXAMPLES
              tour-chat shared show 3fa2c1
              tour-chat shared show 3fa2c1 --changes
              tour-chat shared show 3fa2c1 --json
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: "Six or more digits of its id, or its title.")
    var id: String
    @Flag(help: "Also what is new since the version before.")
    var changes = false

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let record = try await client.call(
            .GET, tourPath("shared", id, query: [("changes", changes ? "true" : nil)]))
        if output.json { return try output.object(record) }
        let words = SharedRecordWords(record)
        var lines = words.lines
        lines[0] = output.styled(lines[0], .bold)
        if changes {
            let news = words.changeLines
            lines += [""] + (news.isEmpty ? ["There is no version before this one."] : news)
        }
        try output.text(lines.joined(separator: "\n"))
    }
}

/// `shared copy`
struct SharedCopy: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy something that is shared into your own notebook.",
        discussion: """
            The copy is yours: what the guide changes later is not in it. Copied twice it is there twice.

            EXAMPLES
              tour-chat shared copy 3fa2c1
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: "Six or more digits of its id, or its title.")
    var id: String

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.POST, tourPath("shared", id, "copy"))
        if output.json { return try output.object(answer) }
        try output.text(
            "\(output.foreign(answer.shown("title"), .bold)) is in your notebook (\(answer.shown("id").prefix(8))).")
    }
}
