import TourModel

/// A roll call. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct RollView: Encodable, Hashable, JSONObject {
    /// How a member stands in a roll call.
    package enum State: String, Encodable, JSONReadable {
        case here
        /// The member was missing at the end, and said later that it is there.
        case late
        case missing
        /// The member said that it is lost: it stays missing, whatever others say.
        case lost
    }

    /// One member in the roll call.
    package struct Entry: Encodable, Hashable, JSONObject {
        package var memberID: String
        package var name: String
        /// The first digits of its id, if another member's name reads the same.
        @Nullable package var namesake: String?
        package var state: State
        /// The member who said so, if not the member itself.
        @Nullable package var by: String?
        /// A leader saw the member.
        package var seen: Bool
        /// When that was said.
        @Nullable package var at: String?
        /// Its device, not the member, was heard of in the last 30 s.
        package var near: Bool
        /// Whether this node's member may answer for this one.
        package var buddy: Bool
        /// The device that lets a guest in; nil for a member.
        @Nullable package var guestBy: GuestHost?
    }

    /// Words of a call that stood beside the first one, and that nobody is shown.
    package struct Unshown: Encodable, Hashable, JSONObject {
        /// The name of the member who called.
        package var name: String
        package var text: String
        /// Whether this node's member called.
        package var mine: Bool
    }

    /// The id of the message; of the first one, where several members called.
    package var id: String
    /// The ids of all calls.
    package var calls: [String]
    /// The member who called first.
    package var memberID: String
    /// Its name.
    package var name: String
    /// The names of members who called at the same time.
    package var alsoBy: [String]
    /// The place or the purpose; empty: not given.
    package var text: String
    /// Other words of members who called at the same time.
    package var unshown: [Unshown]
    /// When it began.
    package var at: String
    /// When the time for answers is over.
    package var until: String
    /// Whether `until` has passed while the call is open.
    package var overdue: Bool
    /// Nobody has ended it, and it is less than a day old.
    package var open: Bool
    /// When it was ended; nil: not yet.
    @Nullable package var endedAt: String?
    /// The name of the member who ended it.
    @Nullable package var endedBy: String?
    /// This node's member leads: it may tick members off, and end the call.
    package var leads: Bool
    /// Whether this node's member still has to answer.
    package var asked: Bool
    /// How many members are there.
    package var here: Int
    /// How many members were called.
    package var all: Int
    /// Missing members first, then by name.
    package var members: [Entry]
}

/// Members who answer for each other.
package struct BuddyGroupView: Encodable, JSONObject {
    package struct Member: Encodable, JSONObject {
        package var memberID: String
        package var name: String
    }

    /// The members of the group.
    package var members: [Member]
}
