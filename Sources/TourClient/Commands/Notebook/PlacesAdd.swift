import ArgumentParser
import TourJSON
import TourModel
import TourNotebook
import TourWords

/// `places add`
struct PlacesAdd: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: Phrase("Save a place or a link."),
        discussion: Phrase(
            """
            A place is in decimal degrees, north and east positive; gps asks gpsd, and is refused where the receiver \
            has no fix now. A place with a link keeps the link as the last line of its note. Pictures and the file \
            stay as they are; each at most 32 MiB.

            EXAMPLES
              tour-chat places add "Eiffel Tower" --at 48.8584,2.2945 --category Sights --tag high --favorite
              tour-chat places add "Where the bus waits" --at gps --image bus.jpg
              tour-chat places add "Opening hours" --url https://museum.example/hours --note "Closed on Mondays"
            """))

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("What it is called.")))
    var title: String
    @OptionGroup var place: WhereOptions
    @Option(help: ArgumentHelp(Phrase("A link.")))
    var url: String?
    @Option(help: ArgumentHelp(Phrase("What you want to know about it."), valueName: "text"))
    var note: String?
    @Option(help: ArgumentHelp(Phrase("Its category, made if there is none of that name."), valueName: "name"))
    var category: String?
    @Option(help: ArgumentHelp(Phrase("A word to find it by. Can be given again."), valueName: "word"))
    var tag: [String] = []
    @OptionGroup var attachments: AttachmentOptions
    @Flag(help: ArgumentHelp(Phrase("Mark it as a favorite.")))
    var favorite = false

    var absence: NodeAccess.Absence { .begin }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var fields = ItemFields()
        let address = try await place.address(client)
        fields.set("title", title)
        fields.set("url", address ?? url)
        let link = address == nil ? nil : url
        let lines = [note, link].compactMap(\.self)
        fields.set("note", lines.isEmpty ? nil : lines.joined(separator: "\n"))
        fields.set("category", category)
        if !tag.isEmpty { fields.set("tags", .list(tag.map { .text($0) })) }
        if favorite { fields.set("is_favorite", true) }
        try attachments.add(to: &fields)
        let answer = try await client.call(.POST, NotebookPath.list(.place), fields.json)
        try output.confirm(answer) { Phrase("Saved \($0) (\($1)).") }
    }
}

/// `places edit`
struct PlacesEdit: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: Phrase("Change a saved place."),
        discussion: Phrase(
            """
            Only what is given changes; --tag replaces all tags, and an empty --note, --url or --category takes that \
            away. --image adds pictures, --file takes the place of the file that is there, --detach takes one away by \
            the id that 'places show' shows.

            EXAMPLES
              tour-chat places edit 3fa2c1 --note "Closed on Mondays" --favorite
              tour-chat places edit "Eiffel Tower" --at 48.8583,2.2945 --category ""
              tour-chat places edit 3fa2c1 --detach 9c01d4
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: ItemArgument
    @Option(help: ArgumentHelp(Phrase("What it is called.")))
    var title: String?
    @OptionGroup var place: WhereOptions
    @Option(help: ArgumentHelp(Phrase("A link in the place of its address.")))
    var url: String?
    @Option(help: ArgumentHelp(Phrase("What you want to know about it."), valueName: "text"))
    var note: String?
    @Option(help: ArgumentHelp(Phrase("Its category, made if there is none of that name."), valueName: "name"))
    var category: String?
    @Option(help: ArgumentHelp(Phrase("A word to find it by, instead of those it has."), valueName: "word"))
    var tag: [String] = []
    @Flag(inversion: .prefixedNo, help: ArgumentHelp(Phrase("Mark it as a favorite, or not.")))
    var favorite: Bool?
    @Flag(inversion: .prefixedNo, help: ArgumentHelp(Phrase("Mark it as read, or not.")))
    var read: Bool?
    @OptionGroup var attachments: AttachmentOptions
    @Option(help: ArgumentHelp(Phrase("Take a picture or file away: six or more digits of its id."), valueName: "id"))
    var detach: [String] = []

    func validate() throws {
        guard place.at == nil || url == nil else {
            throw ValidationError(Phrase("Either --at or --url: both are its address."))
        }
        let hasText = [title, url, note, category].contains { $0 != nil }
        let hasMore = place.at != nil || !tag.isEmpty || favorite != nil || read != nil || !detach.isEmpty
        guard hasText || hasMore || !attachments.image.isEmpty || attachments.file != nil else {
            throw ValidationError(Phrase("Say what is to change."))
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var fields = ItemFields()
        fields.set("title", title)
        let address = try await place.address(client)
        for (name, text) in [("url", address ?? url), ("note", note), ("category", category)] {
            fields.set(name, text.map { $0.isEmpty ? JSON.null : .text($0) })
        }
        if !tag.isEmpty { fields.set("tags", .list(tag.filter { !$0.isEmpty }.map { .text($0) })) }
        fields.set("is_favorite", favorite.map { JSON.flag($0) })
        fields.set("is_read", read.map { JSON.flag($0) })
        if !detach.isEmpty { fields.set("detach", .list(detach.map { .text($0) })) }
        try attachments.add(to: &fields)
        let path = NotebookPath.item(.place, target.item)
        try output.confirmChange(try await client.call(.PATCH, path, fields.json))
    }
}
