import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourWords

/// `quiet`
struct QuietCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "quiet",
        abstract: Phrase("Let only guides write, or everybody again."),
        discussion: Phrase(
            """
            Without on or off it says how it is. While only guides write, others still call for help, answer, and \
            write to the guides alone ('tour-chat send --guides'). Messages from before are shown, also where they \
            come late; a message from afterwards, by somebody who had not heard of it, is shown to nobody else.

            EXAMPLES
              tour-chat quiet on
              tour-chat quiet off
              tour-chat quiet --json
            """))

    enum Change: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("on: only guides write; off: everybody.")))
    var change: Change?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer =
            if let change {
                try await client.call(.PUT, tourPath("quiet"), ["on": .flag(change == .on)])
            } else {
                try await client.call(.GET, tourPath("quiet"))
            }
        guard let quiet: QuietView = try output.forPeople(answer) else { return }
        let who = quiet.by.map { TerminalText.safe($0) }
        let time = quiet.at.flatMap { Timestamp($0) }?.clockTime
        guard quiet.on, let who, let time else { return try output.text(Phrase("Everybody may write.")) }
        try output.text(Phrase("Only guides write, by \(who) since \(time)."))
    }
}
