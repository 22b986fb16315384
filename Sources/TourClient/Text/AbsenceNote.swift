import TourWords

/// The note to people, on standard error, when a command did what it could without a running node.
package enum AbsenceNote: Sendable {
    case stored, nobodyCanJoin

    /// - Returns: nil where a node runs, and for programs, whose answers stay as they are.
    package func words(isOffline: Bool, json: Bool) -> Phrase? {
        guard isOffline, !json else { return nil }
        return switch self {
        case .stored: Phrase("Stored here only: no node is running. It goes out when one does: tour-chat run")
        case .nobodyCanJoin:
            Phrase("Nobody can join yet: start the node with 'tour-chat run' in another terminal.")
        }
    }

    func print(_ client: LocalClient, _ output: Output) throws {
        guard let words = words(isOffline: client.isOffline, json: output.json) else { return }
        try output.aside(words)
    }
}
