import FoundationEssentials
import TourModel

/// Events for the server. Source: `Protocol/09-mailbox.md`, "POST /messages/sync".
struct PushRequest: Encodable {
    struct Message: Encodable {
        var localId: String
        var groupId: String
        var senderId: String
        var sentAt: String
        var sealed: Data
    }
    var messages: [Message]

    init(_ events: [Event], tour: TourID) {
        messages = events.map { event in
            Message(
                localId: event.id.hex, groupId: tour.hex, senderId: event.header.author.hex,
                sentAt: ServerTime.text(milliseconds: event.header.clock.milliseconds), sealed: Data(event.bytes))
        }
    }
}

/// The events that the server accepted, and its new heads.
package struct PushAnswer: Decodable, Sendable {
    /// An event that the server holds now.
    package struct Synced: Decodable, Sendable {
        /// The event's id.
        package var localMessageId: String
        /// `stored` or `duplicate`.
        package var status: String
    }

    /// An event that the server did not store.
    package struct Rejected: Decodable, Sendable {
        /// The event's id.
        package var localMessageId: String
        /// Why not.
        package var code: String
        /// Whether the event may be accepted later.
        package var retry: Bool
    }

    /// Events that the server holds now.
    package var syncedMessages: [Synced]
    /// Events that it did not store.
    package var rejectedMessages: [Rejected]
    /// The server's time of this answer.
    package var syncTime: ServerTime
    /// Each author's head at the server now.
    package var heads: Heads
}

/// Each author's head, by member id.
package struct Heads: Decodable, Hashable, Sendable {
    /// Heads by member.
    package var values: [MemberID: UInt64]

    package init(_ values: [MemberID: UInt64] = [:]) { self.values = values }

    /// Leaves out names that are no member ids, and heads beyond the roster's bound. Limits each head to the longest
    /// log, so that sums cannot overflow.
    package init(from decoder: any Decoder) throws {
        let named = try decoder.singleValueContainer().decode([String: UInt64].self)
        let pairs = named.compactMap { name, head in
            MemberID(hex: name).map { ($0, min(head, Limits.mailboxHeadMax)) }
        }
        values = Dictionary(pairs.prefix(Limits.membersMax)) { max($0, $1) }
    }
}

/// What the server holds of a tour.
package struct FrontierAnswer: Decodable, Sendable {
    /// Each author's head.
    package var heads: Heads
    /// The number of control events.
    package var controls: UInt64
    /// The server's time of this answer.
    package var syncTime: ServerTime
}
