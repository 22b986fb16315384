import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourWords

/// `itinerary meet`
struct ItineraryMeet: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "meet",
        abstract: Phrase("Make a stop the meeting point."),
        discussion: Phrase(
            """
            Guides and admins only. The stop is of one of your itineraries, or of one that is shared in the tour. The \
            time is the stop's own if it is still to come, or --in from now. 'tour-chat meet' shows who is on the way.

            EXAMPLES
              tour-chat itinerary meet 3fa2c1
              tour-chat itinerary meet 3fa2c1 --in 20m --expires 2h
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Six or more digits of its id, or its title.")))
    var stop: String
    @Option(name: .customLong("in"), help: ArgumentHelp(Phrase("When, from now: 90s, 15m, 2h, 1d."), valueName: "dur"))
    var delay: DurationArgument?
    @Option(help: ArgumentHelp(Phrase("Expires after this time: 90s, 15m, 2h, 1d."), valueName: "dur"))
    var expires: DurationArgument?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var body = [JSONMember(name: "stop", value: .text(stop))]
        if let delay { body.append(JSONMember(name: "inSeconds", value: .number(String(delay.seconds)))) }
        if let expires { body.append(JSONMember(name: "expiresSeconds", value: .number(String(expires.seconds)))) }
        let answer = try await client.call(.POST, tourPath("meeting", "stop"), .object(body))
        guard let message: SentMessage = try output.forPeople(answer) else { return }
        try output.text(SendingWords(message).told)
        try AbsenceNote.stored.print(client, output)
    }
}
