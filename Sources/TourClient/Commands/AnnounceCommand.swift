import ArgumentParser
import TourAPI
import TourWords

/// `announce`
struct AnnounceCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "announce",
        abstract: Phrase("Tell everybody something that stands out. Guides only."),
        discussion: Phrase(
            """
            On a terminal it then shows how many have it and who is missing, until all have it, for half a minute at \
            most, or until Ctrl-C; 'tour-chat receipts' shows that later. A script gets its answer at once.

            EXAMPLES
              tour-chat announce "The bus leaves at 17:00"
              tour-chat announce "Meet at the gate now" --urgent --expires 30m
              tour-chat announce "Free until noon" --no-wait
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("What to announce.")))
    var text: String
    @Flag(help: ArgumentHelp(Phrase("Show it as urgent.")))
    var urgent = false
    @Option(help: ArgumentHelp(Phrase("Expires after this time: 90s, 15m, 2h, 1d."), valueName: "dur"))
    var expires: DurationArgument?
    @Flag(help: ArgumentHelp(Phrase("Do not show who has it; answer at once.")))
    var noWait = false

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try Draft.check(text)
        let draft = Draft(
            text: text, isAnnouncement: true, urgent: urgent, expiresSeconds: expires.map { Int64($0.seconds) })
        let (answer, message) = try await client.send(draft, tourPath("messages"))
        if output.json { return try output.object(answer) }
        let sent = SendingWords(message)
        if let tour = try await inTour(client, output) {
            try output.text(Phrase("Announced in \(tour) (\(sent.id), \(sent.status))."))
        } else {
            try output.text(Phrase("Announced (\(sent.id), \(sent.status))."))
        }

        try AbsenceNote.stored.print(client, output)
        guard !noWait, DeliveryLine.isPossible else { return }
        try await DeliveryLine(
            path: tourPath("messages", message.id, "receipts"), id: sent.id
        ).run(client)
    }
}
