import Foundation
import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage

/// Every route of the operator's page: its files, the way in, and an API of its own, which calls what `tour-server
/// admin` calls. The API is no part of the contract: it changes with the page.
package struct AdminRoutes: Sendable {
    private static let root = "/admin/api"

    private let door: AdminDoor
    private let opened: OpenedServer
    private let parts: ServerParts
    private let monitoring: [Route]

    /// - Parameter opened: the data of the server that serves.
    package init(
        _ page: ServerSettings.AdminPage, door opened: OpenedServer, parts: ServerParts, settings: ServerSettings
    ) {
        door = AdminDoor(page, storage: opened.storage)
        self.opened = opened
        self.parts = parts
        monitoring = OperatorRoutes(parts: parts, connectionsMax: settings.connectionsMax).ownRoutes
    }

    /// All of them.
    package var routes: [Route] {
        AdminFiles.routes(at: door) + way + AdminAct.all.map(route(for:))
            + monitoring.map { shown in
                route(.get, shown.path) { _, call in try await shown.handler(call) }
            }
    }

    /// The way in and out.
    private var way: [Route] {
        [
            Route(.post, Self.root + "/session", access: .open, body: .json, keepsAnswers: false, handler: open),
            route(.get, "/session") { _, call in
                try .json(SessionBody(try await door.session(of: call).session))
            },
            route(.delete, "/session") { _, call in
                let secrets = try await door.session(of: call).secrets
                try await parts.requests.storage.write { sql throws(Failure) in try PageKeys(sql: sql).end(secrets) }
                return Answer(.noContent, headers: [.setCookie: door.cookie(nil, for: call.head)])
            },
        ]
    }

    private struct SessionBody: Encodable {
        let user: String
        /// The secret that the page keeps; in the answer to a link alone.
        let key: String?
        let expiresAt: Date

        private enum CodingKeys: String, CodingKey {
            case key
            case user = "operator"
            case expiresAt = "expires_at"
        }

        init(_ session: PageSession, key: String? = nil) {
            user = session.user
            self.key = key
            expiresAt = Date(microseconds: session.expires)
        }
    }

    private struct Link: Decodable { var token: String }

    /// Opens a session by a link.
    private func open(_ call: Call) async throws(Failure) -> Answer {
        try await Self.answered {
            try door.requireOwnSite(call.head, isChange: true)
            let token = try call.json(Link.self).token
            let isLink = try await parts.requests.storage.lookUp { sql throws(Failure) in
                try PageKeys(sql: sql).hasLink(token, now: call.now)
            }
            // Others' tries keep out nobody who has a link.
            if !isLink { try await parts.requests.rates.count([.pageOpenings], for: "page", now: call.now) }
            let found =
                isLink
                ? try await parts.requests.storage.write { sql throws(Failure) in
                    try PageKeys(sql: sql).open(token, now: call.now)
                } : nil
            guard let found else {
                throw Failure(.unauthenticated, cause: "the link was used already, or is too old")
            }
            var answer = try Answer.json(SessionBody(found.session, key: found.secrets.key), status: .created)
            answer.headers[.setCookie] = door.cookie(found.secrets, for: call.head)
            return answer
        }
    }

    private func route(for act: AdminAct) -> Route {
        route(act.method, act.path, body: act.hasBody ? .json : .none) { server, call in
            try .json(try await act.work(server, call), status: act.status)
        }
    }

    /// A route for an open session, whose operator acts; all but GET change something.
    private func route(
        _ method: HTTPRequest.Method, _ path: String, body: Route.Body = .none,
        work: @escaping @Sendable (ServerOperator, Call) async throws -> Answer
    ) -> Route {
        let isChange = method != .get
        return Route(method, Self.root + path, access: .open, body: body, keepsAnswers: false) { call throws(Failure) in
            try await Self.answered {
                try door.requireOwnSite(call.head, isChange: isChange)
                let session = try await door.session(of: call).session
                if isChange { try await parts.requests.rates.count([.pageActs], for: session.user, now: call.now) }
                return try await work(ServerOperator(opened, onPage: session.user, parts), call)
            }
        }
    }

    /// A failure's cause is for the operator, as at the terminal, and not for the log: it may have names in it.
    private static func answered(_ work: () async throws -> Answer) async throws(Failure) -> Answer {
        var answer: Answer
        do {
            answer = try await work()
        } catch {
            let failure = error as? Failure ?? Failure(.internalError)
            let code = FailureCode.internals.contains(failure.code) ? FailureCode.unavailable : failure.code
            answer = try .json(
                Refusal(error: .init(code: code.rawValue, message: failure.description, detail: failure.field)),
                status: code.status)
            if let seconds = failure.retryAfter { answer.headers[.retryAfter] = String(seconds) }
        }
        answer.headers[.xContentTypeOptions] = "nosniff"
        return answer
    }

    private struct Refusal: Encodable {
        struct Words: Encodable {
            let code: String
            let message: String
            let detail: String?
        }
        let error: Words
    }
}

extension RateLimit {
    /// Tries by what is no link.
    fileprivate static let pageOpenings = RateLimit("page-openings", burst: 20, every: .seconds(10))
    /// Changes that an operator makes on the page: nobody clicks so fast.
    fileprivate static let pageActs = RateLimit("page-acts", burst: 60, every: .seconds(1))
}
