import Foundation
import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage
import TourModel

/// Routes by which an account sees and ends its sessions.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct SessionRoutes: Sendable {
    let parts: RequestParts

    var routes: [Route] {
        [
            Route(.get, "/auth/sessions", handler: list),
            Route(.delete, "/auth/sessions", handler: endOthers),
            Route(.delete, "/auth/sessions/{id}", handler: end),
        ]
    }

    private func list(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        let now = call.now
        return try .json(
            try await parts.storage.read { sql throws(Failure) in
                try ListedSession.all(of: account.account, in: sql).filter { $0.isOpen(at: now) }
            })
    }

    private func endOthers(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        return try await call.write(parts.storage) { sql throws(Failure) in
            try SessionRows(sql: sql).endOthers(of: account)
            return .noContent
        }
    }

    private func end(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        let id = call.parameters["id"] ?? ""
        return try await call.write(parts.storage) { sql throws(Failure) in
            guard try SessionRows(sql: sql).end(id, of: account.account) else { throw Failure(.notFound) }
            return .noContent
        }
    }
}

/// A session as its owner sees it.
package struct ListedSession: Encodable, Sendable {
    /// The name by which the owner ends the session.
    package let id: String
    /// Whether the caller's token belongs to it; nil where the operator asks.
    private(set) var isCurrent: Bool?
    /// See `SessionOrigin.device`.
    @Nullable package var device: String?
    /// See `SessionOrigin.network`.
    @Nullable package var network: String?
    /// The time of the login.
    package let createdAt: Date
    /// The time of the login, or of the last refresh.
    package let lastUsedAt: Date
    /// When the session ends without another refresh.
    package let expiresAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, device, network
        case isCurrent = "current"
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case expiresAt = "expires_at"
    }

    /// Whether the session has not expired.\n- Parameter now: microseconds since 1970.
    package func isOpen(at now: Int64) -> Bool { expiresAt > Date(microseconds: now) }

    /// As the operator sees it, who has no session.
    package var forOperator: ListedSession {
        var session = self
        session.isCurrent = nil
        return session
    }

    /// The sessions of an account, those used last first.
    package static func all(of account: Account, in sql: any SQL) throws(Failure) -> [ListedSession] {
        let statement = """
            SELECT id, device, network, created_at, expires FROM sessions WHERE account = $1
            ORDER BY expires DESC, created_at DESC, id
            """
        return try sql.rows(statement, [.integer(account.id)]).map { row throws(Failure) in
            let (id, expires) = (try row.text(0), try row.count(4))
            return ListedSession(
                id: id, isCurrent: id == account.session, device: try row.optionalText(1),
                network: try row.optionalText(2), createdAt: Date(microseconds: try row.count(3)),
                // A login and each refresh set the end anew.
                lastUsedAt: Date(timeIntervalSince1970: Double(expires - ServerLimits.sessionLifetime)),
                expiresAt: Date(timeIntervalSince1970: Double(expires)))
        }
    }
}
