import ArgumentParser
import TourAPI
import TourJSON
import TourWords

/// `chat`
struct ChatCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: Phrase("Talk, in the terminal."),
        discussion: Phrase(
            """
            Shows what is written as it comes, who is near, and how far your own messages have come (… with you only, \
            ✓ on another device, ✓✓ with everybody, ✓✓ read when everybody has read it). The latest messages have \
            numbers to answer them by (/reply); a wide window shows the members too. /help lists the commands, Tab \
            completes them, and names; Ctrl-C or Ctrl-D leaves. Without a running node one runs until you leave. \
            Without a tour it asks how you begin: by joining one, or by creating one.

            EXAMPLES
              tour-chat chat
              tour-chat chat --tour "Rome 2026"
            """))

    @OptionGroup var choice: TourChoice

    var absence: NodeAccess.Absence { .beginOnline }

    func run() async throws {
        let output = global.output
        // Checked before a node is started: without a terminal there is nothing to do.
        try RawTerminal().restore()
        try await global.access().use(absence: absence) { client in
            try await perform(client, output)
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        guard let tour = try await tour(client, output) else { return }
        // From here on the command names this tour, even if the user chooses another.
        try await ChatSession(
            client: client, tourID: tour.tourID, tourName: tour.name, isColored: output.isColored
        ).run()
    }

    /// The tour to talk in; where there is none yet, the one that the user begins with.
    /// - Returns: nil where the user began with none.
    private func tour(_ client: LocalClient, _ output: Output) async throws -> TourDetails? {
        do {
            return try await client.ask(.GET, tourPath())
        } catch let failure as CommandFailure where failure.code == "no-tour" && chosenTour == nil {
            guard try await FirstStart.begin(client, output) else { return nil }
            return try await client.ask(.GET, tourPath())
        }
    }
}
