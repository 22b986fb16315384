/// A queue of keys, each at most once; keys can be removed at both ends and in the middle.
package struct KeyQueue: Sendable {
    private var order: [(key: ServiceKey, ticket: UInt64)] = []
    private var head = 0
    private var tickets: [ServiceKey: UInt64] = [:]
    private var nextTicket: UInt64 = 0

    package init() {}

    /// The number of keys.
    package var count: Int { tickets.count }
    /// Whether there is no key.
    package var isEmpty: Bool { tickets.isEmpty }

    /// The keys in no particular order.
    package var keys: [ServiceKey] { Array(tickets.keys) }

    /// Whether the key is in the queue.
    package func contains(_ key: ServiceKey) -> Bool { tickets[key] != nil }

    /// Appends a key; one already in the queue keeps its place.
    package mutating func append(_ key: ServiceKey) {
        guard tickets[key] == nil else { return }
        tickets[key] = nextTicket
        order.append((key, nextTicket))
        nextTicket += 1
        compact()
    }

    /// - Returns: whether the key was in the queue.
    @discardableResult
    package mutating func remove(_ key: ServiceKey) -> Bool { tickets.removeValue(forKey: key) != nil }

    /// Removes and returns the oldest key.
    package mutating func popFirst() -> ServiceKey? {
        while head < order.count {
            let entry = order[head]
            head += 1
            guard tickets[entry.key] == entry.ticket else { continue }
            tickets[entry.key] = nil
            return entry.key
        }
        order.removeAll(keepingCapacity: true)
        head = 0
        return nil
    }

    /// Removes and returns the newest key.
    package mutating func popLast() -> ServiceKey? {
        while order.count > head, let entry = order.popLast() {
            guard tickets[entry.key] == entry.ticket else { continue }
            tickets[entry.key] = nil
            return entry.key
        }
        return nil
    }

    /// Sweeps the slots of removed keys once they outnumber the remaining keys.
    private mutating func compact() {
        guard order.count > 2 * tickets.count + 64 else { return }
        order = order[head...].filter { tickets[$0.key] == $0.ticket }
        head = 0
    }
}
