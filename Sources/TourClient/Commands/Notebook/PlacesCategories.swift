import ArgumentParser
import TourJSON
import TourModel
import TourNotebook
import TourWords

/// `places categories`
struct PlacesCategories: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "categories",
        abstract: Phrase("The categories of your places."),
        discussion: Phrase(
            """
            Without anything it lists them. --edit changes what is given of one; places of a category that is removed \
            stay, without one.

            EXAMPLES
              tour-chat places categories
              tour-chat places categories --add Sights --color "#c60" --icon star
              tour-chat places categories --edit Sights --name "Sights and views"
              tour-chat places categories --remove Sights
            """))

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp(Phrase("Make one of this name."), valueName: "name"))
    var add: String?
    @Option(
        help: ArgumentHelp(Phrase("Change this one: its name, or six or more digits of its id."), valueName: "category")
    )
    var edit: String?
    @Option(help: ArgumentHelp(Phrase("Remove this one."), valueName: "category"))
    var remove: String?
    @Option(help: ArgumentHelp(Phrase("Its new name.")))
    var name: String?
    @Option(help: ArgumentHelp(Phrase("A word that apps draw a sign for."), valueName: "word"))
    var icon: String?
    @Option(help: ArgumentHelp(Phrase("Its colour, as apps write it."), valueName: "word"))
    var color: String?
    @Option(help: ArgumentHelp(Phrase("Its place among the others: lower ones first."), valueName: "number"))
    var order: Int?

    var absence: NodeAccess.Absence { add == nil ? .offline : .begin }

    func validate() throws {
        guard [add, edit, remove].count(where: { $0 != nil }) <= 1 else {
            throw ValidationError(Phrase("Either --add, --edit or --remove."))
        }
        let hasFields = icon != nil || color != nil || order != nil
        guard edit != nil || name == nil, add != nil || edit != nil || !hasFields else {
            throw ValidationError(Phrase("--icon, --color and --order go with --add or --edit, --name with --edit."))
        }
        guard edit == nil || name != nil || hasFields else { throw ValidationError(Phrase("Say what is to change.")) }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var fields = ItemFields()
        fields.set("name", add ?? name)
        fields.set("icon", icon)
        fields.set("color", color)
        fields.set("order", order.map { JSON.number(String($0)) })
        if add != nil {
            let answer = try await client.call(.POST, NotebookPath.list(.category), fields.json)
            try output.confirm(answer) { Phrase("Made \($0) (\($1)).") }
        } else if let edit {
            let path = NotebookPath.item(.category, edit)
            try output.confirmChange(try await client.call(.PATCH, path, fields.json))
        } else if let remove {
            try output.confirmRemoval(try await client.call(.DELETE, NotebookPath.item(.category, remove)))
        } else {
            try await list(client, output)
        }
    }

    private func list(_ client: LocalClient, _ output: Output) async throws {
        let categories = try await client.items(.category).sorted {
            ($0["order"]?.integer ?? 0, $0.title) < ($1["order"]?.integer ?? 0, $1.title)
        }
        var counts: [String: Int] = [:]
        if !output.json {
            for place in try await client.items(.place) { counts[place.shown("category_id"), default: 0] += 1 }
        }
        let head = [Phrase("ID"), Phrase("NAME"), Phrase("PLACES"), Phrase("ICON"), Phrase("COLOR")]
        try output.list(categories, head, none: Phrase("No categories.")) { category in
            [
                .init(category.shortID, .dim), .init(category.title, .bold),
                .init(String(counts[category.shown("id")] ?? 0)), .init(category.shown("icon")),
                .init(category.shown("color")),
            ]
        }
    }
}
