/// An urgent announcement that stands. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct UrgentView: Encodable, Hashable, JSONObject {
    /// The id of the message.
    package var id: String
    /// The author.
    package var memberID: String
    /// The author's name.
    package var name: String
    /// Whether this node's member announced it.
    package var mine: Bool
    package var text: String
    package var at: String
    /// Whether this node's member has confirmed it.
    package var understood: Bool
    /// How many of the members who should confirm it have done so, and how many should.
    package var understoodBy: Int
    /// How many members should confirm it.
    package var members: Int
    /// Names of those who have not.
    package var waiting: [String]
}
