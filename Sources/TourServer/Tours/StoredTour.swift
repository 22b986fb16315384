import TourModel

/// A tour as the database stores it: what the server records of it beside its events.
package struct StoredTour: Sendable {
    /// The tour's number in the other tables.
    let number: Int64
    /// The tour's id, which the genesis determines; of a planned tour, the id of the plan.
    package let id: TourID
    /// One zero in a planned tour.
    let genesis: [UInt8]
    /// The account that registered the tour; nil once that account is deleted.
    let account: Int64?
    /// The name that the account gave the tour here: the tour's own name is sealed.
    let name: String?
    let isActive: Bool
    /// Microseconds since 1970, like all times here.
    let startDate: Int64?
    let endDate: Int64?
    let createdAt: Int64
    /// When events were last stored.
    let syncedAt: Int64?
    /// Rises with every transaction that stores events.
    let revision: Int64
    /// The size of the genesis and of all events; a control event counts again once its log reaches it.
    let bytes: Int64
    /// The id of the plan that this tour has replaced, or is.
    let plan: TourID?
    /// Whether no device has founded the tour yet, so that nothing but its name, dates and invitations exists.
    var isPlanned: Bool { plan == id }

    static let columns = """
        tours.number, tours.id, tours.genesis, tours.account, tours.name, tours.is_active, tours.start_date, \
        tours.end_date, tours.created_at, tours.synced_at, tours.revision, tours.bytes, \
        tours.plan
        """
    static let columnCount = 13

    /// - Parameter row: begins with `columns`.
    init(_ row: SQLRow) throws(Failure) {
        number = try row.integer(0)
        id = try row.identifier(1)
        genesis = try row.bytes(2)
        account = try row.optionalInteger(3)
        name = try row.optionalText(4)
        isActive = try row.integer(5) != 0
        startDate = try row.optionalInteger(6)
        endDate = try row.optionalInteger(7)
        createdAt = try row.integer(8)
        syncedAt = try row.optionalInteger(9)
        revision = try row.count(10)
        bytes = try row.count(11)
        plan = try row.optionalBytes(12).flatMap(TourID.init)
    }

    /// The topic that is woken when events of the tour are stored.
    var topic: String { "tour:" + id.hex }
}

extension SQLRow {
    /// - Throws: `internal` for anything but 32 bytes.
    func identifier<ID: Identifier>(_ column: Int) throws(Failure) -> ID {
        guard let id = ID(try bytes(column)) else {
            throw Failure(.internalError, cause: "column \(column) of a row holds no id")
        }
        return id
    }
}

extension SQL {
    /// - Returns: nil for a planned tour too: it has no roster.
    func tour(_ id: TourID) throws(Failure) -> StoredTour? {
        let row = try row(
            "SELECT \(StoredTour.columns) FROM tours WHERE id = $1 AND (plan IS NULL OR plan <> id)",
            [.bytes(id.bytes)])
        guard let row else { return nil }
        return try StoredTour(row)
    }

    /// - Parameter number: of a planned tour too.
    func tour(number: Int64) throws(Failure) -> StoredTour? {
        let row = try row("SELECT \(StoredTour.columns) FROM tours WHERE number = $1", [.integer(number)])
        guard let row else { return nil }
        return try StoredTour(row)
    }

    /// The tours that an account registered, has a seat in or is invited to, in the order of their registration.
    func tours(of account: Account) throws(Failure) -> [StoredTour] {
        let found = try rows(
            """
            SELECT \(StoredTour.columns) FROM tours WHERE tours.account = $1
            OR tours.number IN (SELECT tour FROM seats WHERE account = $2)
            OR tours.number IN (SELECT tour FROM invitations WHERE email = $3 OR phone = $4)
            ORDER BY tours.created_at, tours.number
            """, [.integer(account.id), .integer(account.id), SQLValue(account.provenEmail), SQLValue(account.phone)])
        var tours = [StoredTour]()
        for row in found { tours.append(try StoredTour(row)) }
        return tours
    }

    /// Registers a tour.
    func addTour(
        _ id: TourID, genesis: [UInt8], account: Int64, listing: TourListing, now: Int64
    ) throws(Failure) -> StoredTour {
        let number = try nextNumber("tours")
        try run(
            """
            INSERT INTO tours
            (number, id, genesis, account, name, is_active, start_date, end_date, created_at, revision, bytes)
            VALUES ($1, $2, $3, $4, $5, 1, $6, $7, $8, 0, $9)
            """,
            [
                .integer(number), .bytes(id.bytes), .bytes(genesis), .integer(account), SQLValue(listing.name),
                SQLValue(listing.startDate), SQLValue(listing.endDate), .integer(now),
                .integer(Int64(genesis.count)),
            ])
        guard let tour = try tour(id) else {
            throw Failure(.internalError, cause: "a tour that was just made is not there")
        }
        return tour
    }
}
