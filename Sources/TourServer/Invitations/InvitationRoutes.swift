import Foundation
import HTTPTypes

/// Routes by which members that lead a tour decide who else may see it.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct InvitationRoutes: Sendable {
    let parts: ServerParts

    var routes: [Route] {
        [
            Route(.get, "/groups/{id}/invitations", access: .member, handler: list),
            Route(.post, "/groups/{id}/invitations", access: .member, body: .json, handler: invite),
            Route(.delete, "/groups/{id}/invitations/{invitation}", access: .member, handler: end),
        ]
    }

    private func list(_ call: Call) async throws(Failure) -> Answer {
        let request = try PageRequest(call)
        let access = try await call.access(of: call.parameters["id"] ?? "", parts)
        guard access.readsAll else { throw Failure(.notAllowed) }
        let all = try await parts.storage.read { sql throws(Failure) in try sql.invitations(to: access.tour) }
        let page = request.page(of: all) { .pageKey($0.number) }
        return try .page(Page(rows: page.rows.map(Invitation.Body.init), next: page.next), request)
    }

    private func invite(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var email: String?
            var phone: String?
            var link: String?
        }
        let body = try call.json(Body.self)
        // Exactly one of the two, so that each invitation is for one person.
        guard (body.email == nil) != (body.phone == nil) else { throw .invalid(body.email == nil ? "email" : "phone") }
        let email = try body.email.map { text throws(Failure) in
            guard let email = EmailAddress(text) else { throw .invalid("email") }
            return email
        }
        let phone = try body.phone.map { text throws(Failure) in
            guard let phone = PhoneNumber(text) else { throw .invalid("phone") }
            return phone
        }
        let access = try await leading(call)
        let (storage, now, caller) = (parts.storage, call.now, call.account)
        guard let text = body.link else {
            return try await call.write(storage) { sql throws(Failure) in
                let tour = try Self.tour(led: access, by: caller, in: sql)
                let (invitation, isNew) = try sql.invite(email: email, phone: phone, to: tour, now: now)
                return try .json(Invitation.Body(invitation), status: isNew ? .created : .ok)
            }
        }
        let account = try call.requireAccount()
        try account.require(.guide, or: .notAGuide)
        guard let link = JoinLink(text, for: access.tour.id), !access.tour.isPlanned else { throw .invalid("link") }
        // Its answer is kept once the message is sent, so that a repeated request sends none.
        let (invitation, isNew) = try await storage.write { sql throws(Failure) in
            let tour = try Self.tour(led: access, by: caller, in: sql)
            return try sql.invite(email: email, phone: phone, to: tour, now: now)
        }
        try await parts.send(link, to: invitation, by: account.account, call)
        return try .json(Invitation.Body(invitation), status: isNew ? .created : .ok)
    }

    /// Ends an invitation, for a member that leads the tour or for the invited account itself.
    private func end(_ call: Call) async throws(Failure) -> Answer {
        let access = try await call.access(of: call.parameters["id"] ?? "", parts)
        guard let number = Int64(call.parameters["invitation"] ?? "") else { throw Failure(.notFound) }
        let account = call.account
        return try await call.write(parts.storage) { sql throws(Failure) in
            guard let tour = try sql.tour(number: access.tour.number),
                let access = try access.again(tour, for: account, in: sql)
            else { throw Failure(.notFound) }
            let isForCaller =
                switch access.right {
                case .invited(let own): own == number
                // Invited in person beside.
                case .colleague:
                    try account.flatMap { account throws(Failure) in
                        try sql.invitation(of: account.account, to: access.tour)
                    } == number
                case .keeper, .member: false
                }
            guard isForCaller || access.leads else { throw Failure(.notAllowed) }
            guard try sql.endInvitation(number, to: access.tour) else { throw Failure(.notFound) }
            return .noContent
        }
    }

    private func leading(_ call: Call) async throws(Failure) -> TourAccess {
        let access = try await call.access(of: call.parameters["id"] ?? "", parts)
        guard access.leads else { throw Failure(.notAllowed) }
        return access
    }

    /// The tour as it is in the transaction: a plan may have been deleted meanwhile, or handed to another owner.
    /// - Throws: `notFound`; `notAllowed` for a caller who leads it no more.
    private static func tour(
        led access: TourAccess, by account: AuthenticatedAccount?, in sql: any SQL
    ) throws(Failure) -> StoredTour {
        guard let tour = try sql.tour(number: access.tour.number) else { throw Failure(.notFound) }
        guard try access.again(tour, for: account, in: sql)?.leads == true else { throw Failure(.notAllowed) }
        return tour
    }
}
