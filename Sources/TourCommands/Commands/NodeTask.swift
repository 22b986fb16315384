import ArgumentParser
import TourJSON
import TourWeb

/// A command's requests to the node, independent of how the command line was written.
protocol NodeTask: Sendable {
    /// What to do where no node runs.
    var absence: NodeAccess.Absence { get }
    func perform(_ client: LocalClient, _ output: Output) async throws
}

extension NodeTask {
    var absence: NodeAccess.Absence { .offline }
}

/// A task, and the setting to run it in.
package struct ReadyTask: Sendable {
    let setting: CommandSetting
    let task: any NodeTask

    func run() async throws {
        let output = setting.output
        try await setting.access().use(absence: task.absence) { [task] client in
            try await task.perform(client, output)
        }
    }
}

/// A command that can also be read without the parser: see `PlainCommand`.
package protocol TaskCommand: AsyncParsableCommand {
    var ready: ReadyTask { get }
}

extension TaskCommand {
    package func run() async throws { try await ready.run() }
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
        let tours = try await client.call(.GET, LocalPath.make(["tours"]))["tours"]?.list ?? []
        guard TourMention.isNeeded(among: tours) else { return nil }
        return TourMention.name(of: try await client.call(.GET, tourPath()))
    }
}
