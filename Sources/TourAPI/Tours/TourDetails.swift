/// More about one tour than its line in the list.
package struct TourDetails: Encodable, Hashable, JSONObject {
    package var tourID: String
    package var name: String
    /// Our role, as JSON spells it.
    package var role: String
    /// Whether `state` is `active`.
    package var active: Bool
    package var state: TourState
    /// We rank as creator because the creator named us its successor.
    package var successor: Bool
    /// How many members it has.
    package var members: Int
    /// How many messages the user has yet to see.
    package var unread: Int
    /// Whether it is the chosen one.
    package var latest: Bool
    /// Our id in it.
    package var memberID: String
    /// The member who created the tour.
    package var creatorID: String
    /// When, by the creator's clock.
    package var createdAt: String
    /// `full`, or `none`: newcomers read no messages from before their admission.
    package var history: String
    /// Whether a server's archive reads the tour's messages.
    package var archived: Bool
    /// A digest that is equal on all nodes that agree on the members and their ranks.
    package var roster: String
}
