import ServerBase
import TourGroup
import TourModel
import TourWire

/// The place behind which a client wants one author's events.
/// Source: `Protocol/09-mailbox.md`.
struct EventRange: Hashable, Sendable {
    /// The first 16 hexadecimal digits of the member id.
    let author: String
    let sequence: UInt64

    /// `AUTHOR:SEQUENCE,…`.
    /// - Throws: `invalidField` for `after`: another form, or more than `Limits.mailboxAuthorsMax` authors.
    static func list(_ text: String) throws(Failure) -> [EventRange] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= Limits.mailboxAuthorsMax else { throw .invalid("after") }
        var ranges = [EventRange]()
        for part in parts {
            let fields = part.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count == 2, fields[0].utf8.count == 16, Hex.decode(String(fields[0])) != nil,
                let sequence = UInt64(fields[1])
            else { throw .invalid("after") }
            ranges.append(EventRange(author: fields[0].lowercased(), sequence: sequence))
        }
        return ranges
    }
}

/// Some events, author by author, in the order of each log.
struct EventPage: Sendable {
    var events: [Event] = []
    /// Whether more events follow.
    var more = false
}
