import ServerBase
import TourJSON
import TourModel

/// The body of `POST /messages/sync`: `{"messages":[{…}]}`. Unknown names are skipped, as is a name that appears a
/// second time, which is how the decoder of the other routes behaves. That decoder would take most of the time of a
/// push.
struct PushBody: Sendable {
    let entries: [PushedEntry]

    /// - Throws: `badJSON`; `invalidField` naming the field that is missing, of another type or too long.
    init(_ body: some Sequence<UInt8>) throws(Failure) {
        let json: JSON
        do {
            json = try JSON(parsing: body)
        } catch {
            throw Failure(.badJSON)
        }
        guard case .object = json else { throw .invalid("body") }
        guard let messages = json["messages"]?.list, messages.count <= Limits.mailboxPushEventsMax else {
            throw .invalid("messages")
        }
        var entries = [PushedEntry]()
        for (index, message) in messages.enumerated() {
            guard case .object = message else { throw .invalid("messages[\(index)]") }
            guard let entry = PushedEntry(message) else { throw .invalid("messages[\(index)].localId") }
            entries.append(entry)
        }
        self.entries = entries
    }
}
