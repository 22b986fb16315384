import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import ServerTours
import TourModel

/// The operator's view of a server's data and power over it, whether or not a server is running. Each change is one
/// transaction, which also writes its entry of the audit log. A running server looks every token and every tour up in
/// the database, so that it follows with the next request; open streams of events follow within
/// `ServerLimits.liveSilence`.
package struct ServerOperator: Sendable {
    let door: OpenedServer
    let actor: AuditActor
    let now: @Sendable () -> Int64
    /// The server's own, which keep what was worked out before.
    private let pageRosters: TourRosters?

    /// - Parameter user: the operator's name in the audit log.
    /// - Parameter now: microseconds since 1970.
    package init(_ door: OpenedServer, user: String, now: @escaping @Sendable () -> Int64 = WallClock.now) {
        self.init(door, actor: .server(operator: user), pageRosters: nil, now: now)
    }

    /// An operator who acts on the page rather than by a command.
    init(_ door: OpenedServer, onPage user: String, _ parts: ServerParts) {
        self.init(door, actor: .page(operator: user), pageRosters: parts.rosters, now: parts.requests.now)
    }

    private init(
        _ door: OpenedServer, actor: AuditActor, pageRosters: TourRosters?, now: @escaping @Sendable () -> Int64
    ) {
        (self.door, self.actor, self.now) = (door, actor, now)
        self.pageRosters = pageRosters
    }

    var rosters: TourRosters { pageRosters ?? TourRosters(storage: storage, metrics: ServerMetrics()) }

    var storage: any Storage { door.storage }

    /// Reads, from a database of this version's form.
    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await storage.requireSchema()
        return try await storage.read(work)
    }

    /// Runs one durable transaction, on a database of this version's form.
    func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await storage.requireSchema()
        return try await storage.write(work)
    }

    /// The newest entries of the audit log, the newest first.
    /// - Parameter since: microseconds since 1970.
    /// - Throws: `unavailable`; `newerDatabase`.
    package func audit(since: Int64 = 0, limit: Int) async throws(Failure) -> OperatorPage<AuditEntry> {
        try await read { sql throws(Failure) in
            OperatorPage(try AuditLog(sql: sql).entries(since: since, limit: limit + 1), limit: limit)
        }
    }

    /// Makes a link that opens the page of a running server once.
    /// - Parameter user: the operator's name, for the audit log.
    /// - Throws: `notFound` where no server of this data directory has the page; `quota`; `unavailable`;
    ///   `newerDatabase`.
    package func pageLink(for user: String) async throws(Failure) -> PageLink {
        guard let address = try PageAddress.written(in: door.directory) else {
            throw Failure(
                .notFound, cause: "no server of this data directory has the page: start it with serve --admin-listen")
        }
        let now = now()
        let token = try await write { sql throws(Failure) in
            try PageKeys(sql: sql).addLink(for: user, now: now)
        }
        return PageLink(
            url: "\(address)/#\(token)",
            expiresAt: Date(microseconds: now + ServerLimits.pageLinkLifetime * 1_000_000))
    }

    /// Ends every link to the page, and everything that they opened.
    /// - Returns: how many ended.
    /// - Throws: `unavailable`; `newerDatabase`.
    package func closePage() async throws(Failure) -> Int {
        let (now, actor) = (now(), actor)
        return try await write { sql throws(Failure) in
            let ended = try PageKeys(sql: sql).endAll()
            if ended > 0 { try AuditLog(sql: sql).add(.pageClosed, by: actor, detail: String(ended), now: now) }
            return ended
        }
    }

    /// One JSON value of this API's form, for `--json`.
    /// - Throws: `internal`.
    package static func json(_ value: some Encodable) throws(Failure) -> String {
        do {
            return String(decoding: try JSONForm.encoder.encode(value), as: UTF8.self)
        } catch {
            throw Failure(.internalError, cause: "what was found has no JSON")
        }
    }
}

/// The first rows of a list.
package struct OperatorPage<Row: Sendable>: Sendable {
    /// In the list's order.
    package let rows: [Row]
    /// Whether the list goes on.
    package let hasMore: Bool

    /// - Parameter found: one row more than `limit`, if there are so many.
    init(_ found: [Row], limit: Int) {
        rows = Array(found.prefix(limit))
        hasMore = found.count > limit
    }
}

extension OperatorPage: Encodable where Row: Encodable {
    private enum CodingKeys: String, CodingKey {
        case rows
        case hasMore = "more"
    }
}

extension AuditEntry: Encodable {
    private enum CodingKeys: String, CodingKey { case number, at, actor, action, account, tour, detail }

    /// Null where the entry lacks an account, a tour or a detail: every entry has the same members.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(number, forKey: .number)
        try container.encode(Date(microseconds: at), forKey: .at)
        try container.encode(actor, forKey: .actor)
        try container.encode(action, forKey: .action)
        try container.encode(account, forKey: .account)
        try container.encode(tour?.hex, forKey: .tour)
        try container.encode(detail, forKey: .detail)
    }
}

extension Storage {
    /// For what reads or writes a database without migrating it.
    /// - Throws: `newerDatabase`; `unavailable` for one of an earlier form, or without tables.
    func requireSchema() async throws(Failure) {
        let taken: Set<String>
        do throws(Failure) {
            try await refuseNewer(than: Migration.all)
            taken = try await read { sql throws(Failure) in
                var names = Set<String>()
                for row in try sql.rows("SELECT name FROM migrations", []) { names.insert(try row.text(0)) }
                return names
            }
        } catch {
            guard error.code == .internalError else { throw error }
            throw Failure(.unavailable, cause: "the database has no tables yet: 'tour-server migrate' makes them")
        }
        guard taken.isSuperset(of: Migration.all.map(\.name)) else {
            throw Failure(
                .unavailable, cause: "the database is of an earlier version: 'tour-server migrate' brings it forward")
        }
    }
}
