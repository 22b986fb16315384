import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourWords

/// `notes publish`, `places publish`, `itinerary publish`
struct Publish<Item: PublishedItem>: CommandInTour {
    static var configuration: CommandConfiguration { Item.publish }

    @OptionGroup var choice: TourChoice
    @OptionGroup var item: PublishedItemArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(
            .POST, tourPath("shared"), ["item": .text(item.id), "type": .text(Item.kind.word)])
        guard let record: PublishedRecord = try output.forPeople(answer) else { return }
        let title = output.foreign(record.title, .bold)
        try output.text(
            record.version > 1
                ? Phrase("Shared with all: \(title), version \(record.version).") : Phrase("Shared with all: \(title).")
        )
        try AbsenceNote.stored.print(client, output)
    }
}

/// `notes unpublish`, `places unpublish`, `itinerary unpublish`
struct Unpublish<Item: PublishedItem>: CommandInTour {
    static var configuration: CommandConfiguration { Item.unpublish }

    @OptionGroup var choice: TourChoice
    @OptionGroup var item: PublishedItemArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.DELETE, tourPath("shared", item.id, query: [("type", Item.kind.word)]))
        guard let record: PublishedRecord = try output.forPeople(answer) else { return }
        try output.text(Phrase("\(output.foreign(record.title, .bold)) is no longer shared."))
        try AbsenceNote.stored.print(client, output)
    }
}

/// The item that a command shares, or shares no longer.
struct PublishedItemArgument: ParsableArguments {
    @Argument(help: ArgumentHelp(Phrase("Six or more digits of its id, or its title.")))
    var id: String
}

/// A kind of item that guides share, with the names and the help of its two commands.
protocol PublishedItem {
    static var kind: SharedKind { get }
    static var publish: CommandConfiguration { get }
    static var unpublish: CommandConfiguration { get }
}

enum NoteItem: PublishedItem {
    static let kind = SharedKind.note
    static let publish = CommandConfiguration(
        commandName: "publish",
        abstract: Phrase("Share a note with all of the tour."),
        discussion: Phrase(
            """
            Guides and admins only. Everybody then has it on the device, without a network. Published again \
            after a change it becomes a new version, and all are told what is new in it ('tour-chat shared').

            EXAMPLES
              tour-chat notes publish 3fa2c1
              tour-chat notes publish 3fa2c1 --tour "Rome 2026" --json
            """))
    static let unpublish = CommandConfiguration(
        commandName: "unpublish",
        abstract: Phrase("Share a note with the tour no longer."),
        discussion: Phrase(
            """
            Guides and admins only. It stays in your notebook, and in the notebooks of those who copied it; \
            'tour-chat shared' lists it no more.

            EXAMPLES
              tour-chat notes unpublish 3fa2c1
            """))
}

enum PlaceItem: PublishedItem {
    static let kind = SharedKind.place
    static let publish = CommandConfiguration(
        commandName: "publish",
        abstract: Phrase("Share a saved place with all of the tour."),
        discussion: Phrase(
            """
            Guides and admins only. Everybody then has it on the device, without a network. Its pictures and its \
            file stay here. Published again after a change it becomes a new version, and all are told what is new in \
            it ('tour-chat shared').

            EXAMPLES
              tour-chat places publish 3fa2c1
              tour-chat places publish 3fa2c1 --tour "Rome 2026" --json
            """))
    static let unpublish = CommandConfiguration(
        commandName: "unpublish",
        abstract: Phrase("Share a saved place with the tour no longer."),
        discussion: Phrase(
            """
            Guides and admins only. It stays in your notebook, and in the notebooks of those who copied it; \
            'tour-chat shared' lists it no more.

            EXAMPLES
              tour-chat places unpublish 3fa2c1
            """))
}

enum ItineraryItem: PublishedItem {
    static let kind = SharedKind.itinerary
    static let publish = CommandConfiguration(
        commandName: "publish",
        abstract: Phrase("Share an itinerary with all of the tour."),
        discussion: Phrase(
            """
            Guides and admins only. Everybody then has it on the device, without a network. Its stops go with it, in \
            their order. Published again after a change it becomes a new version, and all are told what is new in it \
            ('tour-chat shared').

            EXAMPLES
              tour-chat itinerary publish 3fa2c1
              tour-chat itinerary publish 3fa2c1 --tour "Rome 2026" --json
            """))
    static let unpublish = CommandConfiguration(
        commandName: "unpublish",
        abstract: Phrase("Share an itinerary with the tour no longer."),
        discussion: Phrase(
            """
            Guides and admins only. It stays in your notebook, and in the notebooks of those who copied it; \
            'tour-chat shared' lists it no more.

            EXAMPLES
              tour-chat itinerary unpublish 3fa2c1
            """))
}
