import Synchronization

/// One result for everybody who waits for the start.
final class Readiness: Sendable {
    private struct State {
        var result: Result<ReadyReport, any Error>?
        var waiting: [CheckedContinuation<ReadyReport, any Error>] = []
    }

    private let state = Mutex(State())

    func succeed(_ report: ReadyReport) { settle(.success(report)) }

    func fail(_ error: any Error) { settle(.failure(error)) }

    func report() async throws -> ReadyReport {
        try await withCheckedThrowingContinuation { waiting in
            let result = state.withLock { state -> Result<ReadyReport, any Error>? in
                if state.result == nil { state.waiting.append(waiting) }
                return state.result
            }
            if let result { waiting.resume(with: result) }
        }
    }

    /// The first result counts.
    private func settle(_ result: Result<ReadyReport, any Error>) {
        let waiting = state.withLock { state in
            if state.result == nil { state.result = result }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}
