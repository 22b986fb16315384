/// The last so many different values; for one more the oldest is forgotten.
package struct LastSeen<Value: Hashable & Sendable>: Hashable, Sendable {
    private let limit: Int
    private var known: Set<Value> = []
    private var order: [Value] = []
    private var oldest = 0

    /// - Parameter limit: at least 1.
    package init(limit: Int) { self.limit = limit }

    package var count: Int { known.count }

    package func contains(_ value: Value) -> Bool { known.contains(value) }

    /// - Returns: whether it was not among them.
    @discardableResult
    package mutating func insert(_ value: Value) -> Bool {
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
