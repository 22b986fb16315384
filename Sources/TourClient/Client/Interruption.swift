import UnixSignals

/// Work that the user may stop waiting for, with Ctrl-C.
enum Interruption {
    /// - Returns: nil when the user interrupted the work, which is then cancelled.
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
