import Synchronization

/// Who waits for which topic, in this process.
final class WakeBoard: Sendable {
    private struct State {
        var next = 0
        var waiting: [String: [Int: AsyncStream<Void>.Continuation]] = [:]
    }

    private let state = Mutex(State())

    /// One wake is remembered for a reader that is busy; more say nothing new.
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
        let found = state.withLock { state in topics.flatMap { state.waiting[$0].map { Array($0.values) } ?? [] } }
        for continuation in found { continuation.yield() }
    }

    private func leave(_ topic: String, _ place: Int) {
        state.withLock { state in
            state.waiting[topic]?[place] = nil
            if state.waiting[topic]?.isEmpty == true { state.waiting[topic] = nil }
        }
    }
}
