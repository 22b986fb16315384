import Foundation
import NIOHTTP1
import ServerBase
import Testing
import TourServer

/// Goal: an account adds the e-mail address or phone that it lacks, and changes what it has, once its owner has proven
/// both the contact and itself. Method: a whole server over HTTP whose messages the test reads.
struct ContactTests {
    private static let phone = "+905551112233"
    private static let password = #""current_password":"correct horse""#

    private static func setPhone(
        _ code: String, _ more: String = "", token: String, on server: RunningServer
    ) async throws -> Reply {
        let rest = more.isEmpty ? "" : "," + more
        return try await server.send(
            .PUT, "/auth/me/phone", token: token, #"{"phone":"\#(phone)","code":"\#(code)"\#(rest)}"#)
    }

    private static func hasPhone(_ token: String, on server: RunningServer) async throws -> Bool {
        try await server.send(.GET, "/auth/me", token: token).text.contains(phone)
    }

    private static func setEmail(
        _ email: String, _ code: String, token: String, on server: RunningServer
    ) async throws -> Reply {
        try await server.send(
            .PUT, "/auth/me/email", token: token, #"{"email":"\#(email)","code":"\#(code)"}"#)
    }

    private static func byPhone(_ phone: String = phone, on server: RunningServer) async throws -> Tokens {
        let code = try await server.code(for: phone)
        return try await server.send(
            .POST, "/auth/sms/verify", #"{"phone":"\#(phone)","code":"\#(code)"}"#
        ).decoded()
    }

    @Test func anEmailAccountAddsAPhoneAndLogsInByIt() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            try await server.prove("a@example.org", token: token)
            let code = try await server.code(for: Self.phone)
            let wrong = code == "000000" ? "111111" : "000000"
            let missing = try await Self.setPhone(code, token: token, on: server)
            #expect(missing.status == 422 && missing.field == "current_password")
            let guess = try await Self.setPhone(
                code, #""current_password":"wrong horse""#, token: token, on: server)
            #expect(guess.status == 401 && guess.code == "bad-credentials" && guess.field == "current_password")
            #expect(try await Self.setPhone(wrong, Self.password, token: token, on: server).code == "bad-code")
            let done = try await Self.setPhone(code, Self.password, token: token, on: server)
            #expect(done.status == 200 && done.text.contains(#""phone":"\#(Self.phone)""#))
            #expect(try await Self.setPhone(code, Self.password, token: token, on: server).code == "bad-code", "once")
            #expect(try await server.repeats { server.messages.allMails.contains { $0.contains("another phone") } })
            let again = try await Self.byPhone(on: server).access_token
            let me = try await server.send(.GET, "/auth/me", token: again)
            #expect(me.text.contains(#""email":"a@example.org""#) && me.text.contains(#""id":1"#))
        }
    }

    @Test func aPhoneAccountAddsAnAddressAndThenAPassword() async throws {
        try await RunningServer.run { server async throws in
            let token = try await Self.byPhone(on: server).access_token
            let body = #"{"email":"A@example.org"}"#
            #expect(try await server.send(.POST, "/auth/me/email", token: token, body).status == 202)
            let code = server.messages.mailedCodes("a@example.org").last ?? ""
            #expect(try await server.send(.GET, "/auth/me", token: token).text.contains(#""email":"""#), "not yet")
            #expect(try await Self.setEmail("b@example.org", code, token: token, on: server).code == "bad-code")
            let done = try await Self.setEmail("a@example.org", code, token: token, on: server)
            #expect(done.status == 200 && done.text.contains(#""email_verified":true"#))
            #expect(try await server.send(.POST, "/auth/me/email", token: token, body).status == 204, "it has it")
            #expect(
                try await server.repeats { server.messages.lastText?.contains("another e-mail") == true },
                "told at the phone")
            let set = try await server.send(
                .POST, "/auth/password", token: token, #"{"password":"battery staple"}"#)
            #expect(set.status == 204)
            let login = #"{"email":"a@example.org","password":"battery staple"}"#
            #expect(try await server.send(.POST, "/auth/login", login).status == 200)
        }
    }

    /// Two accounts prove one phone, and add it at once: it is one account's.
    @Test func onePhoneIsOneAccounts() async throws {
        try await RunningServer.run { server async throws in
            var tokens = [String]()
            for name in ["a", "b", "c", "d"] {
                tokens.append(try await server.newAccount("\(name)@example.org").access_token)
            }
            let code = try await server.code(for: Self.phone)
            let replies = try await withThrowingTaskGroup(of: Reply.self) { tasks in
                for token in tokens {
                    tasks.addTask { try await Self.setPhone(code, Self.password, token: token, on: server) }
                }
                return try await tasks.reduce(into: [Reply]()) { $0.append($1) }
            }
            // The code is used up with the first; the others are told no more than that.
            #expect(replies.filter { $0.status == 200 }.count == 1)
            #expect(replies.filter { $0.status != 200 }.allSatisfy { $0.code == "bad-code" })
            let next = try await server.code(for: Self.phone)
            for token in tokens where try await !Self.hasPhone(token, on: server) {
                let taken = try await Self.setPhone(next, Self.password, token: token, on: server)
                #expect(taken.status == 409 && taken.code == "phone-taken" && taken.field == "phone")
            }
            let held = try await server.rowCounts(["accounts WHERE phone IS NOT NULL"])
            #expect(held.values.first == 1)
        }
    }

    /// An account learns of another's address only where it reads its mail.
    @Test func anAddressIsTakenOnlyForWhoReadsItsMail() async throws {
        try await RunningServer.run { server async throws in
            let owner = try await server.newAccount("a@example.org").access_token
            try await server.prove("a@example.org", token: owner)
            let token = try await Self.byPhone(on: server).access_token
            let (held, free) = (#"{"email":"a@example.org"}"#, #"{"email":"b@example.org"}"#)
            let first = try await server.send(.POST, "/auth/me/email", token: token, free)
            let second = try await server.send(.POST, "/auth/me/email", token: token, held)
            #expect(first.status == 202 && second.status == 202 && first.body == second.body)
            let code = server.messages.mailedCodes("a@example.org").last ?? ""
            #expect(try await Self.setEmail("a@example.org", code, token: token, on: server).code == "email-taken")
        }
    }

    /// Anybody can type an address: one that was never proven is in nobody's way, unless it is all that an account has.
    @Test func anUnprovenAddressGoesToItsOwner() async throws {
        try await RunningServer.run { server async throws in
            let careless = try await server.newAccount("a@example.org").access_token
            let owner = try await Self.byPhone("+905550000001", on: server).access_token
            let body = #"{"email":"a@example.org"}"#
            func take() async throws -> Reply {
                #expect(try await server.send(.POST, "/auth/me/email", token: owner, body).status == 202)
                let code = server.messages.mailedCodes("a@example.org").last ?? ""
                return try await Self.setEmail("a@example.org", code, token: owner, on: server)
            }
            #expect(try await server.repeats { !server.messages.mailedCodes("a@example.org").isEmpty })
            #expect(try await take().code == "email-taken", "it is all that the other has")
            let code = try await server.code(for: Self.phone)
            #expect(try await Self.setPhone(code, Self.password, token: careless, on: server).status == 200)
            server.clock.advance(seconds: 600)
            #expect(try await take().status == 200)
            #expect(try await server.send(.GET, "/auth/me", token: careless).text.contains(#""email":"""#))
        }
    }

    /// A guest becomes a person by either.
    @Test func aGuestGetsAName() async throws {
        try await RunningServer.run { server async throws in
            let guest: Tokens = try await server.send(.POST, "/auth/anonymous").decoded()
            let code = try await server.code(for: Self.phone)
            let named = try await Self.setPhone(code, token: guest.access_token, on: server)
            #expect(named.status == 200 && named.text.contains(#""is_anonymous":false"#))
        }
    }
}

/// Goal: an owner sees where the account is open, and closes it there.
/// Method: a whole server over HTTP, behind a proxy that says where each request comes from.
struct SessionListTests {
    private struct Session: Decodable {
        var id: String
        var current: Bool
        var device: String?
        var network: String?
        var created_at: Date
        var last_used_at: Date
        var expires_at: Date
    }

    private static func logIn(_ device: String, from address: String, on server: RunningServer) async throws -> Tokens {
        try await server.send(
            .POST, "/auth/login", #"{"email":"a@example.org","password":"correct horse"}"#,
            headers: [("User-Agent", device), ("X-Forwarded-For", address)]
        ).decoded()
    }

    private static func list(_ token: String, on server: RunningServer) async throws -> [Session] {
        try await server.send(.GET, "/auth/sessions", token: token).decoded()
    }

    private static let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

    @Test func sessionsAreListedAndEnded() async throws {
        try await RunningServer.run(change: { $0.isBehindProxy = true }) { server async throws in
            let first = try await server.newAccount("a@example.org")
            server.clock.advance(seconds: 60)
            let second = try await Self.logIn(Self.firefox, from: "203.0.113.77", on: server)
            server.clock.advance(seconds: 60)
            let third = try await Self.logIn("tour-chat (Linux)", from: "2001:db8:1:2::7", on: server)
            let listed = try await Self.list(second.access_token, on: server)
            #expect(listed.map(\.device) == ["tour-chat, Linux", "Firefox, Linux", nil])
            #expect(listed.map(\.network) == ["2001:db8:1::/48", "203.0.113.0/24", "127.0.0.0/24"])
            #expect(listed.map(\.current) == [false, true, false])
            #expect(listed.map { $0.created_at.timeIntervalSince1970 - 1_780_272_000 } == [120, 60, 0])
            #expect(listed.allSatisfy { $0.created_at == $0.last_used_at })

            // A refresh elsewhere moves a session to the front.
            server.clock.advance(seconds: 60)
            let moved: Tokens = try await server.send(
                .POST, "/auth/refresh", #"{"refresh_token":"\#(second.refresh_token)"}"#,
                headers: [("User-Agent", Self.firefox), ("X-Forwarded-For", "198.51.100.9")]
            ).decoded()
            let after = try await Self.list(moved.access_token, on: server)
            #expect(after.first?.current == true && after.first?.network == "198.51.100.0/24")
            #expect(after.first?.last_used_at.timeIntervalSince1970 == 1_780_272_180)

            let stranger = try await server.newAccount("b@example.org").access_token
            let path = "/auth/sessions/\(after[1].id)"
            #expect(try await server.send(.DELETE, path, token: stranger).status == 404)
            #expect(try await server.send(.DELETE, path, token: moved.access_token).status == 204)
            #expect(try await server.send(.DELETE, path, token: moved.access_token).status == 404)
            #expect(try await server.send(.GET, "/auth/me", token: third.access_token).status == 401)
            #expect(try await server.send(.DELETE, "/auth/sessions", token: moved.access_token).status == 204)
            #expect(try await server.send(.GET, "/auth/me", token: first.access_token).status == 401)
            #expect(try await Self.list(moved.access_token, on: server).map(\.current) == [true])
            #expect(try await server.send(.GET, "/auth/me", token: stranger).status == 200)
        }
    }

    @Test func aSessionThatIsOverIsNotListed() async throws {
        try await RunningServer.run { server async throws in
            _ = try await server.newAccount("a@example.org")
            server.clock.advance(seconds: ServerLimits.sessionLifetime)
            let fresh: Tokens = try await server.send(
                .POST, "/auth/login", #"{"email":"a@example.org","password":"correct horse"}"#
            ).decoded()
            #expect(try await Self.list(fresh.access_token, on: server).count == 1)
        }
    }
}
