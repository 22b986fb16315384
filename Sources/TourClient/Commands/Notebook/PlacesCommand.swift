import ArgumentParser
import TourJSON
import TourModel
import TourNotebook
import TourWords

/// `places …`
struct PlacesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "places",
        abstract: Phrase("Your saved places and links."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat places add "Eiffel Tower" --at 48.8584,2.2945 --category Sights
              tour-chat places list
              tour-chat places import summer.gpx
            """),
        subcommands: [
            PlacesList.self, PlacesShow.self, PlacesAdd.self, PlacesEdit.self, RemoveItem<PlaceItem>.self,
            PlacesSave.self, PlacesCategories.self, PlacesImport.self, PlacesExport.self, Publish<PlaceItem>.self,
            Unpublish<PlaceItem>.self,
        ])
}

/// `places list`
struct PlacesList: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: Phrase("List your places."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat places list
              tour-chat places list --category Sights --search tower
              tour-chat places list --favorites --json
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var search: SearchOption
    @Option(help: ArgumentHelp(Phrase("Only those of this category."), valueName: "name"))
    var category: String?
    @Flag(help: ArgumentHelp(Phrase("Only those marked as favorites.")))
    var favorites = false

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let names = try await client.categoryNames()
        let wanted = category.map { SearchOption.folded($0) }
        let places = try await client.items(.place).filter { place in
            let name = names[place.shown("category_id")] ?? ""
            guard wanted == nil || SearchOption.folded(name) == wanted else { return false }
            guard !favorites || place["is_favorite"]?.flag == true else { return false }
            return search.fits([place.title, place.shown("note"), place.shown("url"), name] + place.tags)
        }
        let head = [Phrase("ID"), Phrase("TITLE"), Phrase("WHERE"), Phrase("CATEGORY"), Phrase("TAGS")]
        try output.list(places, head, none: Phrase("No places.")) { place in
            let star = place["is_favorite"]?.flag == true ? "★ " : ""
            return [
                .init(place.shortID, .dim), .init(star + place.title, .bold), .init(place.shown("url").withoutGeo),
                .init(names[place.shown("category_id")] ?? ""), .init(Phrase(list: place.tags)),
            ]
        }
    }
}

/// `places show`
struct PlacesShow: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: Phrase("Show one place, with its files."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat places show 3fa2c1
              tour-chat places show "Eiffel Tower"
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: ItemArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let place = try await client.call(.GET, NotebookPath.item(.place, target.item))
        if output.json { return try output.object(place) }
        let category = try await client.categoryNames()[place.shown("category_id")]
        var table = Table()
        let star = place["is_favorite"]?.flag == true ? "★ " : ""
        table.add([.init(Phrase("Title")), .init(star + place.title, .bold)])
        table.add([.init(Phrase("ID")), .whole(place.shown("id"))])
        if let address = place["url"]?.text { table.add([.init(Phrase("Where")), .whole(address.withoutGeo)]) }
        if let category { table.add([.init(Phrase("Category")), .init(category)]) }
        if !place.tags.isEmpty {
            table.add([.init(Phrase("Tags")), .init(Phrase(list: place.tags))])
        }
        table.add([.init(Phrase("Changed")), .init(place.changedAt)])
        if let problem = place["problem"]?.text {
            table.add([.init(Phrase("Not synced")), .init(problem, .yellow)])
        }
        try output.table(table)
        if let note = place["note"]?.text {
            try output.text(.empty, Phrase(verbatim: TerminalText.safe(note, keepsNewlines: true)))
        }
        try showFiles(place, output)
    }

    private func showFiles(_ place: JSON, _ output: Output) throws {
        let files = place["files"]?.list ?? []
        guard !files.isEmpty else { return }
        var table = Table([Phrase("FILE"), Phrase("NAME"), Phrase("SIZE"), Phrase("STATE")])
        for file in files {
            let size = UInt64(clamping: file["bytes"]?.integer ?? 0)
            let isHere = file["here"]?.flag == true
            table.add([
                .init(file.shortID, .dim), .init(file.shown("name")), .init(isHere ? ByteCount.shown(size) : .empty),
                .init(isHere ? Phrase("here") : Phrase("at the server")),
            ])
        }
        try output.text(.empty)
        try output.table(table)
        let hint = Phrase("'tour-chat places save \(place.shortID) DIR' saves them.")
        try output.text(output.styled(hint, .dim))
    }
}

/// `places save`
struct PlacesSave: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: Phrase("Save a place's pictures and file."),
        discussion: Phrase(
            """
            Into the directory, under their names or with a number behind: nothing is ever replaced. What is only at \
            the server is fetched first.

            EXAMPLES
              tour-chat places save 3fa2c1 ~/Pictures
              tour-chat places save 3fa2c1
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: ItemArgument
    @Argument(help: ArgumentHelp(Phrase("The directory."), valueName: "dir"), completion: .directory)
    var directory = "."

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let directory = try AbsolutePath.ofDirectory(directory)
        let path = NotebookPath.item(.place, target.item, "save")
        let saved = try await client.call(.POST, path, ["directory": .text(directory)])["saved"]?.list ?? []
        if output.json { return try saved.forEach(output.object) }
        for file in saved { try output.text(Phrase(verbatim: output.foreign(file.shown("path")))) }
    }
}

extension JSON {
    /// The tags of a saved place.
    var tags: [String] { self["tags"]?.list?.compactMap(\.text) ?? [] }
}

extension String {
    /// An address as people read it: a place's coordinates without `geo:`.
    var withoutGeo: String { lowercased().hasPrefix("geo:") ? String(dropFirst(4)) : self }
}
