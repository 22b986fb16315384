import ArgumentParser
import TourAPI
import TourJSON
import TourWords

/// `roll …`: roll calls.
struct RollCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roll",
        abstract: Phrase("Roll call: ask everybody to say that they are there."),
        discussion: Phrase(
            """
            A roll call counts people, not devices: everybody is asked, in the page, in chat and by a notice of the \
            desktop, and answers with one tap or 'tour-chat roll here'. Guides see the answers and may say it for \
            those they see with their own eyes; buddies say it for each other. What was said is kept with the tour.

            EXAMPLES
              tour-chat roll call "At the bus"
              tour-chat roll here
              tour-chat roll here Ben Anna
              tour-chat roll status
              tour-chat roll end
            """),
        subcommands: [
            RollCallCommand.self, RollHereCommand.self, RollMissingCommand.self, RollStatusCommand.self,
            RollEndCommand.self, RollListCommand.self, RollBuddiesCommand.self, RollStragglersCommand.self,
        ])
}

/// `roll call`
struct RollCallCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: Phrase("Begin a roll call (guides)."),
        discussion: Phrase(
            """
            On a terminal it shows who is missing until all are here, or until Ctrl-C; the roll call goes on. If \
            one is open already, it is asked again, unless you give it other words.

            EXAMPLES
              tour-chat roll call
              tour-chat roll call "At the bus" --for 5m
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Where, or what for.")))
    var words: String?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(Phrase("Time allowed for answers (default: 10m)."), valueName: "duration"))
    var duration: DurationArgument?
    @Flag(help: ArgumentHelp(Phrase("Do not wait for answers.")))
    var noWait = false

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var body = [JSONMember(name: "text", value: .text(words ?? ""))]
        if let duration { body.append(JSONMember(name: "seconds", value: .number(String(duration.seconds)))) }
        let answer = try await client.call(.POST, tourPath("roll"), .object(body))
        guard var roll: RollView = try output.forPeople(answer) else { return }
        try output.text([RollWords(roll).head] + RollWords(roll).unshown)
        var shown = Phrase.empty
        while true {
            let words = RollWords(roll)
            if words.outcome != shown { try output.text(words.outcome) }
            shown = words.outcome
            guard !noWait, DeliveryLine.isPossible, words.isOpen, !words.missing.isEmpty else { break }
            try await Task.sleep(for: .milliseconds(500))
            let now: RollBody = try await client.ask(.GET, tourPath("roll"))
            if let now = now.roll, now.id == roll.id { roll = now }
        }
        try AbsenceNote.stored.print(client, output)
    }
}
