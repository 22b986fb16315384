import ArgumentParser
import TourWeb

/// Which tour a command is about. Commands about all that is kept here do not take it, so that nobody who names one
/// tour loses the others.
struct TourChoice: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The tour: its id, six or more digits of it, or its name (default: the one that 'tour list' marks).",
            valueName: "id|name"))
    var tour: String?

    /// The `{tour}` of the local API's paths.
    var segment: String { tour ?? "-" }
}

/// A command about one tour.
protocol CommandInTour: NodeCommand {
    var choice: TourChoice { get }
}

extension CommandInTour {
    /// A path below the chosen tour.
    func tourPath(_ segments: String..., query: [(String, String?)] = []) -> String {
        LocalPath.make(["tours", choice.segment] + segments, query: query)
    }

    /// ` in Rome`, for people who are in more than one tour that goes on; else nothing.
    func inTour(_ client: LocalClient, _ output: Output) async throws -> String {
        guard !output.json else { return "" }
        let tours = try await client.call(.GET, LocalPath.make(["tours"]))["tours"]?.list ?? []
        guard TourMention.isNeeded(among: tours) else { return "" }
        return TourMention.words(name: try await client.call(.GET, tourPath()).shown("name"))
    }
}
