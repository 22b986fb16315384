import ArgumentParser
import TourJSON
import TourModel
import TourNotebook
import TourPresentation
import TourWords

/// `itinerary …`
struct ItineraryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "itinerary",
        abstract: Phrase("Your itineraries: stops in their order."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat itinerary create "Tuesday"
              tour-chat itinerary add Tuesday "Eiffel Tower" --at 48.8584,2.2945 --time "2026-06-02 10:00"
              tour-chat itinerary show Tuesday
            """),
        subcommands: [
            ItineraryList.self, ItineraryShow.self, ItineraryCreate.self, ItineraryEdit.self,
            RemoveItem<ItineraryItem>.self, ItineraryAdd.self, ItineraryMove.self, ItineraryDrop.self,
            PrintItem<ItineraryItem>.self, Publish<ItineraryItem>.self, Unpublish<ItineraryItem>.self,
            ItineraryMeet.self,
        ])
}

/// `itinerary list`
struct ItineraryList: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: Phrase("List your itineraries."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat itinerary list
              tour-chat itinerary list --json
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var search: SearchOption

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let itineraries = try await client.items(.itinerary)
            .filter { search.fits([$0.title, $0.shown("description")]) }
        let head = [Phrase("ID"), Phrase("TITLE"), Phrase("STOPS"), Phrase("CHANGED")]
        try output.list(itineraries, head, none: Phrase("No itineraries.")) { itinerary in
            [
                .init(itinerary.shortID, .dim), .init(itinerary.title, .bold),
                .init(String(itinerary["samples"]?.list?.count ?? 0)), .init(itinerary.changedAt),
            ]
        }
    }
}

/// `itinerary show`
struct ItineraryShow: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: Phrase("Show one itinerary with its stops."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat itinerary show Tuesday
              tour-chat itinerary show 3fa2c1 --json
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: ItemArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let itinerary = try await client.call(.GET, NotebookPath.item(.itinerary, target.item))
        try itinerary.showItinerary(output)
    }
}

/// `itinerary create`
struct ItineraryCreate: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: Phrase("Begin an itinerary."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat itinerary create "Tuesday"
              tour-chat itinerary create "Tuesday" --description "By boat, if it does not rain"
            """))

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("Its title.")))
    var title: String
    @Option(help: ArgumentHelp(Phrase("What there is to say of it."), valueName: "text"))
    var description: String?

    var absence: NodeAccess.Absence { .begin }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var fields = ItemFields()
        fields.set("title", title)
        fields.set("description", description)
        let answer = try await client.call(.POST, NotebookPath.list(.itinerary), fields.json)
        try output.confirm(answer) { Phrase("Begun \($0) (\($1)).") }
    }
}

extension JSON {
    /// Prints an itinerary, with its stops.
    func showItinerary(_ output: Output) throws {
        if output.json { return try output.object(self) }
        let stops = self["stops"]?.list ?? []
        let count = Phrase(stops.count, one: "\(stops.count) stop", other: "\(stops.count) stops")
        let facts = Phrase([Phrase(verbatim: shortID), count, Phrase(verbatim: changedAt)], separator: " · ")
        try output.text(Phrase(verbatim: output.foreign(title, .bold)), output.styled(facts, .dim))
        if let problem = self["problem"]?.text { try output.text(Phrase(verbatim: output.foreign(problem, .yellow))) }
        if let words = self["description"]?.text {
            try output.text(Phrase(verbatim: TerminalText.safe(words, keepsNewlines: true)))
        }
        guard !stops.isEmpty else { return }
        var table = Table([.empty, Phrase("STOP"), Phrase("WHEN"), Phrase("WHERE"), Phrase("ID"), Phrase("NOTE")])
        for (index, stop) in stops.enumerated() {
            table.add([
                .init(String(index + 1)), .init(stop.title, .bold),
                .init(Timestamp(stop.shown("at"))?.dateAndTime ?? ""), .init(stop.shown("place").withoutGeo),
                .init(stop.shortID, .dim), .init(stop.shown("note")),
            ])
        }
        try output.text(.empty)
        try output.table(table)
    }
}
