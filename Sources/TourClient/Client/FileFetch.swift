import TourAPI
import TourJSON
import TourPresentation
import TourWords

/// Fetches a file of a tour from any member that has it, and waits for it. The node goes on fetching when the wait
/// ends.
struct FileFetch: Sendable {
    private static let pause: Duration = .milliseconds(250)

    /// The file's path in the local API.
    let path: String
    private let fetchPath: String
    private let savePath: String

    /// - Parameters:
    ///   - tour: as the local API takes it.
    ///   - id: of the message, or six or more of its first digits.
    init(tour: String, id: String) {
        path = LocalPath.make(["tours", tour, "files", id])
        fetchPath = LocalPath.make(["tours", tour, "files", id, "fetch"])
        savePath = LocalPath.make(["tours", tour, "files", id, "save"])
    }

    func standing(_ client: LocalClient) async throws -> FileSummary {
        try await client.ask(.GET, path)
    }

    /// Requests the file, and returns at once.
    func ask(_ client: LocalClient) async throws -> JSON { try await client.call(.POST, fetchPath) }

    /// Requests a file that is not here, and waits until it is.
    /// - Parameters:
    ///   - patience: nil: no limit.
    ///   - report: called several times a second with the progress, and the time since the beginning.
    /// - Throws: `not-here` where no running node could fetch it, and when the time is over; `no-room`.
    func wait(
        _ client: LocalClient, patience: Duration? = nil, report: (FileSummary, Duration) throws -> Void
    ) async throws -> FileSummary {
        var file = try FileSummary(answer: try await ask(client))
        guard file.complete || !client.isOffline else { throw CommandFailure.withoutNode(file) }
        let begun = ContinuousClock.now
        while !file.complete {
            let elapsed = begun.duration(to: .now)
            if file.state == .noRoom { throw CommandFailure.noRoom(file) }
            try report(file, elapsed)
            let left = patience.map { $0 - elapsed } ?? Self.pause
            guard left > .zero else { throw CommandFailure.notInTime(file) }
            try await Task.sleep(for: min(left, Self.pause))
            file = try await standing(client)
        }
        return file
    }

    /// - Parameter directory: absolute.
    func save(_ client: LocalClient, in directory: String) async throws -> JSON {
        try await client.call(.POST, savePath, ["directory": .text(directory)])
    }
}

extension CommandFailure {
    fileprivate static func withoutNode(_ file: FileSummary) -> CommandFailure {
        CommandFailure(
            code: "not-here", message: Phrase("“\(file.name)” is not here, and no node is running that could fetch it"),
            advice: .runToFetch)
    }

    fileprivate static func notInTime(_ file: FileSummary) -> CommandFailure {
        let (name, percent) = (file.name, file.percent)
        let message =
            switch file.state {
            case .waiting where file.have > 0:
                Phrase(
                    "“\(name)” did not come in time: nobody near has the rest of it (\(percent) % of it is here)")
            case .waiting:
                Phrase("“\(name)” did not come in time: nobody near has it (\(percent) % of it is here)")
            default:
                Phrase("“\(name)” did not come in time: it is still coming (\(percent) % of it is here)")
            }
        return CommandFailure(
            code: "not-here", message: message,
            advice: .fetchAgain)
    }

    fileprivate static func noRoom(_ file: FileSummary) -> CommandFailure {
        CommandFailure(code: "no-room", message: Phrase("there is no room here for “\(file.name)”"), advice: .makeRoom)
    }
}
