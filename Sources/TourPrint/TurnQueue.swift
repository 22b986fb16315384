/// What waits, by who wants it: callers take turns, and each one's come in their order.
package struct TurnQueue<Element> {
    private var waiting: [String: [Element]] = [:]
    /// Callers of whom something waits; whose turn is next first.
    private var callers: [String] = []

    package init() {}

    package mutating func append(_ element: Element, of caller: String) {
        if waiting[caller] == nil { callers.append(caller) }
        waiting[caller, default: []].append(element)
    }

    /// - Returns: nil when nothing waits.
    package mutating func next() -> Element? {
        guard !callers.isEmpty else { return nil }
        let caller = callers.removeFirst()
        let element = waiting[caller]?.removeFirst()
        if waiting[caller]?.isEmpty == false { callers.append(caller) } else { waiting[caller] = nil }
        return element
    }
}
