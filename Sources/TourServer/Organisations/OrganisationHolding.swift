import Foundation
import TourModel

/// The organisations that an account is in or invited to. `AccountDeletion` ends its memberships, before its tours are
/// looked at.
struct OrganisationHolding: SmallHolding {
    let name = "organisations"

    private struct Row: Encodable, Sendable {
        let id: Int64
        let name: String
        let role: OrganisationRole
        /// nil where the account is invited.
        let joinedAt: Date?
        let invitedAt: Date?
        /// The tours that it shared, or was given.
        let tours: [String]
    }

    func export(of account: Account, in sql: any SQL) throws(Failure) -> any Encodable & Sendable {
        let organisations = OrganisationRows(sql: sql)
        var rows = [Row]()
        for (organisation, role, joinedAt) in try organisations.organisations(of: account.id) {
            let tours = try organisations.tours(of: organisation.number, ownedBy: account.id)
            rows.append(
                Row(
                    id: organisation.number, name: organisation.name, role: role,
                    joinedAt: Date(microseconds: joinedAt), invitedAt: nil, tours: tours.map(\.id.hex)))
        }
        for invitation in try organisations.invitations(of: account, now: 0) {
            guard let organisation = try organisations.organisation(invitation.organisation) else { continue }
            rows.append(
                Row(
                    id: organisation.number, name: organisation.name, role: invitation.role, joinedAt: nil,
                    invitedAt: Date(microseconds: invitation.createdAt), tours: []))
        }
        return rows
    }

    func delete(of account: Account, in sql: any SQL) throws(Failure) {
        try OrganisationRows(sql: sql).endInvitations(of: account)
    }
}
