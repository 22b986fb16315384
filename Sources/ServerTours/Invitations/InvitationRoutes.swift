import Foundation
import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage

/// Routes by which members that lead a tour decide who else may see it.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct InvitationRoutes: Sendable {
    let parts: RequestParts
    let rosters: TourRosters

    var routes: [Route] {
        [
            Route(.get, "/groups/{id}/invitations", access: .member, handler: list),
            Route(.post, "/groups/{id}/invitations", access: .member, body: .json, handler: invite),
            Route(.delete, "/groups/{id}/invitations/{invitation}", access: .member, handler: end),
        ]
    }

    private func list(_ call: Call) async throws(Failure) -> Answer {
        let request = try PageRequest(call)
        let access = try await call.access(of: call.parameters["id"] ?? "", parts.storage, rosters)
        let all = try await parts.storage.read { sql throws(Failure) in
            try InvitationRows(sql: sql).all(for: access)
        }
        let page = request.page(of: all) { .pageKey($0.number) }
        return try .page(Page(rows: page.rows.map(Invitation.Body.init), next: page.next), request)
    }

    private func invite(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var email: EmailAddress?
            var phone: PhoneNumber?
            var link: String?
        }
        let body = try call.json(Body.self)
        // Exactly one of the two, so that each invitation is for one person.
        guard (body.email == nil) != (body.phone == nil) else { throw .invalid(body.email == nil ? "email" : "phone") }
        let (email, phone) = (body.email, body.phone)
        let access = try await leading(call)
        let (storage, now, caller) = (parts.storage, call.now, call.account)
        guard let text = body.link else {
            return try await call.write(storage) { sql throws(Failure) in
                let access = try Self.again(access, for: caller, in: sql)
                let rows = InvitationRows(sql: sql)
                let (invitation, isNew) = try rows.add(email: email, phone: phone, by: access, now: now)
                return try .json(Invitation.Body(invitation), status: isNew ? .created : .ok)
            }
        }
        let account = try call.requireAccount()
        try account.require(.guide, or: .notAGuide)
        guard let link = JoinLink(text, for: access.tour.id), !access.tour.isPlanned,
            !link.isOver(in: access.known?.group, now: now)
        else { throw .invalid("link") }
        // Its answer is kept once the message is sent, so that a repeated request sends none.
        let (invitation, isNew) = try await storage.write { sql throws(Failure) in
            let access = try Self.again(access, for: caller, in: sql)
            return try InvitationRows(sql: sql).add(email: email, phone: phone, by: access, now: now)
        }
        try await parts.send(link, to: invitation, by: account.account, call)
        return try .json(Invitation.Body(invitation), status: isNew ? .created : .ok)
    }

    private func end(_ call: Call) async throws(Failure) -> Answer {
        let access = try await call.access(of: call.parameters["id"] ?? "", parts.storage, rosters)
        guard let number = call.parameters["invitation"]?.pathNumber else { throw Failure(.notFound) }
        let account = call.account
        return try await call.write(parts.storage) { sql throws(Failure) in
            guard let tour = try TourRows(sql: sql).tour(number: access.tour.number),
                let access = try access.again(tour, for: account, in: sql)
            else { throw Failure(.notFound) }
            try InvitationRows(sql: sql).end(number, by: access, account)
            return .noContent
        }
    }

    private func leading(_ call: Call) async throws(Failure) -> TourAccess {
        let access = try await call.access(of: call.parameters["id"] ?? "", parts.storage, rosters)
        guard access.leads else { throw Failure(.notAllowed) }
        return access
    }

    /// The caller's right as it is in the transaction: a plan may have been deleted meanwhile, or handed to another
    /// owner.
    /// - Throws: `notFound`; `notAllowed` for a caller who leads it no more.
    private static func again(
        _ access: TourAccess, for account: AuthenticatedAccount?, in sql: any SQL
    ) throws(Failure) -> TourAccess {
        guard let tour = try TourRows(sql: sql).tour(number: access.tour.number) else { throw Failure(.notFound) }
        guard let access = try access.again(tour, for: account, in: sql), access.leads else {
            throw Failure(.notAllowed)
        }
        return access
    }
}
