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

/// What the server took, and what it holds now.
package struct PushAnswer: Decodable, Sendable {
    package struct Synced: Decodable, Sendable {
        package var localMessageId: String
        /// `stored` or `duplicate`.
        package var status: String
    }

    package struct Rejected: Decodable, Sendable {
        package var localMessageId: String
        package var code: String
        package var retry: Bool
    }

    package var syncedMessages: [Synced]
    package var rejectedMessages: [Rejected]
    package var syncTime: ServerTime
    package var heads: Heads
}

/// Each author's head, by member id.
package struct Heads: Decodable, Hashable, Sendable {
    package var values: [MemberID: UInt64]

    package init(_ values: [MemberID: UInt64] = [:]) { self.values = values }

    /// Names that are no member ids are left out; so is what is beyond the roster's bound. No head is taken for more
    /// than any log has: sums of them must not overflow.
    package init(from decoder: any Decoder) throws {
        let named = try decoder.singleValueContainer().decode([String: UInt64].self)
        let pairs = named.compactMap { name, head in
            MemberID(hex: name).map { ($0, min(head, Limits.mailboxHeadMax)) }
        }
        values = Dictionary(pairs.prefix(Limits.membersMax)) { max($0, $1) }
    }
}

/// What the server holds.
package struct FrontierAnswer: Decodable, Sendable {
    package var heads: Heads
    /// How many control events.
    package var controls: UInt64
    package var syncTime: ServerTime
}
