import Synchronization

/// Runs work one at a time for each name, in the order of the calls.
final class Turns<Name: Hashable & Sendable>: Sendable {
    /// The callers that wait behind the running one. A name that is a key here is busy.
    private let queues = Mutex<[Name: [CheckedContinuation<Void, Never>]]>([:])

    /// Runs `body` in its turn.
    /// - Throws: whatever `body` throws.
    func run<Value: Sendable>(
        _ name: Name, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        await withCheckedContinuation { continuation in
            let isFree = queues.withLock { queues in
                guard queues[name] != nil else {
                    queues[name] = []
                    return true
                }
                queues[name]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        defer { leave(name) }
        return try await body()
    }

    private func leave(_ name: Name) {
        let next = queues.withLock { queues -> CheckedContinuation<Void, Never>? in
            guard queues[name]?.isEmpty == false else {
                queues[name] = nil
                return nil
            }
            return queues[name]?.removeFirst()
        }
        next?.resume()
    }
}
