import Foundation
import HTTPTypes
import ServerBase
import ServerRequests

/// Routes of every account: guest sign-up, sessions, export and deletion, and the role that an admin sets.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct AccountRoutes: Sendable {
    let parts: RequestParts
    /// Every part of the server that stores data of accounts.
    let holdings: [any AccountHolding]
    /// Removes the files of items that are no longer there.
    let sweepFiles: @Sendable () async throws(Failure) -> Void

    var routes: [Route] {
        [
            Route(
                .post, "/auth/anonymous", access: .open, limits: [.signupPerAddress(parts.addressBounds)],
                handler: beGuest),
            Route(
                .post, "/auth/refresh", access: .open, body: .json, limits: [.codesPerAddress], handler: refresh),
            Route(.post, "/auth/logout", handler: logOut),
            Route(.get, "/auth/me", handler: show),
            Route(.delete, "/auth/me", handler: delete),
            Route(.get, "/auth/me/export", handler: export),
            Route(.put, "/accounts/{id}/role", access: .role(.admin), body: .json, handler: setRole),
        ]
    }

    private func beGuest(_ call: Call) async throws(Failure) -> Answer {
        try parts.registration.requireGuests()
        return try await call.write(parts.storage) { sql throws(Failure) in
            let account = try AccountRows(sql: sql).add(now: call.now)
            let ticket = try SessionRows(sql: sql).open(for: account, from: SessionOrigin(call), now: call.now)
            return Answer(.created, content: .session(ticket))
        }
    }

    private func refresh(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var refreshToken: String
            private enum CodingKeys: String, CodingKey { case refreshToken = "refresh_token" }
        }
        let token = try call.json(Body.self).refreshToken
        guard token.utf8.count <= ServerLimits.refreshTokenBytesMax else { throw Failure(.badRefreshToken) }
        let (bans, secret, address, origin) = (parts.bans, parts.secret, call.address, SessionOrigin(call))
        // A used refresh token that comes again may have ended its session: that must be committed with the refusal.
        return try await call.settle(parts.storage) { sql throws(Failure) in
            let outcome = try SessionRows(sql: sql).refresh(token, from: origin, secret: secret, now: call.now)
            guard case .refreshed(let ticket) = outcome else { return (.failure(Failure(.badRefreshToken)), ()) }
            // The token stays good for when the ban has ended.
            try bans.refuse(account: ticket.account, now: call.now)
            try KnownAddressRows(sql: sql, secret: secret).add(address, of: ticket.account, now: call.now)
            return (.success(Answer(.ok, content: .session(ticket))), ())
        }.answer
    }

    private func logOut(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        return try await call.write(parts.storage) { sql throws(Failure) in
            try SessionRows(sql: sql).endOwn(of: account)
            return .noContent
        }
    }

    private func show(_ call: Call) async throws(Failure) -> Answer {
        try .json(AccountBody(try call.requireAccount().account))
    }

    private func delete(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        let deletion = AccountDeletion(holdings: holdings)
        let answer = try await call.write(parts.storage) { sql throws(Failure) in
            try deletion.run(on: account.account, by: .account(account.id), now: call.now, in: sql)
            return .noContent
        }
        // The next sweep removes any file that this one fails to remove.
        try? await sweepFiles()
        return answer
    }

    private func export(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        let export = AccountExport(
            account: account.account, exportedAt: Date(microseconds: call.now), holdings: holdings)
        return .export(of: account, parts, call, place: try parts.heavy.place(for: call.callerName)) { source, out in
            try await export.write(from: source, to: &out)
        }
    }

    private func setRole(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable { var role: AccountRole }
        let role = try call.json(Body.self).role
        guard let id = call.parameters["id"]?.pathNumber else { throw Failure(.notFound) }
        let admin = try call.requireAccount().id
        return try await call.write(parts.storage) { sql throws(Failure) in
            guard try AccountRows(sql: sql).setRole(role, of: id),
                let account = try AccountRows(sql: sql).account(id: id)
            else {
                throw Failure(.notFound)
            }
            try AuditLog(sql: sql).add(.roleSet, by: .account(admin), account: id, detail: role.rawValue, now: call.now)
            return try .json(AccountBody(account))
        }
    }
}
