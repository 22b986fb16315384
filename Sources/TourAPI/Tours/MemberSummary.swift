import TourModel

/// A member as lists show it.
package struct MemberSummary: Encodable, Hashable, JSONObject {
    package var id: String
    package var name: String
    /// The first four digits of the id, if another member's name reads the same.
    @Nullable package var namesake: String?
    package var role: String
    /// Ranks as creator because the creator named it its successor.
    package var successor: Bool
    /// Whether this is the node's own member.
    package var me: Bool
    /// The four words of its key.
    package var words: String
    /// The number of its color.
    package var color: Int
    /// Heard of in the last 30 s.
    package var reachable: Bool
    /// Links between us and the member when it was last heard of.
    @Nullable package var hops: Int?
    /// Its last sign of life.
    @Nullable package var lastSeen: String?
    /// Its device sleeps, by its own word, since `lastSeen`.
    package var asleep: Bool
    /// What its version cannot show, and this one can: `alarms`, `rolls`, `files`, `places`, `shared`, `guests`.
    package var cannotShow: [String]
    package var removed: Bool
    /// Whether it left the tour itself.
    package var left: Bool
    /// Its log forks, so its key is unusable. It counts as removed.
    package var forked: Bool
    /// Its share of the tour is used up: nothing more that it writes is accepted.
    package var full: Bool
    /// The server's archive: it reads the messages, and is on no network.
    package var archive: Bool
    /// Its position, while it shares that.
    @Nullable package var position: MemberPosition?
    /// A guest, whose phone has no program of ours.
    package var guest: Bool
    /// Of a guest: the device that lets it in, and writes for it.
    @Nullable package var by: GuestHost?
    /// How many guests go with it if it is removed.
    package var guests: Int
}

/// Everybody who is or was in a tour, and how many of them count.
package struct MemberList: Encodable, Hashable, JSONObject {
    /// Former members included.
    package var members: [MemberSummary]
    /// nil when the tour is over for this node.
    @Nullable package var people: PeopleCount?
}
