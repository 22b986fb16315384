/// A tour as lists show it.
package struct TourSummary: Encodable, Hashable, JSONObject {
    /// The tour's id.
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
}

/// A tour that was just created, and its first code.
package struct CreatedTour: Encodable, JSONObject {
    package var tourID: String
    package var name: String
    /// Our id in it.
    package var memberID: String
    /// The code as people type it.
    package var joinCode: String
    /// A link with the code, and addresses of this node.
    package var link: String
}
