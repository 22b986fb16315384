import HTTPTypes
import ServerBase
import ServerRequests

/// Accounts on the operator's page.
struct AdminAccountRoutes: Sendable {
    let routes: AdminRoutes

    var all: [Route] {
        [
            routes.get("/accounts") { server, call throws(Failure) in
                let text = call.query("search")
                guard text?.utf8.count ?? 0 <= ServerLimits.searchBytesMax else { throw .invalid("search") }
                return try .json(
                    try await server.accounts(
                        matching: text, behind: try call.operatorNumber("after"), limit: try call.operatorRows()))
            },
            routes.get("/accounts/{account}") { server, call throws(Failure) in
                try .json(try await server.account(call.pathPart("account")))
            },
            routes.act(.post, "/accounts/{account}/disable") { server, call throws(Failure) in
                try .json(try await server.setDisabled(true, call.pathPart("account")).account)
            },
            routes.act(.post, "/accounts/{account}/enable") { server, call throws(Failure) in
                try .json(try await server.setDisabled(false, call.pathPart("account")).account)
            },
            routes.act(.post, "/accounts/{account}/reset") { server, call throws(Failure) in
                try .json(try await server.resetAccount(call.pathPart("account")))
            },
            routes.act(.delete, "/accounts/{account}") { server, call throws(Failure) in
                try .json(try await server.deleteAccount(call.pathPart("account")))
            },
            routes.act(.delete, "/accounts/{account}/sessions") { server, call throws(Failure) in
                try .json(["sessions_ended": try await server.endSessions(of: call.pathPart("account"))])
            },
            routes.act(.delete, "/accounts/{account}/sessions/{session}") { server, call throws(Failure) in
                let ended = try await server.endSessions(
                    of: call.pathPart("account"), only: call.pathPart("session"))
                return try .json(["sessions_ended": ended])
            },
        ]
    }
}
