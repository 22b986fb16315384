import Foundation
import TourModel

/// The ties of an account to tours: those that it registered, has a seat in or is invited to. The tours stay, since
/// they belong to their members; only those that the account planned, and nobody founded, go with it.
struct TourHolding: SmallHolding {
    let name = "groups"

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

    func export(of account: Account, in sql: any SQL) throws(Failure) -> any Encodable & Sendable {
        var ties = [Tie]()
        for tour in try sql.tours(of: account) {
            let plan = tour.isPlanned && tour.account == account.id ? try self.plan(tour, in: sql) : nil
            ties.append(
                Tie(id: tour.id.hex, memberId: try sql.boundMember(of: account.id, in: tour)?.hex, plan: plan))
        }
        return ties
    }

    private func plan(_ tour: StoredTour, in sql: any SQL) throws(Failure) -> Plan {
        Plan(
            name: tour.name ?? "", startDate: tour.startDate.map(Date.init(microseconds:)),
            endDate: tour.endDate.map(Date.init(microseconds:)),
            invitations: try sql.invitations(to: tour).map(Invitation.Body.init))
    }

    func delete(of account: Account, in sql: any SQL) throws(Failure) {
        for tour in try sql.tours(of: account) where tour.isPlanned && tour.account == account.id {
            try sql.deletePlan(tour)
        }
        try sql.run("DELETE FROM seats WHERE account = $1", [.integer(account.id)])
        try sql.run("UPDATE tours SET account = NULL WHERE account = $1", [.integer(account.id)])
    }
}
