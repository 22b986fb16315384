/// The last so many different values; for one more the oldest is forgotten. Inlinable: one is asked for every datagram.
@usableFromInline
package struct LastSeen<Value: Hashable & Sendable>: Hashable, Sendable {
    @usableFromInline let limit: Int
    @usableFromInline var known: Set<Value> = []
    @usableFromInline var order: [Value] = []
    @usableFromInline var oldest = 0

    /// - Parameter limit: at least 1.
    @inlinable package init(limit: Int) { self.limit = limit }

    @inlinable package var count: Int { known.count }

    @inlinable package func contains(_ value: Value) -> Bool { known.contains(value) }

    /// - Returns: whether it was not among them.
    @discardableResult
    @inlinable package mutating func insert(_ value: Value) -> Bool {
        guard known.insert(value).inserted else { return false }
        if order.count < limit {
            order.append(value)
        } else {
            known.remove(order[oldest])
            order[oldest] = value
            oldest = (oldest + 1) % limit
        }
        return true
    }
}
