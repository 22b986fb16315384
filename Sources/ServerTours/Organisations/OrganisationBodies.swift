import Foundation
import ServerBase
import ServerRequests
import TourModel

/// An organisation as an account sees it that is in it, or invited.
struct OrganisationBody: Encodable, Sendable {
    let id: Int64
    let name: String
    /// The account's own, or the one that it is invited to.
    let role: OrganisationRole
    let createdAt: Date
    /// nil where the account is only invited.
    var joinedAt: Date?
    /// The number of the invitation; nil for a member.
    var invitation: Int64?

    init(_ organisation: Organisation, role: OrganisationRole, joinedAt: Int64) {
        id = organisation.number
        name = organisation.name
        self.role = role
        createdAt = Date(microseconds: organisation.createdAt)
        self.joinedAt = Date(microseconds: joinedAt)
    }

    init(_ organisation: Organisation, invitation: OrganisationInvitation) {
        id = organisation.number
        name = organisation.name
        role = invitation.role
        createdAt = Date(microseconds: organisation.createdAt)
        self.invitation = invitation.number
    }
}

/// A member of an organisation.
struct OrganisationMemberBody: Encodable, Sendable {
    let account: Int64
    let role: OrganisationRole
    let joinedAt: Date
    /// The tours of the organisation that the member owns.
    let tours: Int64
    /// Both for admins alone.
    let email: String?
    let phone: String?

    init(_ member: OrganisationMember, hasContacts: Bool) {
        account = member.account
        role = member.role
        joinedAt = Date(microseconds: member.joinedAt)
        tours = member.tours
        email = hasContacts ? member.email : nil
        phone = hasContacts ? member.phone : nil
    }
}

/// An invitation as the admins of the organisation see it.
struct OrganisationInvitationBody: Encodable, Sendable {
    let id: Int64
    let role: OrganisationRole
    let email: String?
    let phone: String?
    /// Only in the answer that makes an invitation without address and number.
    let code: String?
    let createdAt: Date
    let expiresAt: Date

    init(_ invitation: OrganisationInvitation, code: OrganisationCode? = nil) {
        id = invitation.number
        role = invitation.role
        email = invitation.email
        phone = invitation.phone
        self.code = code?.text
        createdAt = Date(microseconds: invitation.createdAt)
        expiresAt = Date(microseconds: invitation.expires)
    }
}

/// A tour of an organisation.
struct OrganisationTourBody: Encodable, Sendable {
    let id: String
    let name: String
    /// Who owns it.
    let account: Int64?
    let isPlanned: Bool
    let isActive: Bool
    let startDate: Date?
    let endDate: Date?
    let createdAt: Date

    /// - Parameter isSeen: whether the caller may see the tour; else nothing that others say of it is here.
    init(_ tour: StoredTour, isSeen: Bool) {
        id = tour.id.hex
        name = isSeen ? tour.name ?? "" : ""
        account = tour.account
        isPlanned = tour.isPlanned
        isActive = isSeen && tour.isActive
        startDate = isSeen ? tour.startDate.map(Date.init(microseconds:)) : nil
        endDate = isSeen ? tour.endDate.map(Date.init(microseconds:)) : nil
        createdAt = Date(microseconds: tour.createdAt)
    }
}

/// An organisation's name: up to `Limits.nameBytesMax` bytes without control characters, and not empty.
package struct OrganisationName: Hashable, Sendable, WrittenValue {
    /// The name as it was written.
    package let text: String

    package init?(_ written: String) {
        guard (1...Limits.nameBytesMax).contains(written.utf8.count),
            !written.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        text = written
    }
}

extension Call {
    /// The number in the path.
    /// - Throws: `notFound`.
    package func number(_ name: String) throws(Failure) -> Int64 {
        guard let number = Int64(parameters[name] ?? "") else { throw Failure(.notFound) }
        return number
    }
}
