import ServerBase
import ServerStorage
import TourModel

/// A tour as the database stores it: what the server records of it beside its events.
package struct StoredTour: Sendable {
    /// The tour's number in the other tables.
    package let number: Int64
    /// The tour's id, which the genesis determines; of a planned tour, the id of the plan.
    package let id: TourID
    /// One zero in a planned tour.
    let genesis: [UInt8]
    /// The account that registered the tour; nil once that account is deleted.
    package let account: Int64?
    /// The name that the account gave the tour here: the tour's own name is sealed.
    package let name: String?
    /// Whether the tour is under way, as the account says that registered it.
    package let isActive: Bool
    /// Microseconds since 1970, like all times here.
    package let startDate: Int64?
    /// When the tour ends.
    package let endDate: Int64?
    /// When the account registered or planned the tour.
    package let createdAt: Int64
    /// When events were last stored.
    package let syncedAt: Int64?
    /// Rises with every transaction that stores events.
    let revision: Int64
    /// The size of the genesis and of all events; a control event counts again once its log reaches it.
    package let bytes: Int64
    /// The id of the plan that this tour has replaced, or is.
    let plan: TourID?
    /// The member that the owner's rights hang on: see `TourKeeping`. nil for a plan, and where an older version gave
    /// the tour to an account that was not in it.
    let standsOn: MemberID?
    /// Whether no device has founded the tour yet, so that nothing but its name, dates and invitations exists.
    package var isPlanned: Bool { plan == id }

    /// The columns that `init` reads, of a statement with the table `tours`.
    package static let columns = """
        tours.number, tours.id, tours.genesis, tours.account, tours.name, tours.is_active, tours.start_date, \
        tours.end_date, tours.created_at, tours.synced_at, tours.revision, tours.bytes, \
        tours.plan, tours.stands_on
        """
    /// How many columns these are.
    package static let columnCount = 14

    /// - Parameter row: begins with `columns`.
    package init(_ row: SQLRow) throws(Failure) {
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
        standsOn = try row.optionalBytes(13).flatMap(MemberID.init)
    }

    /// The topic that is woken when events of the tour are stored.
    var topic: String { "tour:" + id.hex }
}
