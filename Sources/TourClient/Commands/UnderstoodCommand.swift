import ArgumentParser
import TourAPI
import TourJSON
import TourWords

/// `understood`
struct UnderstoodCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "understood",
        abstract: Phrase("Say that you have understood what is urgent."),
        discussion: Phrase(
            """
            Whoever announced it sees by name who has. Without an id it is all that is urgent now.

            EXAMPLES
              tour-chat understood
              tour-chat understood 3fa94c
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("The announcement's id.")))
    var id: String?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try await UnderstoodTask(chosenTour: choice.tour, id: id).perform(client, output)
    }
}

/// Confirms urgent announcements.
struct UnderstoodTask: NodeTask, AboutTour {
    let chosenTour: String?
    /// Nil: all.
    let id: String?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var ids = id.map { [$0] } ?? []
        if id == nil {
            let list: UrgentList = try await client.ask(.GET, tourPath("urgent"))
            let open = list.urgent.filter { !$0.understood && !$0.mine }
            if open.isEmpty, !output.json { return try output.text(Phrase("Nothing urgent is waiting for you.")) }
            ids = open.map(\.id)
        }
        for id in ids { _ = try await client.call(.POST, tourPath("messages", id, "understood")) }
        try output.done(["understood": .list(ids.map(JSON.text))], Phrase("Told."))
        try AbsenceNote.stored.print(client, output)
    }
}
