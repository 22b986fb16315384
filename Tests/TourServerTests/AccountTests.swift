import Foundation
import NIOHTTP1
import ServerBase
import ServerRequests
import Testing
import TourServer

/// Goal: the clients of the guides make accounts, log in and are known, and nobody else is.
/// Method: a whole server over HTTP; answers are decoded as the guides' clients do, with `.iso8601` dates.
struct AccountTests {
    private struct User: Decodable {
        var id: Int
        var email: String?
        var phone: String?
        var role: String
        var is_anonymous: Bool
        var created_at: Date
    }

    @Test func signUpLogInAndMe() async throws {
        try await RunningServer.run { server async throws in
            let body = #"{"email":"Ayse@Example.org","password":"gizli-parola"}"#
            let signed = try await server.send(.POST, "/auth/signup", body)
            #expect(signed.status == 201)
            let user: User = try signed.decoded()
            #expect(user.id == 1 && user.email == "ayse@example.org" && user.role == "user" && !user.is_anonymous)
            #expect(user.created_at == Date(timeIntervalSince1970: 1_780_272_000))
            let tokens: Tokens = try await server.send(.POST, "/auth/login", body).decoded()
            #expect(tokens.token_type == "bearer" && tokens.expires_in == 900)
            let me = try await server.send(.GET, "/auth/me/", token: tokens.access_token)
            #expect(me.status == 200 && me.headers.first(name: "Content-Type") == "application/json")
            #expect(try me.decoded(User.self).id == 1)
            let again = try await server.send(.POST, "/auth/signup", body)
            #expect(again.status == 409 && again.code == "email-taken")
        }
    }

    @Test func wrongPasswordAndUnknownAddressLookTheSame() async throws {
        try await RunningServer.run { server async throws in
            _ = try await server.newAccount("a@example.org")
            let wrong = try await server.send(
                .POST, "/auth/login", #"{"email":"a@example.org","password":"wrong horse"}"#)
            let unknown = try await server.send(
                .POST, "/auth/login", #"{"email":"b@example.org","password":"wrong horse"}"#)
            let short = try await server.send(.POST, "/auth/login", #"{"email":"a@example.org","password":"x"}"#)
            #expect(wrong.status == 401 && wrong.code == "bad-credentials")
            #expect(unknown.body == wrong.body && unknown.status == 401 && short.body == wrong.body)
        }
    }

    /// One keyboard writes ü as one letter, another as two signs; a wide space is a space.
    @Test func aPasswordIsTheSameHoweverItIsWritten() async throws {
        try await RunningServer.run { server async throws in
            _ = try await server.newAccount("a@example.org", password: "g\u{FC}l bah\u{E7}esi")
            func logIn(_ password: String) async throws -> Int {
                let body = #"{"email":"a@example.org","password":"\#(password)"}"#
                return try await server.send(.POST, "/auth/login", body).status
            }
            #expect(try await logIn("gu\u{308}l bahc\u{327}esi") == 200)
            #expect(try await logIn("g\u{FC}l\u{3000}bah\u{E7}esi") == 200)
            #expect(try await logIn("gul bahcesi") == 401)
        }
    }

    @Test func guestKeepsItsAccountWhenItGetsAName() async throws {
        try await RunningServer.run { server async throws in
            let reply = try await server.send(.POST, "/auth/anonymous")
            #expect(reply.status == 201)
            let guest: Tokens = try reply.decoded()
            let before: User = try await server.send(.GET, "/auth/me", token: guest.access_token).decoded()
            #expect(before.is_anonymous && before.email?.isEmpty == true)
            let signed = try await server.send(
                .POST, "/auth/signup", token: guest.access_token,
                #"{"email":"c@example.org","password":"correct horse"}"#)
            #expect(try signed.decoded(User.self).id == before.id)
            let after: User = try await server.send(.GET, "/auth/me", token: guest.access_token).decoded()
            #expect(after.id == before.id && !after.is_anonymous && after.email == "c@example.org")
            // Who has a name and signs up makes another account.
            let other = try await server.send(
                .POST, "/auth/signup", token: guest.access_token,
                #"{"email":"d@example.org","password":"correct horse"}"#)
            #expect(try other.decoded(User.self).id != before.id)
        }
    }

    @Test func passwordChangeEndsTheOtherSessions() async throws {
        try await RunningServer.run { server async throws in
            let first = try await server.newAccount("e@example.org")
            let second: Tokens = try await server.send(
                .POST, "/auth/login", #"{"email":"e@example.org","password":"correct horse"}"#
            ).decoded()
            let wrong = try await server.send(
                .POST, "/auth/password", token: second.access_token,
                #"{"current_password":"wrong horse","password":"battery staple"}"#)
            #expect(wrong.status == 401 && wrong.field == "current_password")
            let missing = try await server.send(
                .POST, "/auth/password", token: second.access_token, #"{"password":"battery staple"}"#)
            #expect(missing.status == 422 && missing.field == "current_password")
            let changed = try await server.send(
                .POST, "/auth/password", token: second.access_token,
                #"{"current_password":"correct horse","password":"battery staple"}"#)
            #expect(changed.status == 204 && changed.body.isEmpty)
            #expect(try await server.send(.GET, "/auth/me", token: first.access_token).status == 401)
            #expect(try await server.send(.GET, "/auth/me", token: second.access_token).status == 200)
            let old = try await server.send(
                .POST, "/auth/login", #"{"email":"e@example.org","password":"correct horse"}"#)
            #expect(old.status == 401)
        }
    }

    @Test func deletedAccountIsGoneAndItsNumberIsNotGivenAgain() async throws {
        try await RunningServer.run { server async throws in
            let tokens = try await server.newAccount("f@example.org")
            let export = try await server.send(.GET, "/auth/me/export", token: tokens.access_token)
            #expect(export.status == 200 && export.text.contains("f@example.org") && export.text.contains("sessions"))
            #expect(!export.text.contains("argon2id"))
            #expect(try await server.send(.DELETE, "/auth/me", token: tokens.access_token).status == 204)
            #expect(try await server.send(.GET, "/auth/me", token: tokens.access_token).status == 401)
            let refreshed = try await server.send(
                .POST, "/auth/refresh", #"{"refresh_token":"\#(tokens.refresh_token)"}"#)
            #expect(refreshed.status == 401)
            let fresh = try await server.newAccount("f@example.org")
            #expect(try await server.send(.GET, "/auth/me", token: fresh.access_token).decoded(User.self).id == 2)
        }
    }

    @Test func onlyAdminsChangeRoles() async throws {
        try await RunningServer.run { server async throws in
            let admin = try await server.newAccount("admin@example.org")
            let user = try await server.newAccount("user@example.org")
            let refused = try await server.send(
                .PUT, "/accounts/2/role", token: user.access_token, #"{"role":"admin"}"#)
            #expect(refused.status == 403 && refused.code == "forbidden")
            // What `tour-server user role` does, beside the running server.
            let settings = ServerSettings.data(in: server.directory)
            try await OpenedServer(settings: settings).setRole(.admin, of: "ADMIN@example.org", vouches: true)
            try await server.prove("user@example.org", token: user.access_token)
            let made = try await server.send(
                .PUT, "/accounts/2/role", token: admin.access_token, #"{"role":"guide"}"#)
            #expect(try made.decoded(User.self).role == "guide")
            let bad = try await server.send(.PUT, "/accounts/2/role", token: admin.access_token, #"{"role":"king"}"#)
            #expect(bad.status == 422 && bad.field == "role")
            for path in ["/accounts/99/role", "/accounts/x/role", "/accounts/9999999999999999999999/role"] {
                let unknown = try await server.send(.PUT, path, token: admin.access_token, #"{"role":"guide"}"#)
                #expect(unknown.status == 404)
            }
            await #expect(throws: Failure.self) {
                try await OpenedServer(settings: settings).setRole(.admin, of: "nobody@example.org")
            }
        }
    }
}
