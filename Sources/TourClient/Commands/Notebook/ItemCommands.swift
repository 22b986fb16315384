import ArgumentParser
import TourJSON
import TourNotebook
import TourPresentation
import TourPrint
import TourWords

/// `notes remove`, `places remove`, `itinerary remove`
struct RemoveItem<Item: RemovableItem>: NodeCommand {
    static var configuration: CommandConfiguration { Item.remove }

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: ItemArgument
    @OptionGroup var consent: Consent

    func perform(_ client: LocalClient, _ output: Output) async throws {
        guard try await consent.coversRemoval(of: Item.kindOfItem, target.item, client, output) else { return }
        try output.confirmRemoval(try await client.call(.DELETE, NotebookPath.item(Item.kindOfItem, target.item)))
    }
}

/// `notes pdf`, `itinerary pdf`
struct PrintItem<Item: PrintedItem>: NodeCommand {
    static var configuration: CommandConfiguration { Item.pdf }

    @OptionGroup var global: GlobalOptions
    @OptionGroup var target: ItemArgument
    @OptionGroup var printing: PrintingOptions

    func validate() throws { try printing.check() }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try printing.checkFile()
        let item = try await client.call(.GET, NotebookPath.item(Item.kindOfItem, target.item))
        try await printing.print(Item.document(item), output)
    }
}

/// A kind of item, with the names and the help of the commands that all kinds have.
protocol RemovableItem {
    static var kindOfItem: NotebookKind { get }
    static var remove: CommandConfiguration { get }
}

/// A kind of item that is printed.
protocol PrintedItem: RemovableItem {
    static var pdf: CommandConfiguration { get }
    static func document(_ item: JSON) -> PrintDocument
}

extension NoteItem: PrintedItem {
    static let kindOfItem = NotebookKind.note
    static let remove = CommandConfiguration(
        commandName: "remove",
        abstract: Phrase("Remove a note, here and on your other devices."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat notes remove 3fa2c1
            """))
    static let pdf = CommandConfiguration(
        commandName: "pdf",
        abstract: Phrase("Print a note as a PDF file."),
        discussion: Phrase(
            """
            Without --out to standard output. A file that is there already is replaced with --force only.

            EXAMPLES
              tour-chat notes pdf 3fa2c1 --out museum.pdf
              tour-chat notes pdf Museum | lp
            """))

    static func document(_ item: JSON) -> PrintDocument { NotebookPrint.note(item) }
}

extension PlaceItem: RemovableItem {
    static let kindOfItem = NotebookKind.place
    static let remove = CommandConfiguration(
        commandName: "remove",
        abstract: Phrase("Remove a place, here and on your other devices."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat places remove 3fa2c1
            """))
}

extension ItineraryItem: PrintedItem {
    static let kindOfItem = NotebookKind.itinerary
    static let remove = CommandConfiguration(
        commandName: "remove",
        abstract: Phrase("Remove an itinerary, here and on your other devices."),
        discussion: Phrase(
            """
            Its stops go with it, but for those that are in another itinerary.

            EXAMPLES
              tour-chat itinerary remove Tuesday
            """))
    static let pdf = CommandConfiguration(
        commandName: "pdf",
        abstract: Phrase("Print an itinerary as a PDF file."),
        discussion: Phrase(
            """
            Without --out to standard output. A file that is there already is replaced with --force only.

            EXAMPLES
              tour-chat itinerary pdf Tuesday --out tuesday.pdf
              tour-chat itinerary pdf Tuesday | lp
            """))

    static func document(_ item: JSON) -> PrintDocument { NotebookPrint.itinerary(item) }
}
