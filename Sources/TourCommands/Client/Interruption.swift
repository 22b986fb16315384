import UnixSignals

/// Work that a person may stop waiting for, with Ctrl-C.
enum Interruption {
    /// - Returns: nil when it was interrupted; the work is cancelled then.
    static func mayEnd<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result? {
        try await withThrowingTaskGroup(of: Result?.self) { tasks in
            tasks.addTask { try await work() }
            tasks.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sigint) { break }
                return nil
            }
            defer { tasks.cancelAll() }
            return try await tasks.next() ?? nil
        }
    }
}
