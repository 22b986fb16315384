/// What a person is told, on standard error, when a command did what it could without a running node.
package enum AbsenceNote: String, Sendable {
    case stored = "Stored here only: no node is running. It goes out when one does: tour-chat run"
    case nobodyCanJoin = "Nobody can join yet: start the node with 'tour-chat run' in another terminal."

    /// - Returns: nil where a node runs, and for programs, whose answers stay as they are.
    package func text(isOffline: Bool, json: Bool) -> String? { isOffline && !json ? rawValue : nil }

    func print(_ client: LocalClient, _ output: Output) throws {
        guard let text = text(isOffline: client.isOffline, json: output.json) else { return }
        try StandardStream.error.line(text)
    }
}
