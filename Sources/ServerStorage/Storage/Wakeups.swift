import ServerBase
import Synchronization

/// Wakes the readers of this process that wait for topics.
///
/// Each wake of many readers costs the processor a while: they rest afterwards, in proportion to their number, so that
/// writers who follow one another never spend more on a topic's readers than on their own requests. What comes
/// meanwhile wakes them once, at the end of the rest.
final class Wakeups: Sendable {
    private struct State {
        var next = 0
        /// The last wake of each topic that somebody waits for, as a number that only rises.
        var versions: [String: UInt64] = [:]
        var lastVersion: UInt64 = 0
        var waiting: [String: [Int: AsyncStream<Void>.Continuation]] = [:]
        /// The topics whose readers rest, and whether something came meanwhile.
        var resting: [String: Bool] = [:]
        /// Wakes of readers so far.
        var count = 0
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
            topics.compactMap { topic -> (topic: String, readers: [AsyncStream<Void>.Continuation])? in
                guard let waiting = state.waiting[topic] else { return nil }
                guard state.resting[topic] == nil else {
                    state.resting[topic] = true
                    return nil
                }
                state.lastVersion += 1
                state.versions[topic] = state.lastVersion
                if Self.rest(of: waiting.count) != nil { state.resting[topic] = false }
                state.count += waiting.count
                return (topic, Array(waiting.values))
            }
        }
        for (topic, readers) in found {
            for reader in readers { reader.yield() }
            guard let rest = Self.rest(of: readers.count) else { continue }
            Task { [weak self] in
                try? await Task.sleep(for: rest)
                self?.endRest(topic)
            }
        }
    }

    /// How long so many readers rest after a wake; nil where the wake costs next to nothing.
    static func rest(of readers: Int) -> Duration? {
        let rest = ServerLimits.restPerReader * readers
        return rest < ServerLimits.restMin ? nil : min(rest, ServerLimits.restMax)
    }

    private func endRest(_ topic: String) {
        let isDue = state.withLock { $0.resting.removeValue(forKey: topic) }
        if isDue == true { wake([topic]) }
    }

    /// Wakes of readers so far.
    var count: Int { state.withLock { $0.count } }

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
