import ServerBase
import Synchronization

/// Runs work a few at a time for each name, in the order of the calls, and refuses whoever has waited too long: work
/// that hangs for one name then holds up no other.
package final class Lanes<Name: Hashable & Sendable>: Sendable {
    private struct Queue {
        var running = 0
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private struct State {
        /// Of names for which work runs.
        var queues: [Name: Queue] = [:]
        var last = 0
    }

    private let width: Int
    private let patience: Duration?
    private let cause: String
    private let state = Mutex(State())

    /// - Parameter width: how much work runs at once for one name.
    /// - Parameter patience: how long the others wait; nil: until it is their turn.
    /// - Parameter cause: what the log says of those who have waited too long.
    package init(width: Int, patience: Duration?, cause: String = "others are at work and do not end") {
        self.width = width
        self.patience = patience
        self.cause = cause
    }

    /// Runs `body` on one of the lanes.
    /// - Throws: `unavailable` when none became free in time; whatever `body` throws.
    package func run<Value: Sendable>(
        _ name: Name, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard await enter(name) else {
            throw Failure(.unavailable, retryAfter: 1, cause: cause)
        }
        defer { leave(name) }
        return try await body()
    }

    private func enter(_ name: Name) async -> Bool {
        let number = state.withLock { state -> Int? in
            guard state.queues[name, default: Queue()].running >= width else {
                state.queues[name, default: Queue()].running += 1
                return nil
            }
            state.last += 1
            return state.last
        }
        guard let number else { return true }
        let alarm = patience.map { patience in
            Task {
                try await Task.sleep(for: patience)
                giveUp(number, of: name)
            }
        }
        defer { alarm?.cancel() }
        return await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                // One may have become free just now.
                guard state.queues[name, default: Queue()].running >= width else {
                    state.queues[name, default: Queue()].running += 1
                    return true
                }
                state.queues[name]?.waiting.append((number, continuation))
                return false
            }
            if isFree { continuation.resume(returning: true) }
        }
    }

    private func giveUp(_ number: Int, of name: Name) {
        let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let place = state.queues[name]?.waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return state.queues[name]?.waiting.remove(at: place).continuation
        }
        continuation?.resume(returning: false)
    }

    private func leave(_ name: Name) {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard var queue = state.queues[name] else { return nil }
            defer { state.queues[name] = queue.running == 0 ? nil : queue }
            guard queue.waiting.isEmpty else { return queue.waiting.removeFirst().continuation }
            queue.running -= 1
            return nil
        }
        next?.resume(returning: true)
    }
}
