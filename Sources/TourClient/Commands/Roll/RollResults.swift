import ArgumentParser
import TourAPI
import TourModel
import TourWords

/// `roll status`
struct RollStatusCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: Phrase("Who has answered the roll call, the missing first."),
        discussion: Phrase(
            """
            DEVICE is whether the member's device is in reach now; it never counts as an answer. Who is lost stays \
            missing until found.

            EXAMPLES
              tour-chat roll status
              tour-chat roll status --json
            """))

    @OptionGroup var choice: TourChoice

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.GET, tourPath("roll"))
        guard let body: RollBody = try output.forPeople(answer) else { return }
        guard let roll = body.roll else {
            return try output.text(Phrase("There was no roll call today. Guides begin one: 'tour-chat roll call'."))
        }
        let words = RollWords(roll)
        try output.text(words.head, words.sum)
        try output.table(words.table)
    }
}

/// `roll end`
struct RollEndCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: Phrase("End the roll call (guides)."),
        discussion: Phrase(
            """
            Whoever is missing then is kept so in the tour's log.

            EXAMPLES
              tour-chat roll end
            """))

    @OptionGroup var choice: TourChoice

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.POST, tourPath("roll", "end"))
        guard let roll: RollView = try output.forPeople(answer) else { return }
        try output.text(RollWords(roll).outcome)
    }
}

/// `roll list`
struct RollListCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: Phrase("All roll calls of the tour, the newest first."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat roll list
              tour-chat roll list --json
            """))

    @OptionGroup var choice: TourChoice

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.GET, tourPath("rolls"))
        guard let list: RollList = try output.forPeople(answer) else { return }
        if list.rolls.isEmpty { return try output.text(Phrase("There was no roll call in this tour.")) }
        for roll in list.rolls {
            let words = RollWords(roll)
            try output.text(
                Phrase(verbatim: "\(Timestamp(roll.at)?.dateAndTime ?? "")"), words.head,
                words.outcome.indented)
        }
    }
}
