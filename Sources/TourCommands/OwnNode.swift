import Logging
import ServiceLifecycle
import TourClient
import TourModel
import TourNode
import TourSupervision
import TourWeb
import TourWords
import UnixSignals

/// A node inside this process, for a command that finds none running.
enum OwnNode {
    /// Starts the node, does the work through its socket, and stops the node in order, whatever happens.
    /// - Throws: the error of the work, or what prevented the node from starting.
    static func run<Result: Sendable>(
        _ settings: NodeSettings, work: @escaping @Sendable (LocalClient) async throws -> Result
    ) async throws -> Result {
        // A node has threads of its own; a command's one thread only waits for the answers.
        try await withTaskExecutorPreference(globalConcurrentExecutor) { try await start(settings, work: work) }
    }

    private static func start<Result: Sendable>(
        _ settings: NodeSettings, work: @escaping @Sendable (LocalClient) async throws -> Result
    ) async throws -> Result {
        let logger = Logger(label: "tour-chat") { _ in SwiftLogNoOpLogHandler() }
        let service = try NodeService(settings: settings, logger: logger, terminal: TerminalSurface())
        let group = group(of: service, logger: logger)
        return try await withThrowingTaskGroup(of: Result?.self) { tasks in
            tasks.addTask {
                try await group.run()
                return nil
            }
            tasks.addTask {
                _ = try await service.ready()
                return try await work(
                    LocalClient(
                        dataDirectory: settings.dataDirectory, isOwn: true, isOffline: settings.isOffline))
            }
            do {
                let first = try await tasks.next() ?? nil
                await group.triggerGracefulShutdown()
                guard let result = first else { throw CommandFailure.interrupted }
                while try await tasks.next() != nil {}
                return result
            } catch {
                await group.triggerGracefulShutdown()
                tasks.cancelAll()
                while await tasks.nextResult() != nil {}
                throw error
            }
        }
    }

    /// A group that SIGTERM and SIGINT end in order.
    static func group(
        of service: NodeService, supervision: Supervision? = nil, logger: Logger
    ) -> ServiceGroup {
        let node = ServiceGroupConfiguration.ServiceConfiguration(
            service: service, successTerminationBehavior: .gracefullyShutdownGroup,
            failureTerminationBehavior: .gracefullyShutdownGroup)
        return ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [node] + (supervision.map { [.init(service: $0)] } ?? []),
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger))
    }
}
