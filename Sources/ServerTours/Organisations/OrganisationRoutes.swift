import Foundation
import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage

/// Routes of organisations and their members. Who is in none learns of none: each is `not-found` to strangers.
/// Contract: `Protocol/Schema/openapi.yaml`, `Protocol/10-server.md`, "Organisations".
struct OrganisationRoutes: Sendable {
    let parts: RequestParts
    /// The lowest role whose accounts may make organisations; nil: the operator alone makes them.
    let makersFrom: AccountRole?

    var routes: [Route] {
        [
            Route(.post, "/organisations", body: .json, handler: create),
            Route(.get, "/organisations", handler: list),
            Route(.get, "/organisations/{id}", handler: show),
            Route(.patch, "/organisations/{id}", body: .json, handler: rename),
            Route(.delete, "/organisations/{id}", handler: delete),
            Route(.post, "/organisations/{id}/join", body: .json, handler: join),
            Route(.get, "/organisations/{id}/members", handler: members),
            Route(.put, "/organisations/{id}/members/{account}", body: .json, handler: setRole),
            Route(.delete, "/organisations/{id}/members/{account}", handler: remove),
        ]
    }

    private struct Named: Decodable {
        var name: OrganisationName
    }

    private func create(_ call: Call) async throws(Failure) -> Answer {
        let name = try call.json(Named.self).name.text
        let account = try call.requireAccount()
        guard let lowest = makersFrom else { throw Failure(.forbidden) }
        try account.require(lowest, or: .forbidden)
        return try await call.write(parts.storage) { sql throws(Failure) in
            // The role may have been taken meanwhile.
            let account = try account.current(in: sql)
            guard account.role >= lowest else { throw Failure(.forbidden) }
            // Its admins see addresses and numbers: as for `join`, they are known themselves.
            guard !account.isGuest, !account.isUnproven else { throw Failure(.emailNotProven) }
            let made = try OrganisationRows(sql: sql).add(
                name: name, admin: account.id, by: .account(account.id), now: call.now)
            return try .json(OrganisationBody(made, role: .admin, joinedAt: call.now), status: .created)
        }
    }

    /// The account's own, then those that it is invited to.
    private func list(_ call: Call) async throws(Failure) -> Answer {
        let request = try PageRequest(call)
        let account = try call.requireAccount()
        let all = try await parts.storage.read { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            var bodies = try rows.organisations(of: account.id).map { organisation, role, joinedAt in
                OrganisationBody(organisation, role: role, joinedAt: joinedAt)
            }
            let own = Set(bodies.map(\.id))
            for invitation in try rows.invitations(of: account.account, now: call.now)
            where !own.contains(invitation.organisation) {
                guard let organisation = try rows.organisation(invitation.organisation) else { continue }
                bodies.append(OrganisationBody(organisation, invitation: invitation))
            }
            return bodies.sorted { ($0.id, $0.invitation ?? 0) < ($1.id, $1.invitation ?? 0) }
        }
        return try .page(request.page(of: all) { .pageKey($0.id, .pageKey($0.invitation ?? 0)) }, request)
    }

    private func show(_ call: Call) async throws(Failure) -> Answer {
        let (id, account) = (try call.number("id"), try call.requireAccount().id)
        let body = try await parts.storage.read { sql throws(Failure) in
            let found = try OrganisationRows(sql: sql).organisations(of: account).first { $0.organisation.number == id }
            return found.map { OrganisationBody($0.organisation, role: $0.role, joinedAt: $0.joinedAt) }
        }
        guard let body else { throw Failure(.notFound) }
        return try .json(body)
    }

    private func rename(_ call: Call) async throws(Failure) -> Answer {
        let name = try call.json(Named.self).name.text
        let (id, account) = (try call.number("id"), try call.requireAccount().id)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            _ = try rows.require(.admin, of: account, in: id)
            try rows.rename(id, to: name)
            let found = try rows.organisations(of: account).first { $0.organisation.number == id }
            guard let found else { throw Failure(.notFound) }
            return try .json(OrganisationBody(found.organisation, role: found.role, joinedAt: found.joinedAt))
        }
    }

    private func delete(_ call: Call) async throws(Failure) -> Answer {
        let (id, account) = (try call.number("id"), try call.requireAccount().id)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            _ = try rows.require(.admin, of: account, in: id)
            try rows.delete(id, by: .account(account), now: call.now)
            return .noContent
        }
    }

    /// Follows an invitation: of the account's proven address or number, or the one with this code.
    private func join(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable { var code: String? }
        let written = try call.json(Body.self).code
        let (id, caller, secret) = (call.parameters["id"]?.pathNumber, try call.requireAccount(), parts.secret)
        let wrong = Failure(written == nil ? .notFound : .badCode)
        guard let id else { throw wrong }
        let code = written.map(OrganisationCode.init)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let account = try caller.current(in: sql)
            let rows = OrganisationRows(sql: sql)
            let invitation =
                switch code {
                case .none: try rows.invitations(of: account.account, now: call.now).first { $0.organisation == id }
                case .some(.none): OrganisationInvitation?.none
                case .some(.some(let code)):
                    try rows.invitation(digest: code.digest(of: id, secret), into: id, now: call.now)
                }
            guard let invitation, let organisation = try rows.organisation(id) else { throw wrong }
            // Nobody could log in to such an account again, or anybody may have typed its address.
            guard !account.isGuest, !account.isUnproven else { throw Failure(.emailNotProven) }
            if let own = try rows.organisations(of: account.id).first(where: { $0.organisation.number == id }) {
                return try .json(OrganisationBody(organisation, role: own.role, joinedAt: own.joinedAt))
            }
            try rows.follow(invitation, by: account.account, now: call.now)
            let body = OrganisationBody(organisation, role: invitation.role, joinedAt: call.now)
            return try .json(body, status: .created)
        }
    }

    private func members(_ call: Call) async throws(Failure) -> Answer {
        let request = try PageRequest(call)
        let (id, account) = (try call.number("id"), try call.requireAccount().id)
        let (all, isAdmin) = try await parts.storage.read { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            _ = try rows.require(.guide, of: account, in: id)
            return (try rows.members(of: id), try rows.role(of: account, in: id) == .admin)
        }
        // By the rows' own times: those of the bodies are whole seconds.
        let page = request.page(of: all) { .pageKey($0.joinedAt, .pageKey($0.account)) }
        let bodies = page.rows.map { OrganisationMemberBody($0, hasContacts: isAdmin) }
        return try .page(Page(rows: bodies, next: page.next), request)
    }

    private func setRole(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable { var role: OrganisationRole }
        let role = try call.json(Body.self).role
        let (id, other) = (try call.number("id"), try call.number("account"))
        let account = try call.requireAccount().id
        return try await call.write(parts.storage) { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            _ = try rows.require(.admin, of: account, in: id)
            try rows.setRole(role, of: other, in: id, by: .account(account), now: call.now)
            guard let member = try rows.members(of: id).first(where: { $0.account == other }) else {
                throw Failure(.notFound)
            }
            return try .json(OrganisationMemberBody(member, hasContacts: true))
        }
    }

    /// An admin removes a member, or a member leaves.
    private func remove(_ call: Call) async throws(Failure) -> Answer {
        let (id, other) = (try call.number("id"), try call.number("account"))
        let account = try call.requireAccount().id
        return try await call.write(parts.storage) { sql throws(Failure) in
            let rows = OrganisationRows(sql: sql)
            _ = try rows.require(other == account ? .guide : .admin, of: account, in: id)
            try rows.end(
                other, in: id, remover: other == account ? nil : account, by: .account(account), now: call.now)
            return .noContent
        }
    }
}
