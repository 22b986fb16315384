/// A member whose rank changed.
package struct RankedMember: Encodable, JSONObject {
    package var id: String
    package var name: String
    /// Its new role, as JSON spells it.
    package var role: String
}

/// A member who was removed, and the code for joining from now on.
package struct RemovedMember: Encodable, JSONObject {
    package var id: String
    package var name: String
    /// Ids of the invites that ended with the removal.
    package var revoked: [String]
    /// The new code as people type it.
    package var joinCode: String
    /// A link with the new code, and addresses of this node.
    package var link: String
    /// How many guests are out with it.
    package var guests: Int
}
