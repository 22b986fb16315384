import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import TourModel

/// The organisations that an account is in or invited to.
package struct OrganisationHolding: SmallHolding {
    /// See `AccountHolding.name`.
    package let name = "organisations"

    package init() {}

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

    /// The organisations with the account's role, and its tours there.
    package func export(of account: Account, in sql: any SQL) throws(Failure) -> any Encodable & Sendable {
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

    /// Ends the memberships before any tour is deleted, so that tours of organisations go to their admins.
    package func prepareDeletion(of account: Account, by actor: AuditActor, now: Int64, in sql: any SQL) throws(Failure)
    {
        try OrganisationRows(sql: sql).endAll(of: account.id, by: actor, now: now)
    }

    /// Ends invitations: the memberships have ended before.
    package func delete(of account: Account, in sql: any SQL) throws(Failure) {
        try OrganisationRows(sql: sql).endInvitations(of: account)
    }
}
