import TourWords

/// The progress of a sync, in words for a line that changes.
package enum SyncPace {
    /// `8412 of 20000, 3100 a second`; nil while there is nothing to transfer.
    /// - Parameter elapsed: since the first of them.
    package static func words(moved: Int, total: Int, elapsed: Duration) -> Phrase? {
        guard total > 0 else { return nil }
        let milliseconds = elapsed.components.seconds * 1_000 + elapsed.components.attoseconds / 1_000_000_000_000_000
        // A rate measured over less time means nothing.
        guard milliseconds >= 500, moved > 0 else { return Phrase("\(moved) of \(total)") }
        return Phrase("\(moved) of \(total), \(moved * 1_000 / Int(milliseconds)) a second")
    }
}
