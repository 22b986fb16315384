import ArgumentParser
import TourWords

/// `delete`
struct DeleteCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: Phrase("Withdraw a message of your own."),
        discussion: Phrase(
            """
            The others see that it was withdrawn; who has read it has read it.

            EXAMPLES
              tour-chat delete 3fa2c1
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Six or more digits of the message's id.")), transform: IDArgument.parse)
    var id: IDArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.DELETE, tourPath("messages", id.text))
        if output.json { return try output.object(answer) }
        let tour = try await inTour(client, output)
        try output.text(tour.map { Phrase("Withdrawn in \($0).") } ?? Phrase("Withdrawn."))

        try AbsenceNote.stored.print(client, output)
    }
}
