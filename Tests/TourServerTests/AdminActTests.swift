import Foundation
import NIOHTTP1
import Testing

/// Goal: what the operator does on the page has the effect that the command has, and stands in the audit log as done
/// there. Method: a whole server, an act of each kind by its API, and the clients of who is concerned.
struct AdminActTests {
    private static let email = "a@example.org"
    private static let by = "operator:dispatcher on the page "

    @Test func accounts() async throws {
        try await AdminPage.run { server async throws in
            let page = try await AdminPage(server)
            let token = try await server.newAccount(Self.email).access_token
            _ = try await server.newAccount("b@example.org")
            let found = try await page.ask(.GET, "/accounts?search=\(Self.email)&limit=1")
            #expect(found.text.contains(#""email":"a@example.org""#) && found.text.contains(#""more":false"#))
            #expect(try await page.ask(.GET, "/accounts?after=1").text.contains("b@example.org"))
            let long = "search=" + String(repeating: "x", count: 257)
            for query in ["limit=0", "limit=1001", "limit=x", "after=x", long] {
                #expect(try await page.ask(.GET, "/accounts?" + query).code == "invalid-field", "\(query)")
            }
            #expect(try await page.ask(.POST, "/accounts/\(Self.email)/disable").status == 200)
            #expect(try await server.send(.GET, "/auth/me", token: token).code == "account-disabled")
            #expect(try await page.ask(.POST, "/accounts/1/enable").status == 200)
            let login: Tokens = try await server.logIn(Self.email).decoded()
            #expect(try await server.send(.GET, "/auth/me", token: login.access_token).status == 200)
            let details = try await page.ask(.GET, "/accounts/1").decoded(Details.self)
            let session = try #require(details.sessions.first?.id)
            #expect(try await page.ask(.DELETE, "/accounts/1/sessions/\(session)").text.contains(":1}"))
            #expect(try await server.send(.GET, "/auth/me", token: login.access_token).status == 401)
            _ = try await server.logIn(Self.email)
            #expect(try await page.ask(.DELETE, "/accounts/1/sessions").text.contains(":1}"))
            let code = try await page.ask(.POST, "/accounts/1/reset").decoded(Reset.self).code
            #expect(try await server.logIn(Self.email).status == 401)
            let change = #"{"email":"\#(Self.email)","code":"\#(code)","password":"battery staple"}"#
            #expect(try await server.send(.POST, "/auth/password/reset", change).status == 204)
            #expect(try await page.ask(.DELETE, "/accounts/1").status == 200)
            let gone = try await page.ask(.DELETE, "/accounts/1")
            // The page says what the terminal would.
            #expect(gone.code == "not-found" && gone.message == "there is no account 1")
            let acts = ["account-deleted", "account-reset", "sessions-ended", "sessions-ended", "account-enabled"]
            let own = try await page.audit().filter { $0.hasPrefix(Self.by) }
            #expect(own == (acts + ["account-disabled", "page-opened"]).map { Self.by + $0 })
            #expect(try await page.ask(.GET, "/audit?limit=1").text.contains(#""operator:dispatcher on the page""#))
            #expect(!server.messages.all.contains { $0.hasPrefix("request ") && $0.contains(Self.email) })
        }
    }

    private struct Details: Decodable {
        struct Session: Decodable { var id: String }
        var sessions: [Session]
    }

    private struct Reset: Decodable { var code: String }
    private struct Made: Decodable { var id: Int64 }
    private struct Plan: Decodable { var id: String }

    @Test func toursAndOrganisations() async throws {
        try await AdminPage.run { server async throws in
            let page = try await AdminPage(server)
            let office = try await server.newGuide("office@example.org").access_token
            let guide = try await server.newGuide("guide@example.org").access_token
            let refused = try await page.ask(.POST, "/organisations", #"{"name":"Tours","admin":"x@example.org"}"#)
            #expect(refused.code == "not-found")
            let made = try await page.ask(.POST, "/organisations", #"{"name":"Tours","admin":"office@example.org"}"#)
            let number = try made.decoded(Made.self).id
            #expect(made.status == 201)
            let plan: Plan = try await server.send(.POST, "/groups", token: office, #"{"name":"Galata"}"#).decoded()
            let place = "/organisations/\(number)"
            #expect(try await server.send(.PUT, place + "/tours/" + plan.id, token: office).status == 204)
            let invited = #"{"email":"guide@example.org","role":"guide"}"#
            #expect(try await server.send(.POST, place + "/invitations", token: office, invited).status == 201)
            #expect(try await server.send(.POST, place + "/join", token: guide, "{}").status == 201)
            #expect(try await page.ask(.GET, place + "/members").text.contains("guide@example.org"))
            let handover = #"{"tour":"\#(plan.id)","to":"guide@example.org"}"#
            #expect(try await page.ask(.POST, place + "/handover", handover).text.contains("\"account\":2"))
            #expect(try await page.ask(.GET, "/tours/\(plan.id)").text.contains("\"account\":2"))
            let invitation = #"{"email":"x@example.org"}"#
            let asked = try await server.send(.POST, "/groups/\(plan.id)/invitations", token: guide, invitation)
            #expect(asked.status == 201)
            let invitations = try await page.ask(.GET, "/invitations").text
            #expect(invitations.contains("x@example.org") && invitations.contains(plan.id))
            #expect(try await page.ask(.DELETE, "/tours/\(plan.id)").status == 200)
            #expect(try await server.send(.GET, "/groups/\(plan.id)", token: guide).status == 404)
            #expect(try await page.ask(.GET, "/invitations").text.contains(#""rows":[]"#))
            #expect(try await page.ask(.DELETE, place).status == 200)
            #expect(try await page.ask(.GET, place).code == "not-found")
            let own = try await page.audit()
            for act in ["organisation-made", "tour-handed-over", "tour-deleted", "organisation-deleted"] {
                #expect(own.contains(Self.by + act), "\(act)")
            }
        }
    }

    @Test func bansAndTextMessages() async throws {
        try await AdminPage.run { server async throws in
            let page = try await AdminPage(server)
            let ban = #"{"target":"203.0.113.0/24","until":"2026-07-01T00:00:00Z","reason":"spam"}"#
            #expect(try await page.ask(.POST, "/bans", ban).text.contains(#""ends_at":"2026-07-01T00:00:00Z""#))
            #expect(try await page.ask(.GET, "/bans").text.contains("spam"))
            let everybody = try await page.ask(.POST, "/bans", #"{"target":"0.0.0.0/0"}"#)
            #expect(everybody.code == "invalid-field" && everybody.field == "target")
            let past = #"{"target":"203.0.113.7","until":"2026-05-01T00:00:00Z"}"#
            #expect(try await page.ask(.POST, "/bans", past).field == "until")
            #expect(try await page.ask(.DELETE, "/bans/203.0.113.0%2F24").status == 200)
            #expect(try await page.ask(.GET, "/bans").text.contains(#""rows":[]"#))
            _ = try await server.code(for: "+905551112233")
            #expect(try await page.ask(.GET, "/texts?days=7").text.contains(#""prefix":"+90""#))
            for query in ["/texts?days=0", "/texts?days=x", "/audit?since=yesterday"] {
                #expect(try await page.ask(.GET, query).code == "invalid-field", "\(query)")
            }
            let own = try await page.audit()
            #expect(own.contains(Self.by + "ban-set") && own.contains(Self.by + "ban-lifted"))
        }
    }

    @Test func changesAreCounted() async throws {
        try await AdminPage.run { server async throws in
            let page = try await AdminPage(server)
            var last = 200
            for _ in 0..<100 where last != 429 { last = try await page.ask(.DELETE, "/bans/203.0.113.7").status }
            #expect(last == 429)
            #expect(try await page.ask(.GET, "/bans").status == 200)
            server.clock.advance(seconds: 2)
            #expect(try await page.ask(.DELETE, "/bans/203.0.113.7").status == 404)
        }
    }
}
