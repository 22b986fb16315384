import Foundation
import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage
import TourModel

/// Routes by which tours are shared with an organisation, and handed from one member to another.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct OrganisationTourRoutes: Sendable {
    let parts: RequestParts
    let rosters: TourRosters

    var routes: [Route] {
        [
            Route(.get, "/organisations/{id}/tours", handler: list),
            Route(.put, "/organisations/{id}/tours/{tour}", handler: share),
            Route(.delete, "/organisations/{id}/tours/{tour}", handler: takeOut),
            Route(.put, "/organisations/{id}/tours/{tour}/owner/{account}", handler: handOver),
        ]
    }

    private func list(_ call: Call) async throws(Failure) -> Answer {
        let request = try PageRequest(call)
        let (id, account) = (try call.number("id"), try call.requireAccount().account)
        let page = try await parts.storage.read { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            _ = try rows.require(.guide, of: account.id, in: id)
            return try TourPages(sql: sql, request: request).tours(of: id)
        }
        var bodies = [OrganisationTourBody]()
        for tour in page.rows {
            // A plan has no roster: all members of the organisation may see it.
            let isSeen =
                try await rosters.read(tour.id) { sql, tour, known throws(Failure) in
                    try TourAccess.of(account, to: tour, known, in: sql) != nil
                } ?? tour.isPlanned
            bodies.append(OrganisationTourBody(tour, isSeen: isSeen))
        }
        return try .page(Page(rows: bodies, next: page.next), request)
    }

    /// The owner shares a tour.
    private func share(_ call: Call) async throws(Failure) -> Answer {
        let (id, account) = (try call.number("id"), try call.requireAccount().account)
        return try await change(call) { sql, tour, known throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            _ = try rows.require(.guide, of: account.id, in: id)
            guard let tour else { throw Failure(.notFound) }
            try rows.share(tour, known, of: account, with: id, now: call.now)
            return .noContent
        }
    }

    private func takeOut(_ call: Call) async throws(Failure) -> Answer {
        let (id, tour, account) = (try call.number("id"), try Self.tour(call), try call.requireAccount().id)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            _ = try rows.require(.admin, of: account, in: id)
            try rows.takeOut(try rows.tour(tour, of: id), of: id, by: .account(account), now: call.now)
            return .noContent
        }
    }

    /// An admin, the tour's keeper or, where it has none, a member that leads it, gives it another owner.
    private func handOver(_ call: Call) async throws(Failure) -> Answer {
        let (id, heir) = (try call.number("id"), try call.number("account"))
        let (asked, account) = (try Self.tour(call), try call.requireAccount().account)
        return try await change(call) { sql, _, known throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            _ = try rows.require(.guide, of: account.id, in: id)
            let tour = try rows.tour(asked, of: id)
            if try !TourAccess.owns(account, tour, known, in: sql) {
                _ = try rows.require(.admin, of: account.id, in: id)
            }
            // First, so that nobody learns how much a stranger has planned.
            guard try rows.role(of: heir, in: id) != nil else { throw Failure(.notFound) }
            try rows.requireRoom(for: tour, of: heir)
            try rows.handOver(tour, to: heir, in: id, by: .account(account.id), now: call.now)
            let given = try rows.tour(tour.id, of: id)
            let isSeen = try TourAccess.of(account, to: given, known, in: sql) != nil
            return try .json(OrganisationTourBody(given, isSeen: isSeen))
        }
    }

    /// A change that depends on the tour's roster as it is in the transaction.
    /// - Parameter body: receives nil for a tour that the server does not know, and no roster for a planned one.
    private func change(
        _ call: Call,
        _ body: @escaping @Sendable (any SQL, StoredTour?, KnownGroup?) throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        let (asked, storage) = (try Self.tour(call), parts.storage)
        // The id of a plan leads to the tour that has replaced it.
        let id = try await storage.lookUp { sql throws(Failure) in try OrganisationRows(sql: sql).known(asked)?.id }
        return try await rosters.settle(id ?? asked) { known throws(Failure) in
            try await call.write(storage) { sql throws(Failure) in
                let tour = try OrganisationRows(sql: sql).known(asked)
                guard let tour, !tour.isPlanned else { return try body(sql, tour, nil) }
                guard let known else { throw Failure(.rosterMoved) }
                try ControlRows(sql: sql).check(known, of: tour)
                return try body(sql, tour, known)
            }
        }
    }

    /// - Throws: `notFound` for anything but 64 hexadecimal digits.
    private static func tour(_ call: Call) throws(Failure) -> TourID {
        guard let id = TourID(hex: call.parameters["tour"] ?? "") else { throw Failure(.notFound) }
        return id
    }
}
