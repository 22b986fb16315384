/// A line of keys, each at most once; one can leave from both ends and from the middle.
package struct KeyQueue: Sendable {
    private var order: [(key: ServiceKey, ticket: UInt64)] = []
    private var head = 0
    private var tickets: [ServiceKey: UInt64] = [:]
    private var nextTicket: UInt64 = 0

    package init() {}

    package var count: Int { tickets.count }
    package var isEmpty: Bool { tickets.isEmpty }

    /// In no order.
    package var keys: [ServiceKey] { Array(tickets.keys) }

    package func contains(_ key: ServiceKey) -> Bool { tickets[key] != nil }

    /// A key that is in already keeps its place.
    package mutating func append(_ key: ServiceKey) {
        guard tickets[key] == nil else { return }
        tickets[key] = nextTicket
        order.append((key, nextTicket))
        nextTicket += 1
        compact()
    }

    /// - Returns: whether it was in.
    @discardableResult
    package mutating func remove(_ key: ServiceKey) -> Bool { tickets.removeValue(forKey: key) != nil }

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

    package mutating func popLast() -> ServiceKey? {
        while order.count > head, let entry = order.popLast() {
            guard tickets[entry.key] == entry.ticket else { continue }
            tickets[entry.key] = nil
            return entry.key
        }
        return nil
    }

    /// Places of keys that left are swept once they outnumber the keys that stay.
    private mutating func compact() {
        guard order.count > 2 * tickets.count + 64 else { return }
        order = order[head...].filter { tickets[$0.key] == $0.ticket }
        head = 0
    }
}
