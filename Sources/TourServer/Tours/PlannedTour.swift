import TourCrypto
import TourModel

/// What the server shows of a tour beside its events, as the account that registers it says it.
struct TourListing: Sendable {
    /// The tour's own name is sealed: this one is for the accounts that may see the tour here.
    var name: String?
    /// Microseconds since 1970, both.
    var startDate: Int64?
    var endDate: Int64?
}

/// A tour by its name alone, planned before any device founded it. It has an id of its own, at random, and no member;
/// its account changes its name and dates, and invites. When the guide's device founds the tour, the plan becomes the
/// tour: invitations go on, and the plan's id still leads to it.
/// Source: `Protocol/10-server.md`, "Planned tours".
extension SQL {
    /// - Throws: `quota`.
    func planTour(_ listing: TourListing, account: Int64, now: Int64) throws(Failure) -> StoredTour {
        let count = try row("SELECT COUNT(*) FROM tours WHERE account = $1 AND plan = id", [.integer(account)])
        guard try count?.integer(0) ?? 0 < ServerLimits.plannedToursMax else { throw Failure(.quota) }
        guard let id = TourID(Randomness.bytes(Bytes32.count)) else {
            throw Failure(.internalError, cause: "a random id has another length")
        }
        let tour = try addTour(id, genesis: [0], account: account, listing: listing, now: now)
        try run("UPDATE tours SET plan = id WHERE number = $1", [.integer(tour.number)])
        guard let plan = try plannedTour(id) else {
            throw Failure(.internalError, cause: "a tour that was just planned is not there")
        }
        return plan
    }

    /// - Returns: the planned tour of this id, or the tour that was founded from it.
    func plannedTour(_ id: TourID) throws(Failure) -> StoredTour? {
        let row = try row("SELECT \(StoredTour.columns) FROM tours WHERE plan = $1", [.bytes(id.bytes)])
        guard let row else { return nil }
        return try StoredTour(row)
    }

    /// Makes a planned tour the tour of this genesis. A name and dates that the founding names replace those of the
    /// plan.
    /// - Throws: `invalidField` for a plan that is not this account's, or of which another tour was founded.
    func found(
        _ id: TourID, genesis: [UInt8], plan: TourID, account: Int64, listing: TourListing
    ) throws(Failure) -> StoredTour {
        guard let planned = try plannedTour(plan), planned.account == account, planned.isPlanned else {
            throw .invalid("planned")
        }
        try run(
            """
            UPDATE tours SET id = $1, genesis = $2, name = $3, start_date = $4, end_date = $5, bytes = $6
            WHERE number = $7
            """,
            [
                .bytes(id.bytes), .bytes(genesis), SQLValue(listing.name ?? planned.name),
                SQLValue(listing.startDate ?? planned.startDate), SQLValue(listing.endDate ?? planned.endDate),
                .integer(Int64(genesis.count)), .integer(planned.number),
            ])
        guard let tour = try tour(id) else {
            throw Failure(.internalError, cause: "a tour that was just founded is not there")
        }
        return tour
    }

    /// A tour that is registered already, for a request that founds it once more.
    /// - Throws: `invalidField` when the request names a plan that is another tour's.
    func check(_ tour: StoredTour, isFoundedFrom plan: TourID?) throws(Failure) -> StoredTour {
        guard let plan else { return tour }
        guard try plannedTour(plan)?.number == tour.number else { throw .invalid("planned") }
        return tour
    }

    /// Deletes a planned tour, with its invitations.
    func deletePlan(_ tour: StoredTour) throws(Failure) {
        try run("DELETE FROM invitations WHERE tour = $1", [.integer(tour.number)])
        try run("DELETE FROM tours WHERE number = $1 AND plan = id", [.integer(tour.number)])
    }
}
