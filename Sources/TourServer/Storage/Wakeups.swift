import Synchronization

/// Wakes the readers of this process that wait for topics.
final class Wakeups: Sendable {
    private struct State {
        var next = 0
        /// The last wake of each topic that somebody waits for, as a number that only rises.
        var versions: [String: UInt64] = [:]
        var lastVersion: UInt64 = 0
        var waiting: [String: [Int: AsyncStream<Void>.Continuation]] = [:]
    }

    private let state = Mutex(State())

    /// Yields an element for each wake; a busy reader misses all but one of several.
    func wakes(_ topic: String) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let place = state.withLock { state in
            state.next += 1
            state.waiting[topic, default: [:]][state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in self?.leave(topic, place) }
        return stream
    }

    func wake(_ topics: Set<String>) {
        guard !topics.isEmpty else { return }
        let found = state.withLock { state in
            topics.flatMap { topic -> [AsyncStream<Void>.Continuation] in
                guard let waiting = state.waiting[topic] else { return [] }
                state.lastVersion += 1
                state.versions[topic] = state.lastVersion
                return Array(waiting.values)
            }
        }
        for continuation in found { continuation.yield() }
    }

    /// Wakes the readers of every topic.
    func wakeAll() { wake(state.withLock { Set($0.waiting.keys) }) }

    /// A number that changes at each wake of the topic, before any waiter learns of it; 0 before the first wake.
    func version(of topic: String) -> UInt64 { state.withLock { $0.versions[topic] ?? 0 } }

    private func leave(_ topic: String, _ place: Int) {
        state.withLock { state in
            state.waiting[topic]?[place] = nil
            guard state.waiting[topic]?.isEmpty == true else { return }
            state.waiting[topic] = nil
            state.versions[topic] = nil
        }
    }
}
