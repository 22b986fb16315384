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
        let (id, account) = (try call.number("id"), try call.requireAccount().id)
        let page = try await parts.storage.read { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            _ = try rows.require(.guide, of: account, in: id)
            return try TourPages(sql: sql, request: request).tours(of: id)
        }
        return try .page(Page(rows: page.rows.map(OrganisationTourBody.init), next: page.next), request)
    }

    /// The owner shares a tour.
    private func share(_ call: Call) async throws(Failure) -> Answer {
        let (id, tour, account) = (try call.number("id"), try Self.tour(call), try call.requireAccount().id)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            _ = try rows.require(.guide, of: account, in: id)
            try rows.share(tour, of: account, with: id, now: call.now)
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

    /// An admin, or the tour's owner, gives it another owner.
    private func handOver(_ call: Call) async throws(Failure) -> Answer {
        let (id, heir) = (try call.number("id"), try call.number("account"))
        let (asked, account) = (try Self.tour(call), try call.requireAccount().id)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            _ = try rows.require(.guide, of: account, in: id)
            let tour = try rows.tour(asked, of: id)
            if tour.account != account { _ = try rows.require(.admin, of: account, in: id) }
            // First, so that nobody learns how much a stranger has planned.
            guard try rows.role(of: heir, in: id) != nil else { throw Failure(.notFound) }
            try rows.requireRoom(for: tour, of: heir)
            try rows.handOver(tour, to: heir, in: id, by: .account(account), now: call.now)
            return try .json(OrganisationTourBody(try rows.tour(tour.id, of: id)))
        }
    }

    /// - Throws: `notFound` for anything but 64 hexadecimal digits.
    private static func tour(_ call: Call) throws(Failure) -> TourID {
        guard let id = TourID(hex: call.parameters["tour"] ?? "") else { throw Failure(.notFound) }
        return id
    }
}
