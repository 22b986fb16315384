import TourWords

/// The notice about a line that was not sent.
package enum RefusalNote {
    /// Contains others' text: pass it through `TerminalText.safe`.
    /// - Parameter isRestored: the line is in the editor again; else it is the last one in the history.
    package static func words(_ failure: CommandFailure, isRestored: Bool) -> Phrase {
        if failure.code == CommandFailure.noNode.code {
            return isRestored
                ? Phrase(
                    "Not sent: the node is not running ('tour-chat run' starts it); your text is kept below.")
                : Phrase(
                    "Not sent: the node is not running ('tour-chat run' starts it); arrow up brings your text back.")
        }
        let reason = failure.message
        guard Self.ends.contains(where: reason.english.hasSuffix) else {
            return isRestored
                ? Phrase("Not sent: \(reason). Your text is kept below.")
                : Phrase("Not sent: \(reason). Arrow up brings it back.")
        }
        return isRestored
            ? Phrase("Not sent: \(reason) Your text is kept below.")
            : Phrase("Not sent: \(reason) Arrow up brings it back.")
    }

    /// Ends of sentences, in the languages of the program.
    private static let ends = [".", "。", "!", "?", "؟"]
}
