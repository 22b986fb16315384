import ServerBase
import ServerRequests
import ServerStorage
import TourCrypto
import TourModel

/// What the server shows of a tour beside its events, as given by the account that registers it.
struct TourListing: Sendable {
    /// The tour's own name is sealed: this one is for the accounts that may see the tour here.
    var name: String?
    /// Microseconds since 1970, both.
    var startDate: Int64?
    var endDate: Int64?
}

/// A tour by its name alone, planned before any device founded it. It has a random id and no members; its account may
/// change and delete it, and invite people to it. Once the guide's device has founded the tour, the account replaces
/// the plan with it, and names both itself: the tour's own name is sealed, so the server could only guess.
/// Source: `Protocol/10-server.md`, "Planned tours".
package struct PlannedTours {
    let sql: any SQL

    package init(sql: any SQL) { self.sql = sql }

    /// - Throws: `quota` where the account has its maximum of open plans.
    func requireRoom(for account: Int64) throws(Failure) {
        let count = try sql.row("SELECT COUNT(*) FROM tours WHERE account = $1 AND plan = id", [.integer(account)])
        guard try count?.integer(0) ?? 0 < ServerLimits.plannedToursMax else { throw Failure(.quota) }
    }

    /// - Throws: `quota`.
    func add(_ listing: TourListing, by account: AuthenticatedAccount, now: Int64) throws(Failure) -> StoredTour {
        try requireRoom(for: account.id)
        guard let id = TourID(Randomness.bytes(Bytes32.count)) else {
            throw Failure(.internalError, cause: "a random id has another length")
        }
        let tour = try TourRows(sql: sql).add(id, genesis: [0], by: account, listing: listing, now: now)
        try sql.run("UPDATE tours SET plan = id WHERE number = $1", [.integer(tour.number)])
        guard let plan = try self.tour(id) else {
            throw Failure(.internalError, cause: "a tour that was just planned is not there")
        }
        return plan
    }

    /// - Returns: the planned tour of this id, or the tour that has replaced it.
    package func tour(_ id: TourID) throws(Failure) -> StoredTour? {
        let row = try sql.row("SELECT \(StoredTour.columns) FROM tours WHERE plan = $1", [.bytes(id.bytes)])
        guard let row else { return nil }
        return try StoredTour(row)
    }

    /// Replaces a planned tour with a registered one: the tour gets the plan's invitations, and its name and dates
    /// where it has none of its own; the plan's id leads to the tour from now on. A repetition changes nothing.
    /// - Throws: `invalidField` for a plan that is not this account's or was replaced already, and for a tour that has
    ///   replaced another plan.
    func replace(_ id: TourID, with tour: StoredTour, by account: AuthenticatedAccount) throws(Failure) {
        guard tour.plan != id else { return }
        guard tour.plan == nil, let plan = try self.tour(id), plan.isPlanned, plan.account == account.id else {
            throw .invalid("planned")
        }
        try sql.run(
            """
            UPDATE invitations SET tour = $1 WHERE tour = $2 AND NOT EXISTS (
                SELECT 1 FROM invitations AS own WHERE own.tour = $3
                AND (own.email = invitations.email OR own.phone = invitations.phone))
            """, [.integer(tour.number), .integer(plan.number), .integer(tour.number)])
        try OrganisationRows(sql: sql).move(from: plan, to: tour)
        try delete(plan)
        try sql.run(
            "UPDATE tours SET plan = $1, name = $2, start_date = $3, end_date = $4 WHERE number = $5",
            [
                .bytes(id.bytes), SQLValue(tour.name ?? plan.name), SQLValue(tour.startDate ?? plan.startDate),
                SQLValue(tour.endDate ?? plan.endDate), .integer(tour.number),
            ])
    }

    /// Deletes a planned tour, with its invitations.
    func delete(_ tour: StoredTour) throws(Failure) {
        try sql.run("DELETE FROM invitations WHERE tour = $1", [.integer(tour.number)])
        try EndingTours(sql: sql).forget(tour.number)
        try OrganisationRows(sql: sql).forget(tour)
        try sql.run("DELETE FROM tours WHERE number = $1 AND plan = id", [.integer(tour.number)])
    }
}
