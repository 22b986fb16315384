import TourModel

/// Finds the messages that were on the screen for a moment: at two looks in a row. Messages that only scrolled past
/// were not displayed.
package struct DisplayWatch: Sendable {
    /// The time between two looks.
    package static let moment: Duration = .milliseconds(500)

    /// The unread messages on the screen at the last look; nil while no look is due.
    private var candidates: Set<String>?
    private var displayed: Set<String> = []

    package init() {}

    /// The screen was drawn, and shows these unread messages, by their ids.
    /// - Returns: whether a look is due a moment later.
    package mutating func drawn(_ unread: [String]) -> Bool {
        guard candidates == nil else { return false }
        let new = unread.filter { !displayed.contains($0) }
        guard !new.isEmpty else { return false }
        candidates = Set(new)
        return true
    }

    /// The look that was due: the screen shows these now.
    /// - Returns: the messages that were displayed, each once.
    package mutating func looked(_ unread: [String]) -> [String] {
        let stood = unread.filter { candidates?.contains($0) == true && !displayed.contains($0) }
        candidates = nil
        displayed.formUnion(stood)
        return stood
    }
}
