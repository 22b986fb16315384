/// How a sync gets on, in words for a line that changes.
package enum SyncPace {
    /// `, 8412 of 20000, 3100 a second`; empty while there is nothing to move.
    /// - Parameter elapsed: since the first of them.
    package static func words(moved: Int, total: Int, elapsed: Duration) -> String {
        guard total > 0 else { return "" }
        let count = ", \(moved) of \(total)"
        let milliseconds = elapsed.components.seconds * 1_000 + elapsed.components.attoseconds / 1_000_000_000_000_000
        // What was measured over less says nothing.
        guard milliseconds >= 500, moved > 0 else { return count }
        return "\(count), \(moved * 1_000 / Int(milliseconds)) a second"
    }
}
