import Synchronization

/// Passes events to one reader and never holds more than the table can have live.
///
/// Of each service only the newest event waits, and a service found and lost again before the reader looked is not
/// mentioned at all. The state comes first, then lost services, then found ones. So at most one state, `candidatesMax`
/// losses and `candidatesMax` finds wait, and the reader's picture of live services becomes right again, however slowly
/// it reads.
package final class EventMailbox: Sendable {
    private struct Content {
        var state: DiscoveryState?
        var lastState: DiscoveryState?
        var lost = KeyQueue()
        var found = KeyQueue()
        var candidates: [ServiceKey: Candidate] = [:]
        /// The services that the reader believes to be live.
        var delivered = Set<ServiceKey>()
        var reader: CheckedContinuation<DiscoveryEvent?, Never>?
        var isFinished = false
        var isAbandoned = false
    }

    private let content = Mutex(Content())

    package init() {}

    /// The number of events that wait for the reader.
    package var waitingCount: Int {
        content.withLock { $0.lost.count + $0.found.count + ($0.state == nil ? 0 : 1) }
    }

    /// Posts a state; one equal to the last is dropped.
    package func post(_ state: DiscoveryState) {
        deliver { content in
            guard content.lastState != state else { return }
            content.lastState = state
            content.state = state
        }
    }

    /// Posts a service that was found or changed.
    package func found(_ key: ServiceKey, _ candidate: Candidate) {
        deliver { content in
            content.lost.remove(key)
            content.found.append(key)
            content.candidates[key] = candidate
        }
    }

    /// Posts the loss of a service.
    package func lost(_ key: ServiceKey) {
        deliver { content in
            content.found.remove(key)
            content.candidates[key] = nil
            if content.delivered.contains(key) { content.lost.append(key) }
        }
    }

    /// Ends the events: the reader gets those that wait, then nil.
    package func finish() {
        deliver { $0.isFinished = true }
    }

    /// The next event; nil after the end. For one reader at a time: a second one gets nil.
    package func next() async -> DiscoveryEvent? {
        await withCheckedContinuation { reader in
            let ready: DiscoveryEvent?? = content.withLock { content in
                if content.isAbandoned || content.reader != nil { return .some(nil) }
                if let event = Self.dequeue(from: &content) { return event }
                if content.isFinished { return .some(nil) }
                content.reader = reader
                return nil
            }
            if let ready { reader.resume(returning: ready) }
        }
    }

    /// Releases the reader, which was cancelled and will not come back.
    package func abandon() {
        let reader = content.withLock { content in
            content.isAbandoned = true
            defer { content.reader = nil }
            return content.reader
        }
        reader?.resume(returning: nil)
    }

    private func deliver(_ change: (inout Content) -> Void) {
        let ready: (CheckedContinuation<DiscoveryEvent?, Never>, DiscoveryEvent?)? = content.withLock { content in
            change(&content)
            guard let reader = content.reader else { return nil }
            let event = Self.dequeue(from: &content)
            guard event != nil || content.isFinished else { return nil }
            content.reader = nil
            return (reader, event)
        }
        if let (reader, event) = ready { reader.resume(returning: event) }
    }

    private static func dequeue(from content: inout Content) -> DiscoveryEvent? {
        if let state = content.state {
            content.state = nil
            return .state(state)
        }
        if let key = content.lost.popFirst() {
            content.delivered.remove(key)
            return .lost(instance: key.instance, interface: key.interface, isIPv6: key.isIPv6)
        }
        if let key = content.found.popFirst(), let candidate = content.candidates.removeValue(forKey: key) {
            content.delivered.insert(key)
            return .found(candidate)
        }
        return nil
    }
}
