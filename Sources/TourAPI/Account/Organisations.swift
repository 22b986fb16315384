import TourModel

// The organisations of an account, as the server says. Source: `Protocol/Schema/local-api.yaml`.

/// The rights of a member. They change no role on the server, and no rank in a tour.
package enum OrganisationRole: String, Codable, CaseIterable, JSONReadable {
    case guide, admin
}

/// One that the account is in, or invited to. Times are RFC 3339.
package struct Organisation: Encodable, Hashable, JSONObject {
    package var id: Int64
    package var name: String
    /// The account's own, or the one that it is invited to.
    package var role: OrganisationRole
    package var createdAt: String
    /// nil where the account is only invited.
    @Nullable package var joinedAt: String?
    /// The number of the account's invitation; nil for a member.
    @Nullable package var invitation: Int64?
}

/// A member, as the members see each other.
package struct OrganisationMember: Encodable, Hashable, JSONObject {
    /// The number of the account.
    package var account: Int64
    package var role: OrganisationRole
    package var joinedAt: String
    /// The tours of the organisation that the member owns.
    package var tours: Int
    /// Address and phone are for admins alone.
    @Nullable package var email: String?
    @Nullable package var phone: String?
    /// Whether it is the account that is logged in here.
    package var own: Bool
}

/// An open invitation, as admins see it.
package struct OrganisationInvitation: Encodable, Hashable, JSONObject {
    package var id: Int64
    package var role: OrganisationRole
    @Nullable package var email: String?
    @Nullable package var phone: String?
    /// Only in the answer that makes an invitation of nobody in particular.
    @Nullable package var code: String?
    package var createdAt: String
    package var expiresAt: String
}

/// A tour that was shared with an organisation.
package struct OrganisationTour: Encodable, Hashable, JSONObject {
    /// Hexadecimal.
    package var id: String
    /// The server's own; empty where nobody gave one.
    package var name: String
    /// The number of the owner's account; nil once that is deleted.
    @Nullable package var account: Int64?
    /// Whether no device has made it yet.
    package var planned: Bool
    package var active: Bool
    @Nullable package var startDate: String?
    @Nullable package var endDate: String?
    package var createdAt: String
}

package struct OrganisationListing: Encodable, JSONObject {
    package var organisations: [Organisation]
}

package struct OrganisationMemberList: Encodable, JSONObject {
    package var members: [OrganisationMember]
}

package struct OrganisationInvitationList: Encodable, JSONObject {
    package var invitations: [OrganisationInvitation]
}

package struct OrganisationTourList: Encodable, JSONObject {
    package var tours: [OrganisationTour]
}
