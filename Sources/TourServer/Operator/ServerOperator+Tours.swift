import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import ServerTours
import TourGroup
import TourModel

/// A tour as the operator sees it: the server has no key to what is said in it.
package struct TourSummary: Encodable, Sendable {
    /// 64 hexadecimal digits.
    package let id: String
    /// The name that its account gave it here; the tour's own name is sealed.
    @Nullable package var name: String?
    /// The account that registered it; nil once that is deleted.
    @Nullable package var account: Int64?
    /// Whether no device has founded it yet.
    package let isPlanned: Bool
    /// Whether its account shows it as under way.
    package let isActive: Bool
    /// The members who are in; nil where the tour is planned or its events are not sound.
    @Nullable package var members: Int?
    /// Accounts that are tied to a member.
    package let seats: Int64
    /// Invitations that nobody has followed yet.
    package let invitations: Int64
    /// Whether the server reads along, as a member.
    package let hasArchive: Bool
    /// The size of events and files, in bytes.
    package let bytes: Int64
    /// The size of its events, in bytes.
    package let eventBytes: Int64
    /// The size of its files, in bytes, with the room of those that are still arriving.
    package let blobBytes: Int64
    /// When it was registered.
    package let createdAt: Date
    /// When events were last stored, else when it was registered.
    package let lastActivityAt: Date
    /// When the server will delete it if nothing is written in it; nil: nothing is announced.
    @Nullable package var deletedAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, name, account, members, seats, invitations, bytes
        case isPlanned = "planned"
        case isActive = "active"
        case hasArchive = "archive"
        case eventBytes = "event_bytes"
        case blobBytes = "blob_bytes"
        case createdAt = "created_at"
        case lastActivityAt = "last_activity_at"
        case deletedAt = "deleted_at"
    }
}

/// A tour in one read of the database, before its members are counted.
private struct CountedTour: Sendable {
    let tour: StoredTour
    let seats: Int64
    let invitations: Int64
    let archives: Int64
    let blobBytes: Int64
    let due: Int64?

    static let columns = """
        \(StoredTour.columns),
        (SELECT COUNT(*) FROM seats WHERE seats.tour = tours.number),
        (SELECT COUNT(*) FROM invitations WHERE invitations.tour = tours.number),
        (SELECT COUNT(*) FROM archives WHERE archives.tour = tours.number),
        (SELECT CAST(COALESCE(SUM(blobs.bytes), 0) AS BIGINT) FROM blobs WHERE blobs.tour = tours.number),
        (SELECT due FROM ending_tours WHERE ending_tours.tour = tours.number)
        """

    init(_ row: SQLRow) throws(Failure) {
        tour = try StoredTour(row)
        seats = try row.count(StoredTour.columnCount)
        invitations = try row.count(StoredTour.columnCount + 1)
        archives = try row.count(StoredTour.columnCount + 2)
        blobBytes = try row.count(StoredTour.columnCount + 3)
        due = try row.optionalInteger(StoredTour.columnCount + 4)
    }
}

extension ServerOperator {
    /// Tours, those with the latest activity first.
    /// - Throws: `unavailable`; `newerDatabase`.
    package func tours(limit: Int) async throws(Failure) -> OperatorPage<TourSummary> {
        let found = try await read { sql throws(Failure) in
            let statement = """
                SELECT \(CountedTour.columns) FROM tours
                ORDER BY COALESCE(tours.synced_at, tours.created_at) DESC, tours.number DESC LIMIT \(limit + 1)
                """
            return try sql.rows(statement, []).map(CountedTour.init)
        }
        let rosters = rosters
        var tours = [TourSummary]()
        for tour in found { tours.append(await Self.summary(of: tour, rosters)) }
        return OperatorPage(tours, limit: limit)
    }

    /// - Parameter id: 64 hexadecimal digits; the id of a plan leads to the tour that has replaced it.
    /// - Throws: `notFound`; `unavailable`; `newerDatabase`.
    package func tour(_ id: String) async throws(Failure) -> TourSummary {
        let found = try await read { sql throws(Failure) in
            let tour = try Self.tour(id, in: sql)
            let row = try sql.row(
                "SELECT \(CountedTour.columns) FROM tours WHERE tours.number = $1", [.integer(tour.number)])
            return try row.map { row throws(Failure) in try CountedTour(row) }
        }
        guard let found else { throw Failure(.notFound) }
        return await Self.summary(of: found, rosters)
    }

    /// The open invitations to tours, the newest first.
    /// - Throws: `unavailable`; `newerDatabase`.
    package func invitations(limit: Int) async throws(Failure) -> OperatorPage<InvitationSummary> {
        try await read { sql throws(Failure) in
            OperatorPage(try InvitationSummary.all(limit: limit + 1, in: sql), limit: limit)
        }
    }

    /// Deletes a tour from this server, with everything that was stored for it. It stays on its members' devices, and
    /// a guide with an account can make it known again.
    /// - Throws: `notFound`; `unavailable`; `newerDatabase`.
    package func deleteTour(_ id: String) async throws(Failure) -> TourSummary {
        let deleted = try await tour(id)
        let (now, actor) = (now(), actor)
        try await write { sql throws(Failure) in
            let tour = try Self.tour(id, in: sql)
            try DeletedTours(sql: sql).add(tour)
            try AuditLog(sql: sql).add(.tourDeleted, by: actor, tour: tour.id, now: now)
        }
        try await TourRemoval(
            storage: storage, blobs: BlobStore(storage: storage, directory: door.directory, bytes: door.blobs)
        ).finish()
        return deleted
    }

    private static func summary(of found: CountedTour, _ rosters: TourRosters) async -> TourSummary {
        let tour = found.tour
        let members = try? await rosters.read(tour.id) { _, _, known throws(Failure) in
            known.group.roster.members.values.count { $0.isActive }
        }
        return TourSummary(
            id: tour.id.hex, name: tour.name, account: tour.account, isPlanned: tour.isPlanned,
            isActive: tour.isActive, members: members, seats: found.seats, invitations: found.invitations,
            hasArchive: found.archives > 0, bytes: tour.bytes + found.blobBytes, eventBytes: tour.bytes,
            blobBytes: found.blobBytes,
            createdAt: Date(microseconds: tour.createdAt),
            lastActivityAt: Date(microseconds: tour.syncedAt ?? tour.createdAt),
            deletedAt: found.due.map(Date.init(microseconds:)))
    }
}

extension ServerOperator {
    /// - Throws: `notFound`.
    private static func tour(_ text: String, in sql: any SQL) throws(Failure) -> StoredTour {
        guard let id = TourID(hex: text) else {
            throw Failure(.notFound, cause: "a tour's id has 64 hexadecimal digits: 'admin tours' lists them")
        }
        let found = if let tour = try TourRows(sql: sql).tour(id) { tour } else { try PlannedTours(sql: sql).tour(id) }
        guard let found else { throw Failure(.notFound, cause: "this server has no tour \(text)") }
        return found
    }
}
