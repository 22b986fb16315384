import ArgumentParser
import TourAPI
import TourJSON
import TourWords

/// Whether a device answers those who ask.
enum SwitchArgument: String, ExpressibleByArgument, CaseIterable, Sendable {
    case on, off
}

/// `tour asking`
struct TourAsking: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "asking",
        abstract: Phrase("Let people near you ask to join, or not."),
        discussion: Phrase(
            """
            It is on for guides and above until turned off, and is about this device alone. While it is on, devices \
            near see two words for the tour, and nothing of its name or members.

            EXAMPLES
              tour-chat tour asking off
              tour-chat tour asking on
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("on or off.")))
    var value: SwitchArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.PUT, tourPath("asking"), ["on": .flag(value == .on)])
        guard let asking: AskingView = try output.forPeople(answer) else { return }
        try output.text(TourAsks.standing(asking))
    }
}

/// `tour read-out`
struct TourReadOut: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "read-out",
        abstract: Phrase("Make eight digits to read out, by which others join."),
        discussion: Phrase(
            """
            For those who hear you: they type the digits, near you, and are in, with no words to compare. The digits \
            are good for ten minutes, and this device must stay in reach. New ones end the old ones.

            EXAMPLES
              tour-chat tour read-out
              tour-chat tour read-out --uses 30
              tour-chat tour read-out --end
            """))

    @OptionGroup var choice: TourChoice
    @Option(help: ArgumentHelp(Phrase("How many may join with them, 1 to 50."), valueName: "n"))
    var uses = 10
    @Flag(help: ArgumentHelp(Phrase("End the digits.")))
    var end = false

    var absence: NodeAccess.Absence { .refuse }

    func validate() throws {
        guard (1...50).contains(uses) else { throw ValidationError(Phrase("--uses wants a number from 1 to 50.")) }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let path = tourPath("spoken-code")
        let answer =
            end
            ? try await client.call(.DELETE, path)
            : try await client.call(.POST, path, ["uses": .number(String(uses))])
        guard let asking: AskingView = try output.forPeople(answer) else { return }
        guard !end else { return try output.text(Phrase("Nobody joins by these digits any more.")) }
        guard let code = asking.code else { throw CommandFailure.badAnswer }
        let (left, time) = (code.usesLeft, DurationArgument.shown(seconds: code.secondsLeft))
        try output.text(
            Phrase("Read this out: \(output.styled(TypedDigits.grouped(code.digits), .bold))"),
            Phrase(
                left, one: "\(left) member can join by it, for \(time).",
                other: "\(left) members can join by it, for \(time)."))
    }
}
