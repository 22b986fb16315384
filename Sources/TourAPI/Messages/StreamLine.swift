import TourJSON

/// A line of the stream of a tour. Source: `Protocol/Schema/local-api.yaml`, `messages`.
package enum StreamLine {
    case message(Message)
    case note(WordedNote)

    /// - Returns: nil for another line, such as one of a later version.
    package init?(_ line: ArraySlice<UInt8>) {
        guard let json = try? JSON(parsing: line), let members = try? Members(json) else { return nil }
        if let note: WordedNote = try? members["note"] {
            self = .note(note)
        } else if let message = try? Message(members) {
            self = .message(message)
        } else {
            return nil
        }
    }
}
