import ArgumentParser
import TourJSON
import TourModel
import TourNotebook
import TourWords

/// The itinerary that a command is about.
struct ItineraryArgument: ParsableArguments {
    @Argument(help: ArgumentHelp(Phrase("The itinerary: six or more digits of its id, or its title.")))
    var itinerary: String
}

/// `itinerary add`
struct ItineraryAdd: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: Phrase("Add a stop to an itinerary."),
        discussion: Phrase(
            """
            Behind the others unless --position says where; with --stop one that another itinerary has already.

            EXAMPLES
              tour-chat itinerary add Tuesday "Eiffel Tower" --at 48.8584,2.2945 --time 10:00
              tour-chat itinerary add Tuesday "Lunch" --position 2 --note "A table for twelve"
              tour-chat itinerary add Wednesday --stop 3fa2c1
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: ItineraryArgument
    @Argument(help: ArgumentHelp(Phrase("What the stop is called.")))
    var title: String?
    @Option(
        help: ArgumentHelp(
            Phrase("A stop that is there: six or more digits of its id, or its title."), valueName: "stop"))
    var stop: String?
    @OptionGroup var details: StopOptions
    @Option(help: ArgumentHelp(Phrase("Its place in the list, from 1."), valueName: "n"))
    var position: Int?

    func validate() throws {
        guard (title == nil) != (stop == nil) else {
            throw ValidationError(Phrase("Give the title of a new stop, or one that is there with --stop."))
        }
        guard stop == nil || details.isEmpty else {
            throw ValidationError(
                Phrase("--at, --time, --note and --type are for a new stop: 'itinerary edit' changes one."))
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var fields = try await details.fields(client)
        fields.set("title", title)
        fields.set("stop", stop)
        fields.set("position", position.map { JSON.number(String($0)) })
        let path = NotebookPath.item(.itinerary, target.itinerary, "samples")
        let itinerary = try await client.call(.POST, path, fields.json)
        try itinerary.showItinerary(output)
    }
}

/// The details of a stop beside its title.
struct StopOptions: ParsableArguments {
    @OptionGroup var place: WhereOptions
    @Option(
        help: ArgumentHelp(
            Phrase("When the group is there: 14:30, \"2026-06-01 09:30\" by the clocks here, or 2026-06-01T07:30:00Z."),
            valueName: "when"))
    var time: MomentArgument?
    @Option(help: ArgumentHelp(Phrase("What you want to know about it."), valueName: "text"))
    var note: String?
    @Option(help: ArgumentHelp(Phrase("What kind of stop: museum, lunch, …"), valueName: "word"))
    var type: String?

    var isEmpty: Bool { place.at == nil && time == nil && note == nil && type == nil }

    func fields(_ client: LocalClient) async throws -> ItemFields {
        var fields = ItemFields()
        fields.set("place", try await place.address(client))
        fields.set("at", time?.moment.text)
        fields.set("note", note.map { $0.isEmpty ? JSON.null : .text($0) })
        fields.set("material_type", type)
        return fields
    }
}

/// `itinerary edit`
struct ItineraryEdit: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: Phrase("Change an itinerary, or one of its stops."),
        discussion: Phrase(
            """
            --stop names the stop by its number in the list, six or more digits of its id, or its title. An empty \
            --note or --description takes that away.

            EXAMPLES
              tour-chat itinerary edit Tuesday --title "Tuesday by boat"
              tour-chat itinerary edit Tuesday --stop 2 --time 12:30 --note "A table for twelve"
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: ItineraryArgument
    @Option(help: ArgumentHelp(Phrase("Change this stop, not the itinerary."), valueName: "stop"))
    var stop: String?
    @Option(help: ArgumentHelp(Phrase("The new title.")))
    var title: String?
    @Option(help: ArgumentHelp(Phrase("What there is to say of the itinerary."), valueName: "text"))
    var description: String?
    @OptionGroup var details: StopOptions

    func validate() throws {
        guard stop != nil || details.isEmpty else {
            throw ValidationError(Phrase("--at, --time, --note and --type go with --stop."))
        }
        guard stop == nil || description == nil else {
            throw ValidationError(Phrase("A stop has a --note, no --description."))
        }
        guard title != nil || description != nil || !details.isEmpty else {
            throw ValidationError(Phrase("Say what is to change."))
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var fields = try await details.fields(client)
        fields.set("title", title)
        fields.set("description", description.map { $0.isEmpty ? JSON.null : .text($0) })
        let path =
            if let stop {
                NotebookPath.item(.itinerary, target.itinerary, "samples", stop)
            } else {
                NotebookPath.item(.itinerary, target.itinerary)
            }
        try output.confirmChange(try await client.call(.PATCH, path, fields.json))
    }
}

/// `itinerary move`
struct ItineraryMove: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: Phrase("Move a stop to another place in its itinerary."),
        discussion: Phrase(
            """
            The stop is named by its number in the list, six or more digits of its id, or its title.

            EXAMPLES
              tour-chat itinerary move Tuesday 3 1
              tour-chat itinerary move Tuesday "Eiffel Tower" 2
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: ItineraryArgument
    @Argument(help: ArgumentHelp(Phrase("The stop.")))
    var stop: String
    @Argument(help: ArgumentHelp(Phrase("Its new place in the list, from 1.")))
    var position: Int

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let path = NotebookPath.item(.itinerary, target.itinerary, "samples", stop)
        let itinerary = try await client.call(.PUT, path, ["position": .number(String(position))])
        try itinerary.showItinerary(output)
    }
}

/// `itinerary drop`
struct ItineraryDrop: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract: Phrase("Take a stop out of an itinerary."),
        discussion: Phrase(
            """
            One that is in no other itinerary is removed with that, unless --keep says that you want to add it \
            somewhere else later.

            EXAMPLES
              tour-chat itinerary drop Tuesday 3
              tour-chat itinerary drop Tuesday "Eiffel Tower" --keep
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: ItineraryArgument
    @Argument(
        help: ArgumentHelp(Phrase("The stop: its number in the list, six or more digits of its id, or its title.")))
    var stop: String
    @Flag(help: ArgumentHelp(Phrase("Keep the stop, also if it is in no other itinerary.")))
    var keep = false

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let path = LocalPath.make(
            ["notebook", NotebookKind.itinerary.rawValue, target.itinerary, "samples", stop],
            query: [("keep", keep ? "true" : nil)])
        let itinerary = try await client.call(.DELETE, path)
        try itinerary.showItinerary(output)
    }
}
