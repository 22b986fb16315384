import TourModel

/// A new code, and its terms.
package struct CreatedInvite: Encodable, JSONObject {
    /// The invite's public key.
    package var id: String
    /// The code as people type it.
    package var joinCode: String
    /// A link with the code, and addresses of this node.
    package var link: String
    /// null: any number.
    @Nullable package var uses: Int?
    /// null: valid until it is revoked.
    @Nullable package var expiresAt: String?
}

/// A code of the tour.
package struct InviteSummary: Encodable, JSONObject {
    package var id: String
    /// null: any number.
    @Nullable package var uses: Int?
    package var used: Int
    /// null: valid until it is revoked.
    @Nullable package var expiresAt: String?
    /// Whether it still admits people.
    package var state: String
    /// More people were admitted by it than it has uses, and the surplus is out again: its code was passed on.
    package var overused: Bool
    /// The id of the member who made it.
    package var createdBy: String
    /// Only on the node that made it, since a code is a secret.
    @Nullable package var code: String?
}

/// The result of revoking a code.
package struct RevokedInvite: Encodable, JSONObject {
    package var id: String
    /// How many members who joined by the code are out with it.
    package var out: Int
}

/// The archive that was admitted. Shape: `Protocol/Schema/local-api.yaml`.
package struct InvitedArchive: Encodable, JSONObject {
    package var id: String
    /// The four words of the archive's key.
    package var words: String
    /// The server's address.
    package var server: String
}

/// The tour that a join led to.
package struct JoinedTour: Encodable, JSONObject {
    package var tourID: String
    /// Our new id in it.
    package var memberID: String
    /// The tour's name, or part of its id while the name is unknown.
    package var name: String
}
