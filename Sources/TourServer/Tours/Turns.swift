import Synchronization

/// One at a time for each name, in the order in which they came.
final class Turns<Name: Hashable & Sendable>: Sendable {
    /// Those who wait behind the one whose turn it is. A name that is here is taken.
    private let queues = Mutex<[Name: [CheckedContinuation<Void, Never>]]>([:])

    /// Runs it in its turn.
    /// - Throws: what `body` throws.
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
