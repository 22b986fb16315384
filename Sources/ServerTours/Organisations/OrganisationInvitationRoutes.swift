import Foundation
import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage

/// Routes by which admins invite accounts into their organisation.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct OrganisationInvitationRoutes: Sendable {
    let parts: RequestParts

    var routes: [Route] {
        [
            Route(.get, "/organisations/{id}/invitations", handler: list),
            Route(.post, "/organisations/{id}/invitations", body: .json, handler: invite),
            Route(.delete, "/organisations/{id}/invitations/{invitation}", handler: end),
        ]
    }

    private func list(_ call: Call) async throws(Failure) -> Answer {
        let request = try PageRequest(call)
        let (id, account) = (try call.number("id"), try call.requireAccount().id)
        let all = try await parts.storage.read { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            _ = try rows.require(.admin, of: account, in: id)
            return try rows.invitations(into: id, now: call.now)
        }
        let page = request.page(of: all) { .pageKey($0.number) }
        return try .page(Page(rows: page.rows.map { OrganisationInvitationBody($0) }, next: page.next), request)
    }

    private func invite(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var email: EmailAddress?
            var phone: PhoneNumber?
            var role: OrganisationRole?
        }
        let body = try call.json(Body.self)
        guard body.email == nil || body.phone == nil else { throw .invalid("phone") }
        let (email, phone) = (body.email, body.phone)
        let (id, account, secret) = (try call.number("id"), try call.requireAccount().id, parts.secret)
        // Of somebody without a name whoever has the code is let in.
        let code = email == nil && phone == nil ? OrganisationCode.random() : nil
        return try await call.write(parts.storage) { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            _ = try rows.require(.admin, of: account, in: id)
            let invited: OrganisationRows.Invited? =
                email.map { .email($0) } ?? phone.map { .phone($0) }
                ?? code.map { .bearer(digest: $0.digest(of: id, secret)) }
            guard let invited else { throw .invalid("email") }
            let made = try rows.invite(invited, as: body.role ?? .guide, into: id, by: account, now: call.now)
            return try .json(OrganisationInvitationBody(made, code: code), status: .created)
        }
    }

    /// An admin takes an invitation back, or the invited account declines it.
    private func end(_ call: Call) async throws(Failure) -> Answer {
        let (id, number) = (try call.number("id"), try call.number("invitation"))
        let account = try call.requireAccount()
        return try await call.write(parts.storage) { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            let isInvited = try rows.invitations(of: account.account, now: call.now)
                .contains { $0.number == number && $0.organisation == id }
            if !isInvited { _ = try rows.require(.admin, of: account.id, in: id) }
            guard try rows.endInvitation(number, into: id) else { throw Failure(.notFound) }
            return .noContent
        }
    }
}
