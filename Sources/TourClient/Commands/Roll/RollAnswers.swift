import ArgumentParser
import TourAPI
import TourJSON
import TourWords

/// `roll here`
struct RollHereCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "here",
        abstract: Phrase("Say that you are there; guides and buddies: that others are."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat roll here
              tour-chat roll here Ben Anna
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Who is there (default: you).")))
    var members: [String] = []

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try await RollAnswerTask(chosenTour: choice.tour, isHere: true, members: members).perform(client, output)
    }
}

/// `roll missing`
struct RollMissingCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "missing",
        abstract: Phrase("Say that somebody is not there after all."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat roll missing Ben
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Who is not there (default: you).")))
    var members: [String] = []

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try await RollAnswerTask(chosenTour: choice.tour, isHere: false, members: members).perform(client, output)
    }
}

/// Answers the newest roll call.
struct RollAnswerTask: NodeTask, AboutTour {
    let chosenTour: String?
    let isHere: Bool
    let members: [String]

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(
            .POST, tourPath("roll", "answer"),
            ["here": .flag(isHere), "members": .list(members.map(JSON.text))])
        guard let roll: RollView = try output.forPeople(answer) else { return }
        try output.text(Phrase("Told. \(RollWords(roll).sum)"))
        try AbsenceNote.stored.print(client, output)
    }
}
