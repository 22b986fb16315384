/// How many people are in a tour, and how many of them are reachable: the one source of these numbers, wherever they
/// are shown.
package struct PeopleCount: Encodable, Hashable, JSONObject {
    /// Active members, this node's included; a server's archive is not counted.
    package var total: Int
    /// This node's member, and members heard of in the last 30 s, directly or through others.
    package var reachable: Int
}
