/// What the chat says of a line that was not sent.
package enum RefusalNote {
    /// - Parameter isRestored: the line stands below again; else it is the last one in the history.
    package static func text(_ failure: CommandFailure, isRestored: Bool) -> String {
        if failure.code == CommandFailure.noNode.code {
            let place = isRestored ? "your text is kept below" : "arrow up brings your text back"
            return "Not sent: the node is not running ('tour-chat run' starts it); \(place)."
        }
        let reason = TerminalText.safe(failure.message)
        let end = reason.hasSuffix(".") ? "" : "."
        return "Not sent: \(reason)\(end) " + (isRestored ? "Your text is kept below." : "Arrow up brings it back.")
    }
}
