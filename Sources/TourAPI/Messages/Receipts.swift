import TourModel

/// Who has a message, and who has read it: first members who miss it, then those who have it, then those who have read
/// it, each by name. Source: `Protocol/Schema/local-api.yaml`, `Receipts`.
package struct Receipts: Encodable, Hashable, JSONObject {
    /// When something became true.
    package struct Moment: Encodable, Hashable, JSONObject {
        /// The latest possible time; nil when the time was forgotten.
        @Nullable package var atMost: String?
    }

    /// One member's receipt.
    package struct Entry: Encodable, Hashable, JSONObject {
        package var memberID: String
        package var name: String
        /// `missing`, `delivered` or `read`.
        package var state: String
        /// When it had the message; nil: it is not known to have it.
        @Nullable package var delivered: Moment?
        /// When it had read the message; nil: it is not known to have.
        @Nullable package var read: Moment?
        /// When the member confirmed that it has understood the urgent announcement.
        @Nullable package var understood: String?
        /// Links between us and the member when it was last heard of.
        @Nullable package var hops: Int?
        /// Heard of in the last 30 s.
        package var near: Bool
        /// The device that lets a guest in; nil for a member.
        @Nullable package var by: GuestHost?
    }

    /// How many members have come how far.
    package struct Counts: Encodable, Hashable, JSONObject {
        /// All who are asked for.
        package var members: Int
        /// Members who have it, whether they have read it or not.
        package var delivered: Int
        /// Members who have read it.
        package var read: Int
        /// Members who confirmed it; nil for a message that is not urgent.
        @Nullable package var understood: Int?
    }

    package var id: String
    /// How far the message has come.
    package var status: MessageStatus
    package var counts: Counts
    /// Names of the members who miss it.
    package var missing: [String]
    /// Every member that should have the message.
    package var members: [Entry]
    /// Why the message does not count, in the reader's words; nil: it does.
    @Nullable package var reason: String?
}
