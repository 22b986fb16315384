import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import TourModel

/// The ties of an account to tours: those that it registered, has a seat in or is invited to. The tours stay, since
/// they belong to their members; only those that the account planned, and nobody founded, go with it.
package struct TourHolding: SmallHolding {
    /// See `AccountHolding.name`.
    package let name = "groups"

    package init() {}

    private struct Tie: Encodable, Sendable {
        let id: String
        let memberId: String?
        /// A planned tour's own content, which no member has.
        let plan: Plan?
    }

    private struct Plan: Encodable, Sendable {
        let name: String
        let startDate: Date?
        let endDate: Date?
        let invitations: [Invitation.Body]
    }

    /// The tours of the account, each with its member there and the plan.
    package func export(of account: Account, in sql: any SQL) throws(Failure) -> any Encodable & Sendable {
        var ties = [Tie]()
        for tour in try TourRows(sql: sql).tours(of: account) {
            let plan = tour.isPlanned && tour.account == account.id ? try self.plan(tour, in: sql) : nil
            ties.append(
                Tie(id: tour.id.hex, memberId: try SeatRows(sql: sql).member(of: account, in: tour)?.hex, plan: plan))
        }
        return ties
    }

    private func plan(_ tour: StoredTour, in sql: any SQL) throws(Failure) -> Plan {
        Plan(
            name: tour.name ?? "", startDate: tour.startDate.map(Date.init(microseconds:)),
            endDate: tour.endDate.map(Date.init(microseconds:)),
            invitations: try InvitationRows(sql: sql).all(to: tour).map(Invitation.Body.init))
    }

    /// Deletes the tours that the account planned, and gives up its seats. Tours that it registered stay, without it.
    package func delete(of account: Account, in sql: any SQL) throws(Failure) {
        for tour in try TourRows(sql: sql).tours(of: account) where tour.isPlanned && tour.account == account.id {
            try PlannedTours(sql: sql).delete(tour)
        }
        try SeatRows(sql: sql).forget(account)
        try TourRows(sql: sql).release(by: account)
    }
}
