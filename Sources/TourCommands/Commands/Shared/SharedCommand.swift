import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourWords

/// `shared …`: records of guides' notebooks.
struct SharedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shared",
        abstract: Phrase("The itineraries, places and notes that guides share in the tour.").text,
        discussion: Phrase(
            """
            They are on this device, with or without a network. Guides share them with 'itinerary publish', 'places \
            publish' and 'notes publish'.

            EXAMPLES
              tour-chat shared list
              tour-chat shared show 3fa2c1 --changes
              tour-chat shared copy 3fa2c1
            """
        ).text,
        subcommands: [SharedList.self, SharedShow.self, SharedCopy.self])
}

/// `shared list`
struct SharedList: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: Phrase("List what is shared in the tour.").text,
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat shared list
              tour-chat shared list --json
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let records = try await client.call(.GET, tourPath("shared"))["records"]?.list ?? []
        if output.json { return try records.forEach(output.object) }
        guard !records.isEmpty else { return try output.text(Phrase("Nothing is shared.")) }
        var table = Table([
            Phrase("ID"), Phrase("KIND"), Phrase("TITLE"), Phrase("STOPS"), Phrase("VERSION"), Phrase("BY"),
            Phrase("WHEN"),
        ])
        for record in records {
            table.add([
                .init(String(record.shown("record").prefix(8)), .dim), .init(StatusWords.record(record.shown("type"))),
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
        abstract: Phrase("Show a shared itinerary, place or note.").text,
        discussion: Phrase(
            """
            The id is the record's, then it is shown as it is now; or that of a message that told of a version, then \
            it is shown as it was then. With --changes also what that version changed: + added, - removed, > moved, \
            * changed.

            EXAMPLES
              tour-chat shared show 3fa2c1
              tour-chat shared show 3fa2c1 --changes
              tour-chat shared show 3fa2c1 --json
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Six or more digits of its id, or its title.")))
    var id: String
    @Flag(help: ArgumentHelp(Phrase("Also what is new since the version before.")))
    var changes = false

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let record = try await client.call(
            .GET, tourPath("shared", id, query: [("changes", changes ? "true" : nil)]))
        if output.json { return try output.object(record) }
        let words = SharedRecordWords(try SharedRecordView(answer: record))
        var lines = words.lines
        lines[0] = output.styled(lines[0], .bold)
        if changes {
            let news = words.changeLines
            lines += [.empty] + (news.isEmpty ? [Phrase("There is no version before this one.")] : news)
        }
        try output.text(lines)
    }
}

/// `shared copy`
struct SharedCopy: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: Phrase("Copy something that is shared into your own notebook.").text,
        discussion: Phrase(
            """
            The copy is yours: what the guide changes later is not in it. Copied twice it is there twice.

            EXAMPLES
              tour-chat shared copy 3fa2c1
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Six or more digits of its id, or its title.")))
    var id: String

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.POST, tourPath("shared", id, "copy"))
        if output.json { return try output.object(answer) }
        try output.text(
            Phrase(
                "\(output.foreign(answer.shown("title"), .bold)) is in your notebook (\(answer.shown("id").prefix(8)))."
            ))
    }
}
