import Foundation
import HTTPTypes
import ServerBase
import ServerRequests

/// Bans, text messages and the audit log on the operator's page.
struct AdminAbuseRoutes: Sendable {
    let routes: AdminRoutes

    var all: [Route] {
        [
            routes.get("/bans") { server, call throws(Failure) in
                try .json(try await server.bans(limit: try call.operatorRows()))
            },
            routes.act(.post, "/bans", body: .json) { server, call throws(Failure) in
                let made = try call.json(Made.self)
                let end = made.until.map { Int64($0.timeIntervalSince1970) * 1_000_000 }
                return try .json(try await server.ban(made.target, endsAt: end, reason: made.reason).ban)
            },
            routes.act(.delete, "/bans/{target}") { server, call throws(Failure) in
                try .json(try await server.unban(call.pathPart("target")))
            },
            routes.get("/texts") { server, call throws(Failure) in
                let days = call.query("days").map { Int($0) } ?? 1
                guard let days, (1...Int(ServerLimits.smsSpendingDays)).contains(days) else { throw .invalid("days") }
                return try .json(try await server.textMessages(ofDays: days, limit: try call.operatorRows()))
            },
            routes.get("/audit") { server, call throws(Failure) in
                var since: Int64 = 0
                if let text = call.query("since") {
                    guard let date = JSONForm.date(text) else { throw .invalid("since") }
                    since = max(0, Int64(date.timeIntervalSince1970) * 1_000_000)
                }
                return try .json(try await server.audit(since: since, limit: try call.operatorRows()))
            },
        ]
    }

    private struct Made: Decodable {
        /// See `BanTarget`.
        var target: String
        /// When it ends; nil: when the operator takes it back.
        var until: Date?
        var reason: String?
    }
}
