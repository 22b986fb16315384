import TourModel

/// A member who is lost, or was. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct AlarmView: Encodable, Hashable, JSONObject {
    /// One member's answer.
    package struct Answer: Encodable, Hashable, JSONObject {
        /// The author of the answer.
        package var memberID: String
        /// The author's name.
        package var name: String
        /// `seen`, `on-my-way`, `wait` or `found`.
        package var answer: String
        /// When, by the author's clock.
        package var at: String
    }

    /// The id of the alarm's message.
    package var id: String
    /// The lost member.
    package var memberID: String
    /// The lost member's name.
    package var name: String
    /// The device that lets a guest in; nil for a member.
    @Nullable package var by: GuestHost?
    /// This node's member is the one who is lost.
    package var mine: Bool
    /// Nobody has ended the alarm, and it is less than a day old.
    package var open: Bool
    /// Only the guides and the lost member itself can see it.
    package var guidesOnly: Bool
    /// The author's words; empty if it gave none.
    package var text: String
    /// When the member raised it, by its own clock.
    package var at: String
    /// The last position that the member shared.
    @Nullable package var location: FixView?
    /// Names of the members with links to its device.
    package var near: [String]
    /// The battery of its device when it raised the alarm; nil: unknown.
    @Nullable package var batteryPercent: Int?
    /// The answers, oldest first.
    package var answers: [Answer]
    /// The answer of this node's member; nil: none.
    @Nullable package var answered: String?
    /// This node's member may answer.
    package var leads: Bool
    /// Other members who lead, and how many of them are known to have the alarm.
    package var guides: Int
    /// Of `guides`, those known to have the alarm.
    package var guidesReached: Int
}
