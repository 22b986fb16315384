import TourJSON

/// A line of the stream of a tour. Source: `Protocol/Schema/local-api.yaml`, `messages`.
package enum StreamLine {
    case message(Message)
    case note(WordedNote)

    /// - Throws: for a line that is neither.
    package init(_ line: ArraySlice<UInt8>) throws(ContractError) {
        guard let json = try? JSON(parsing: line) else { throw ContractError() }
        let members = try Members(json)
        self = members.has("note") ? .note(try members["note"]) : .message(try Message(members))
    }
}
