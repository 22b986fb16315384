import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourWords

/// `shared …`: records of guides' notebooks.
struct SharedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shared",
        abstract: Phrase("The itineraries, places and notes that guides share in the tour."),
        discussion: Phrase(
            """
            They are on this device, with or without a network. Guides share them with 'itinerary publish', 'places \
            publish' and 'notes publish'.

            EXAMPLES
              tour-chat shared list
              tour-chat shared show 3fa2c1 --changes
              tour-chat shared copy 3fa2c1
            """),
        subcommands: [SharedList.self, SharedShow.self, SharedCopy.self])
}

/// `shared list`
struct SharedList: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: Phrase("List what is shared in the tour."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat shared list
              tour-chat shared list --json
            """))

    @OptionGroup var choice: TourChoice

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.GET, tourPath("shared"))
        guard let list: SharedRecords = try output.forPeople(eachOf: answer) else { return }
        let head = [
            Phrase("ID"), Phrase("KIND"), Phrase("TITLE"), Phrase("STOPS"), Phrase("VERSION"), Phrase("BY"),
            Phrase("WHEN"),
        ]
        try output.table(list.records, head, none: Phrase("Nothing is shared.")) { record in
            [
                .init(String(record.record.prefix(8)), .dim), .init(StatusWords.record(record.type)),
                .init(record.title, .bold), .init(record.stops.map { String($0) } ?? ""),
                .init(String(record.version)), .init(record.authorName), .moment(record.publishedAt),
            ]
        }
    }
}

/// `shared show`
struct SharedShow: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: Phrase("Show a shared itinerary, place or note."),
        discussion: Phrase(
            """
            The id is the record's, then it is shown as it is now; or that of a message that told of a version, then \
            it is shown as it was then. With --changes also what that version changed: + added, - removed, > moved, \
            * changed.

            EXAMPLES
              tour-chat shared show 3fa2c1
              tour-chat shared show 3fa2c1 --changes
              tour-chat shared show 3fa2c1 --json
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Six or more digits of its id, or its title.")))
    var id: String
    @Flag(help: ArgumentHelp(Phrase("Also what is new since the version before.")))
    var changes = false

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let path = tourPath("shared", id, query: [("changes", changes ? "true" : nil)])
        guard let record: SharedRecordView = try await output.forPeople(client.call(.GET, path)) else { return }
        let words = SharedRecordWords(record)
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
        abstract: Phrase("Copy something that is shared into your own notebook."),
        discussion: Phrase(
            """
            The copy is yours: what the guide changes later is not in it. Copied twice it is there twice.

            EXAMPLES
              tour-chat shared copy 3fa2c1
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Six or more digits of its id, or its title.")))
    var id: String

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.POST, tourPath("shared", id, "copy"))
        guard let copy: CopiedRecord = try output.forPeople(answer) else { return }
        let title = output.foreign(copy.title, .bold)
        try output.text(Phrase("\(title) is in your notebook (\(copy.id.prefix(8)))."))
    }
}
