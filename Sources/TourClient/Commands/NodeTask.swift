import ArgumentParser
import TourAPI

/// A command's requests to the node, independent of how the command line was written.
protocol NodeTask: Sendable {
    /// What to do where no node runs.
    var absence: NodeAccess.Absence { get }
    func perform(_ client: LocalClient, _ output: Output) async throws
}

extension NodeTask {
    var absence: NodeAccess.Absence { .offline }
}

/// A command that only puts a task together.
protocol TaskCommand: NodeCommand {
    var task: any NodeTask { get }
}

extension TaskCommand {
    var absence: NodeAccess.Absence { task.absence }

    func perform(_ client: LocalClient, _ output: Output) async throws { try await task.perform(client, output) }
}

/// A command or task about one tour.
protocol AboutTour {
    /// As named; nil: the chosen tour.
    var chosenTour: String? { get }
}

extension AboutTour {
    /// A path below the chosen tour.
    func tourPath(_ segments: String..., query: [(String, String?)] = []) -> String {
        LocalPath.make(["tours", chosenTour ?? "-"] + segments, query: query)
    }

    /// The tour's name, if the user has more than one active tour; else nil.
    func inTour(_ client: LocalClient, _ output: Output) async throws -> String? {
        guard !output.json else { return nil }
        let list: TourListing = try await client.ask(.GET, LocalPath.make(["tours"]))
        guard TourMention.isNeeded(among: list.tours) else { return nil }
        let tour: TourDetails = try await client.ask(.GET, tourPath())
        return TerminalText.safe(tour.name)
    }
}
