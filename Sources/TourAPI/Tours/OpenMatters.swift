import TourModel

/// The matters of a tour that wait for somebody, and end unanswered with it. Names and shapes:
/// `Protocol/Schema/local-api.yaml`.
package struct OpenMatters: Encodable, Hashable, JSONObject {
    /// An urgent announcement that some have not understood.
    package struct Urgent: Encodable, Hashable, JSONObject {
        package var text: String
        /// How many have not understood it.
        package var missing: Int
    }

    /// The names of the members who are lost.
    package var lost: [String]
    /// The names of the members who have not answered the roll call that stands.
    package var unanswered: [String]
    /// The newest first.
    package var urgent: [Urgent]
}
