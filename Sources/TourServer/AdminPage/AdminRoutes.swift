import Foundation
import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage

/// Every route of the operator's page: its files, the way in, and an API of its own, which calls what `tour-server
/// admin` calls. The API is no part of the contract: it changes with the page.
package struct AdminRoutes: Sendable {
    /// A request of an open session, with the operator who acts.
    typealias Handler = @Sendable (ServerOperator, Call) async throws(Failure) -> Answer

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
        AdminFiles.routes(at: door) + way + monitoring.map(shown)
            + [get("/limits") { _, _ throws(Failure) in try .json(LimitsBody()) }]
            + AdminAccountRoutes(routes: self).all + AdminTourRoutes(routes: self).all
            + AdminOrganisationRoutes(routes: self).all + AdminAbuseRoutes(routes: self).all
    }

    /// The way in and out.
    private var way: [Route] {
        [
            Route(.post, Self.root + "/session", access: .open, body: .json, keepsAnswers: false, handler: open),
            get("/session") { _, call throws(Failure) in
                try .json(SessionBody(try await door.session(of: call).session))
            },
            act(.delete, "/session") { _, call throws(Failure) in
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

    /// The room that a tour and an account have, in bytes.
    private struct LimitsBody: Encodable {
        let tourBytes = ServerLimits.tourBytesMax
        let tourBlobBytes = ServerLimits.tourBlobBytesMax
        let accountFileBytes = ServerLimits.accountFileBytesMax

        private enum CodingKeys: String, CodingKey {
            case tourBytes = "tour_bytes"
            case tourBlobBytes = "tour_blob_bytes"
            case accountFileBytes = "account_file_bytes"
        }
    }

    /// Opens a session by a link.
    private func open(_ call: Call) async throws(Failure) -> Answer {
        try await Self.answered { () throws(Failure) in
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

    /// What the operator's programs are shown, for an open session.
    private func shown(_ route: Route) -> Route {
        get(route.path) { _, call throws(Failure) in try await route.handler(call) }
    }

    /// A route that reads.
    func get(_ path: String, _ handler: @escaping Handler) -> Route {
        Route(.get, Self.root + path, access: .open) { call throws(Failure) in
            try await serve(call, isChange: false, handler)
        }
    }

    /// A route that changes something.
    func act(
        _ method: HTTPRequest.Method, _ path: String, body: Route.Body = .none, _ handler: @escaping Handler
    ) -> Route {
        Route(method, Self.root + path, access: .open, body: body, keepsAnswers: false) { call throws(Failure) in
            try await serve(call, isChange: true, handler)
        }
    }

    private func serve(_ call: Call, isChange: Bool, _ handler: Handler) async throws(Failure) -> Answer {
        try await Self.answered { () throws(Failure) in
            try door.requireOwnSite(call.head, isChange: isChange)
            let session = try await door.session(of: call).session
            if isChange { try await parts.requests.rates.count([.pageActs], for: session.user, now: call.now) }
            return try await handler(ServerOperator(opened, onPage: session.user, parts), call)
        }
    }

    /// A failure's cause is for the operator, as at the terminal, and not for the log: it may have names in it.
    private static func answered(
        _ work: () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        var answer: Answer
        do throws(Failure) {
            answer = try await work()
        } catch {
            let code = FailureCode.internals.contains(error.code) ? FailureCode.unavailable : error.code
            answer = try .json(
                Refusal(error: .init(code: code.rawValue, message: error.description, detail: error.field)),
                status: code.status)
            if let seconds = error.retryAfter { answer.headers[.retryAfter] = String(seconds) }
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

extension Call {
    /// How many rows a list is to have.
    /// - Throws: `invalidField`.
    func operatorRows() throws(Failure) -> Int {
        let rows = query("limit").map { Int($0) } ?? ServerLimits.operatorRows
        guard let rows, (1...ServerLimits.operatorRowsMax).contains(rows) else { throw .invalid("limit") }
        return rows
    }

    /// A whole number of the query; 0 without one.
    /// - Throws: `invalidField`.
    func operatorNumber(_ name: String) throws(Failure) -> Int64 {
        guard let text = query(name) else { return 0 }
        guard let number = Int64(text) else { throw .invalid(name) }
        return number
    }

    /// A part of the path; empty where the route has none of that name.
    func pathPart(_ name: String) -> String { parameters[name] ?? "" }
}
