import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourWords

/// `roll stragglers`
struct RollStragglersCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "stragglers",
        abstract: Phrase("Be told of members who are out of reach for some minutes."),
        discussion: Phrase(
            """
            You are told once of each, quietly; it is off until you set it, and concerns this device alone. Without \
            an argument it shows who is out of reach for that long.

            EXAMPLES
              tour-chat roll stragglers 10
              tour-chat roll stragglers
              tour-chat roll stragglers off
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Minutes, or off.")))
    var minutes: String?

    func validate() throws {
        guard let minutes, minutes != "off", Int(minutes) == nil else { return }
        throw ValidationError(Phrase("Give a number of minutes, or off: 'tour-chat roll stragglers 10'."))
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer =
            if let minutes {
                try await client.call(
                    .PUT, tourPath("stragglers"), ["minutes": Int(minutes).map { JSON.number(String($0)) } ?? .null])
            } else {
                try await client.call(.GET, tourPath("stragglers"))
            }
        guard let watch: StragglerView = try output.forPeople(answer) else { return }
        guard let minutes = watch.minutes else {
            return try output.text(Phrase("Off: you are told of nobody. 'tour-chat roll stragglers 10' sets it."))
        }
        guard !watch.stragglers.isEmpty else {
            return try output.text(
                Phrase(
                    minutes, one: "Nobody has been out of reach for \(minutes) minute.",
                    other: "Nobody has been out of reach for \(minutes) minutes."))
        }
        let head = [Phrase("NAME"), Phrase("LAST SEEN"), Phrase("HOPS"), Phrase("WHERE")]
        try output.table(watch.stragglers, head) { member in
            [
                .init(GuestWords.named(TerminalText.safe(member.name), member.by)), .moment(member.lastSeen),
                .init(member.hops.map { "\($0)" } ?? ""), .init(member.position.map { PositionWords.of($0) } ?? .empty),
            ]
        }
    }
}
