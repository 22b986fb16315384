import ArgumentParser
import TourModel
import TourNode
import TourWeb
import TourWords

/// `notes publish`
struct NotesPublish: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: Phrase("Share a note with all of the tour.").text,
        discussion: Phrase(
            """
            Guides and admins only. Everybody then has it on the device, without a network. Published again \
            after a change it becomes a new version, and all are told what is new in it ('tour-chat shared').

            EXAMPLES
              tour-chat notes publish 3fa2c1
              tour-chat notes publish 3fa2c1 --tour "Rome 2026" --json
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Six or more digits of its id, or its title.")))
    var id: String

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let task = PublishTask(chosenTour: choice.tour, kind: .note, id: id, isTakingBack: false)
        try await task.perform(client, output)
    }
}

/// `notes unpublish`
struct NotesUnpublish: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "unpublish",
        abstract: Phrase("Share a note with the tour no longer.").text,
        discussion: Phrase(
            """
            Guides and admins only. It stays in your notebook, and in the notebooks of those who copied it; \
            'tour-chat shared' lists it no more.

            EXAMPLES
              tour-chat notes unpublish 3fa2c1
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Six or more digits of its id, or its title.")))
    var id: String

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let task = PublishTask(chosenTour: choice.tour, kind: .note, id: id, isTakingBack: true)
        try await task.perform(client, output)
    }
}

/// `places publish`
struct PlacesPublish: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: Phrase("Share a saved place with all of the tour.").text,
        discussion: Phrase(
            """
            Guides and admins only. Everybody then has it on the device, without a network. Its pictures and its \
            file stay here. Published again after a change it becomes a new version, and all are told what is new in \
            it ('tour-chat shared').

            EXAMPLES
              tour-chat places publish 3fa2c1
              tour-chat places publish 3fa2c1 --tour "Rome 2026" --json
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Six or more digits of its id, or its title.")))
    var id: String

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let task = PublishTask(chosenTour: choice.tour, kind: .place, id: id, isTakingBack: false)
        try await task.perform(client, output)
    }
}

/// `places unpublish`
struct PlacesUnpublish: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "unpublish",
        abstract: Phrase("Share a saved place with the tour no longer.").text,
        discussion: Phrase(
            """
            Guides and admins only. It stays in your notebook, and in the notebooks of those who copied it; \
            'tour-chat shared' lists it no more.

            EXAMPLES
              tour-chat places unpublish 3fa2c1
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Six or more digits of its id, or its title.")))
    var id: String

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let task = PublishTask(chosenTour: choice.tour, kind: .place, id: id, isTakingBack: true)
        try await task.perform(client, output)
    }
}

/// `itinerary publish`
struct ItineraryPublish: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: Phrase("Share an itinerary with all of the tour.").text,
        discussion: Phrase(
            """
            Guides and admins only. Everybody then has it on the device, without a network. Its stops go with it, in \
            their order. Published again after a change it becomes a new version, and all are told what is new in it \
            ('tour-chat shared').

            EXAMPLES
              tour-chat itinerary publish 3fa2c1
              tour-chat itinerary publish 3fa2c1 --tour "Rome 2026" --json
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Six or more digits of its id, or its title.")))
    var id: String

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let task = PublishTask(chosenTour: choice.tour, kind: .itinerary, id: id, isTakingBack: false)
        try await task.perform(client, output)
    }
}

/// `itinerary unpublish`
struct ItineraryUnpublish: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "unpublish",
        abstract: Phrase("Share an itinerary with the tour no longer.").text,
        discussion: Phrase(
            """
            Guides and admins only. It stays in your notebook, and in the notebooks of those who copied it; \
            'tour-chat shared' lists it no more.

            EXAMPLES
              tour-chat itinerary unpublish 3fa2c1
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Six or more digits of its id, or its title.")))
    var id: String

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let task = PublishTask(chosenTour: choice.tour, kind: .itinerary, id: id, isTakingBack: true)
        try await task.perform(client, output)
    }
}
