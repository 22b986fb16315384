import ServerBase
import ServerRequests
import ServerStorage
import TourModel

/// The tours that were shared with an organisation: they are the organisation's until an admin takes them out.
extension OrganisationRows {
    /// The organisation's tours that the account owns, in the order of their registration.
    func tours(of organisation: Int64, ownedBy account: Int64) throws(Failure) -> [StoredTour] {
        let found = try sql.rows(
            """
            SELECT \(StoredTour.columns) FROM tours WHERE tours.account = $1
            AND tours.number IN (SELECT tour FROM organisation_tours WHERE organisation = $2)
            ORDER BY tours.created_at, tours.number
            """, [.integer(account), .integer(organisation)])
        return try found.map { row throws(Failure) in try StoredTour(row) }
    }

    /// How many tours the organisation has.
    package func tourCount(of organisation: Int64) throws(Failure) -> Int64 {
        let row = try sql.row(
            "SELECT COUNT(*) FROM organisation_tours WHERE organisation = $1", [.integer(organisation)])
        return try row?.count(0) ?? 0
    }

    /// Whether the tour is one of an organisation of the account.
    func isColleague(_ account: Int64, in tour: StoredTour) throws(Failure) -> Bool {
        let row = try sql.row(
            """
            SELECT m.role FROM organisation_tours AS t
            JOIN organisation_members AS m ON m.organisation = t.organisation WHERE t.tour = $1 AND m.account = $2
            """, [.integer(tour.number), .integer(account)])
        return row != nil
    }

    /// - Throws: `notFound` for a tour that is not the organisation's.
    package func tour(_ id: TourID, of organisation: Int64) throws(Failure) -> StoredTour {
        guard let tour = try known(id), try self.organisation(of: tour) == organisation else {
            throw Failure(.notFound)
        }
        return tour
    }

    /// Shares a tour with an organisation of its owner, which is use of the tour. A repetition changes nothing. An
    /// account that leads a tour whose owner is a keeper no more takes the tour over by it, out of the organisation
    /// where it was.
    /// - Parameter known: nil for a planned tour.
    /// - Throws: `notFound` for a tour that the account neither owns nor takes over; `alreadyShared` with another
    ///   organisation; `quota`.
    func share(
        _ tour: StoredTour, _ known: KnownGroup?, of account: Account, with organisation: Int64, now: Int64
    ) throws(Failure) {
        guard try TourAccess.owns(account, tour, known, in: sql) else { throw Failure(.notFound) }
        var held = try self.organisation(of: tour)
        if tour.account != account.id {
            try give(tour, to: account.id, in: organisation, by: .account(account.id), now: now)
            if let other = held, other != organisation {
                try takeOut(tour, of: other, by: .account(account.id), now: now)
                held = nil
            }
        }
        if let held {
            guard held == organisation else { throw Failure(.alreadyShared) }
            return
        }
        guard try tourCount(of: organisation) < ServerLimits.organisationToursMax else { throw Failure(.quota) }
        try sql.run(
            "INSERT INTO organisation_tours (tour, organisation) VALUES ($1, $2)",
            [.integer(tour.number), .integer(organisation)])
        try EndingTours(sql: sql).touch(tour.number, now: now)
        try AuditLog(sql: sql).add(
            .tourShared, by: .account(account.id), tour: tour.id, detail: Self.detail(organisation), now: now)
    }

    /// Takes a tour out of its organisation: it stays with its owner.
    func takeOut(_ tour: StoredTour, of organisation: Int64, by actor: AuditActor, now: Int64) throws(Failure) {
        try sql.run("DELETE FROM organisation_tours WHERE tour = $1", [.integer(tour.number)])
        try AuditLog(sql: sql).add(
            .tourTakenOut, by: actor, tour: tour.id, detail: Self.detail(organisation), now: now)
    }

    /// Gives a tour of the organisation another owner, which is use of the tour. The one before keeps what a member of
    /// the organisation, or of the tour, may do.
    /// - Throws: `notFound` where the new owner is no member.
    package func handOver(
        _ tour: StoredTour, to account: Int64, in organisation: Int64, by actor: AuditActor, now: Int64
    ) throws(Failure) {
        guard try role(of: account, in: organisation) != nil else { throw Failure(.notFound) }
        guard tour.account != account else { return }
        try give(tour, to: account, in: organisation, by: actor, now: now)
    }

    private func give(
        _ tour: StoredTour, to account: Int64, in organisation: Int64, by actor: AuditActor, now: Int64
    ) throws(Failure) {
        try TourKeeping(sql: sql).give(tour, to: account)
        try EndingTours(sql: sql).touch(tour.number, now: now)
        let before = tour.account.map { ", from account \($0)" } ?? ""
        try AuditLog(sql: sql).add(
            .tourHandedOver, by: actor, account: account, tour: tour.id,
            detail: Self.detail(organisation) + before, now: now)
    }

    /// Whether the account may be handed the tour at somebody's wish: a plan counts among its own.
    /// - Throws: `quota`.
    package func requireRoom(for tour: StoredTour, of account: Int64) throws(Failure) {
        guard tour.isPlanned, tour.account != account else { return }
        try PlannedTours(sql: sql).requireRoom(for: account)
    }

    /// For a tour that replaces a plan: it is shared as the plan was, unless it is shared already. Only its owner
    /// shares a tour: one that another account made known is not, though who leads it replaces a plan with it.
    func move(from plan: StoredTour, to tour: StoredTour) throws(Failure) {
        if tour.account == plan.account, try organisation(of: tour) == nil {
            try sql.run(
                "UPDATE organisation_tours SET tour = $1 WHERE tour = $2",
                [.integer(tour.number), .integer(plan.number)])
        }
    }

    /// For a plan that is deleted.
    func forget(_ tour: StoredTour) throws(Failure) {
        try sql.run("DELETE FROM organisation_tours WHERE tour = $1", [.integer(tour.number)])
    }

    private func organisation(of tour: StoredTour) throws(Failure) -> Int64? {
        try sql.row("SELECT organisation FROM organisation_tours WHERE tour = $1", [.integer(tour.number)])?.integer(0)
    }

    /// The tour of this id, planned or made known.
    func known(_ id: TourID) throws(Failure) -> StoredTour? {
        if let tour = try TourRows(sql: sql).tour(id) { return tour }
        return try PlannedTours(sql: sql).tour(id)
    }
}
