import TourWire

/// A roll call. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct RollView: Encodable, Sendable {
    package enum State: String, Encodable, Sendable {
        case here
        /// It was missing at the end, and said afterwards that it is here.
        case late
        case missing
        /// It said that it is lost: it stays missing, whatever else was said.
        case lost
    }

    package struct Entry: Encodable, Sendable {
        package var memberID: String
        package var name: String
        @Nullable package var namesake: String?
        package var state: State
        /// Who said so, if it was not the member itself.
        @Nullable package var by: String?
        /// Somebody who leads saw it.
        package var seen: Bool
        @Nullable package var at: String?
        /// Heard of in the last 30 s: its device, not the member.
        package var near: Bool
        /// This node's member may answer for it.
        package var buddy: Bool
    }

    /// The message; the first, where several called.
    package var id: String
    /// All of these messages.
    package var calls: [String]
    package var memberID: String
    /// Who called.
    package var name: String
    /// Who called at the same time.
    package var alsoBy: [String]
    /// Where, or what for; empty: not said.
    package var text: String
    package var at: String
    /// Until when answers are waited for.
    package var until: String
    package var overdue: Bool
    /// Nobody has ended it, and it is not a day old.
    package var open: Bool
    @Nullable package var endedAt: String?
    @Nullable package var endedBy: String?
    /// This node's member leads: it may tick members off, and end it.
    package var leads: Bool
    /// This node's member is to answer.
    package var asked: Bool
    /// Of all members.
    package var here: Int
    package var all: Int
    /// Those who are missing first, then by name.
    package var members: [Entry]
}

/// Members who answer for each other.
package struct BuddyGroupView: Encodable, Sendable {
    package struct Member: Encodable, Sendable {
        package var memberID: String
        package var name: String
    }

    package var members: [Member]
}
