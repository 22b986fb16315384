/// The last different values, up to a limit; a further one replaces the oldest. Inlinable: each datagram needs one.
@usableFromInline
package struct LastSeen<Value: Hashable & Sendable>: Hashable, Sendable {
    @usableFromInline let limit: Int
    @usableFromInline var known: Set<Value> = []
    @usableFromInline var order: [Value] = []
    @usableFromInline var oldest = 0

    /// - Parameter limit: at least 1.
    @inlinable package init(limit: Int) { self.limit = limit }

    /// The number of values remembered.
    @inlinable package var count: Int { known.count }

    /// Whether the value is remembered.
    @inlinable package func contains(_ value: Value) -> Bool { known.contains(value) }

    /// - Returns: whether the value was not remembered.
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
