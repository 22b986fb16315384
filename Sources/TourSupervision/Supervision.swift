import ServiceLifecycle

/// Keeps the service manager informed about this program: runs beside the services that do the work, and after them
/// in their group, so that it ends first.
package struct Supervision: Service {
    private let manager: Supervisor
    private let isAnswering: @Sendable () async -> Bool
    private let starts: AsyncStream<Void>
    private let source: AsyncStream<Void>.Continuation

    /// - Parameter isAnswering: performs a small part of the program's work; the manager restarts a program in which
    ///   this hangs, or returns false for as long as the manager waits.
    package init(of manager: Supervisor, isAnswering: @escaping @Sendable () async -> Bool) {
        self.manager = manager
        self.isAnswering = isAnswering
        (starts, source) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// The program can do its work from now on.
    package func start() {
        source.yield()
        source.finish()
    }

    /// Runs until the group ends.
    package func run() async throws {
        await cancelWhenGracefulShutdown { await supervise() }
        try? await gracefulShutdown()
        manager.report(.stopping)
    }

    private func supervise() async {
        var hasStarted = false
        for await _ in starts { hasStarted = true }
        guard hasStarted, !Task.isCancelled else { return }
        manager.report(.ready)
        guard let patience = manager.watchdog else { return }
        while (try? await Task.sleep(for: patience / 3)) != nil {
            if await isAnswering(), !Task.isCancelled { manager.report(.alive) }
        }
    }
}
