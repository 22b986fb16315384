import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourWords

/// `share`
struct ShareCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: Phrase("Let the tour's members see where you are, for a while."),
        discussion: Phrase(
            """
            The running node reads your position from gpsd and tells the members of this tour, and nobody else, where \
            you are: when you have moved by 15 metres, every 10 seconds at most, else once a minute. It ends by \
            itself, after a day at the latest; 'share stop' ends it before that. Without --for and stop it says what \
            is shared. 'tour-chat members' shows the others.

            EXAMPLES
              tour-chat share --for 2h
              tour-chat share
              tour-chat share stop
            """))

    enum Action: String, ExpressibleByArgument, CaseIterable, Sendable { case stop }

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("stop: share nothing any more.")))
    var action: Action?
    @Option(name: .customLong("for"), help: ArgumentHelp(Phrase("For how long: 90s, 15m, 2h, 1d."), valueName: "dur"))
    var duration: DurationArgument?

    var absence: NodeAccess.Absence { .refuse }

    func validate() throws {
        guard action == nil || duration == nil else { throw ValidationError(Phrase("Either --for or stop.")) }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let path = tourPath("sharing")
        let answer =
            if let duration {
                try await client.call(.PUT, path, ["forSeconds": .number(String(duration.seconds))])
            } else {
                try await client.call(action == .stop ? .DELETE : .GET, path)
            }
        if output.json { return try output.object(answer) }
        let tour = try await inTour(client, output)
        let status = try SharingStatus(answer: answer)
        guard status.sharing else {
            return try output.text(
                tour.map { Phrase("You share no position in \($0).") } ?? Phrase("You share no position."))
        }
        let end = status.until.flatMap { Timestamp($0) }?.dateAndTime ?? ""
        try output.text(
            tour.map { Phrase("You share your position in \($0) until \(end).") }
                ?? Phrase("You share your position until \(end)."))
        if let position = status.position.flatMap({ PlaceWords.of($0) }) {
            try output.text(Phrase("Last told: \(position)").indented)
        }
        if let problem = status.problem {
            let nothing = output.styled(Phrase("Nothing new to tell:"), .yellow)
            try output.text(Phrase("\(nothing) \(output.foreign(problem.message))").indented)
        }
    }
}
