import Foundation
import NIOHTTP1
import Testing
import TourServer

/// Goal: a phone proves an account by a code, and nobody guesses or floods.
/// Method: a whole server over HTTP whose text messages the test reads.
struct PhoneTests {
    private static func verify(_ phone: String, _ code: String, on server: RunningServer) async throws -> Reply {
        try await server.send(.POST, "/auth/sms/verify", #"{"phone":"\#(phone)","code":"\#(code)"}"#)
    }

    private static func other(than code: String) -> String { code == "000000" ? "111111" : "000000" }

    @Test func codeLogsInAndMakesTheAccountOnce() async throws {
        try await RunningServer.run { server async throws in
            let code = try await server.code(for: "+90 555 111 22 33")
            let reply = try await Self.verify("+905551112233", code, on: server)
            #expect(reply.status == 200)
            let tokens: Tokens = try reply.decoded()
            let me = try await server.send(.GET, "/auth/me", token: tokens.access_token)
            #expect(me.text.contains(#""phone":"+905551112233""#) && me.text.contains(#""id":1"#))
            // The app of the notes guide wants a text.
            #expect(me.text.contains(#""email":"""#))
            #expect(try await Self.verify("+905551112233", code, on: server).status == 401, "a code is good once")
            let next = try await server.code(for: "+905551112233")
            let again: Tokens = try await Self.verify("+905551112233", next, on: server).decoded()
            let same = try await server.send(.GET, "/auth/me", token: again.access_token)
            #expect(same.text.contains(#""id":1"#))
        }
    }

    @Test func wrongCodeAndUnknownPhoneLookTheSame() async throws {
        try await RunningServer.run { server async throws in
            let code = try await server.code(for: "+905551112233")
            let wrong = try await Self.verify("+905551112233", Self.other(than: code), on: server)
            let unknown = try await Self.verify("+905550000000", code, on: server)
            let noCode = try await Self.verify("+905551112233", "abc", on: server)
            #expect(wrong.status == 401 && wrong.code == "bad-code")
            #expect(unknown.body == wrong.body && noCode.body == wrong.body)
        }
    }

    @Test func fiveTriesAreAll() async throws {
        try await RunningServer.run { server async throws in
            let code = try await server.code(for: "+905551112233")
            for _ in 0..<5 {
                #expect(try await Self.verify("+905551112233", Self.other(than: code), on: server).status == 401)
            }
            #expect(try await Self.verify("+905551112233", code, on: server).status == 401)
        }
    }

    /// Whoever tries, a code bears five tries; and strangers elsewhere leave its owner three of them.
    @Test func fiveTriesAreAllOfAllAddresses() async throws {
        try await RunningServer.run(change: { $0.isBehindProxy = true }) { server async throws in
            let table = [(20, 2, 200), (20, 3, 401), (2, 3, 401), (1, 3, 200), (0, 4, 200), (0, 5, 401)]
            for (number, (elsewhere, own, status)) in table.enumerated() {
                let phone = "+90555111223\(number)"
                let home = [("X-Forwarded-For", "203.0.113.\(number)")]
                func verify(_ code: String, _ headers: [(String, String)]) async throws -> Int {
                    let body = #"{"phone":"\#(phone)","code":"\#(code)"}"#
                    return try await server.send(.POST, "/auth/sms/verify", body, headers: headers).status
                }
                _ = try await server.send(.POST, "/auth/sms/request", #"{"phone":"\#(phone)"}"#, headers: home)
                let code = try #require(server.messages.lastCode)
                let wrong = Self.other(than: code)
                for other in 0..<elsewhere {
                    #expect(try await verify(wrong, [("X-Forwarded-For", "198.51.\(number).\(other)")]) == 401)
                }
                for _ in 0..<own { #expect(try await verify(wrong, home) == 401) }
                #expect(try await verify(code, home) == status, "\(elsewhere) elsewhere, \(own) of its own")
            }
        }
    }

    /// However many guess at once: each try counts before it is judged.
    @Test func fiveTriesAreAllWhoeverMakesThemAtOnce() async throws {
        try await RunningServer.run { server async throws in
            for (guesses, status) in [(4, 200), (40, 401)] {
                let code = try await server.code(for: "+905551112233")
                try await withThrowingTaskGroup(of: Int.self) { tasks in
                    for _ in 0..<guesses {
                        tasks.addTask {
                            try await Self.verify("+905551112233", Self.other(than: code), on: server).status
                        }
                    }
                    for try await refused in tasks { #expect(refused == 401) }
                }
                let right = try await Self.verify("+905551112233", code, on: server)
                #expect(right.status == status, "after \(guesses) guesses")
            }
        }
    }

    /// Who has the right code twenty times at once logs in once.
    @Test func codeIsGoodOnceAlsoAtOnce() async throws {
        try await RunningServer.run { server async throws in
            let code = try await server.code(for: "+905551112233")
            let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
                for _ in 0..<20 {
                    tasks.addTask { try await Self.verify("+905551112233", code, on: server).status }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 200 }.count == 1 && statuses.filter { $0 == 401 }.count == 19)
        }
    }

    @Test func fiveMinutesAreAll() async throws {
        try await RunningServer.run { server async throws in
            let first = try await server.code(for: "+905551112233")
            server.clock.advance(seconds: 300)
            #expect(try await Self.verify("+905551112233", first, on: server).status == 401)
            let second = try await server.code(for: "+905551112233")
            server.clock.advance(seconds: 299)
            #expect(try await Self.verify("+905551112233", second, on: server).status == 200)
        }
    }

    @Test func newCodeEndsTheOldOne() async throws {
        try await RunningServer.run { server async throws in
            let first = try await server.code(for: "+905551112233")
            let second = try await server.code(for: "+905551112233")
            if first != second {
                #expect(try await Self.verify("+905551112233", first, on: server).status == 401)
            }
            #expect(try await Self.verify("+905551112233", second, on: server).status == 200)
        }
    }

    @Test func onePhoneIsNotFlooded() async throws {
        try await RunningServer.run { server async throws in
            for _ in 0..<3 {
                let sent = try await server.send(.POST, "/auth/sms/request", #"{"phone":"+905551112233"}"#)
                #expect(sent.status == 202 && sent.body.isEmpty)
            }
            let refused = try await server.send(.POST, "/auth/sms/request", #"{"phone":"+905551112233"}"#)
            #expect(refused.status == 429 && refused.code == "too-many-requests")
            #expect(refused.headers.first(name: "Retry-After") == "300")
            #expect(try await server.send(.POST, "/auth/sms/request", #"{"phone":"+905551112234"}"#).status == 202)
            server.clock.advance(seconds: 300)
            #expect(try await server.send(.POST, "/auth/sms/request", #"{"phone":"+905551112233"}"#).status == 202)
        }
    }

    @Test func messageIsInTheClientsLanguage() async throws {
        try await RunningServer.run { server async throws in
            _ = try await server.send(
                .POST, "/auth/sms/request", #"{"phone":"+905551112233"}"#, headers: [("Accept-Language", "tr-TR")])
            #expect(server.messages.lastText?.hasPrefix("tour-chat kodunuz ") == true)
        }
    }

    @Test func guestGetsThePhoneUnlessItIsSomebodys() async throws {
        try await RunningServer.run { server async throws in
            let guest: Tokens = try await server.send(.POST, "/auth/anonymous").decoded()
            let code = try await server.code(for: "+905551112233")
            let named = try await server.send(
                .POST, "/auth/sms/verify", token: guest.access_token, #"{"phone":"+905551112233","code":"\#(code)"}"#)
            #expect(named.status == 200)
            let me = try await server.send(.GET, "/auth/me", token: guest.access_token)
            #expect(me.text.contains("+905551112233") && me.text.contains(#""id":1"#))
            let second: Tokens = try await server.send(.POST, "/auth/anonymous").decoded()
            let next = try await server.code(for: "+905551112233")
            let body = #"{"phone":"+905551112233","code":"\#(next)"}"#
            let taken = try await server.send(.POST, "/auth/sms/verify", token: second.access_token, body)
            #expect(taken.status == 409 && taken.code == "phone-taken")
            #expect(try await server.send(.POST, "/auth/sms/verify", body).status == 200, "the code stays good")
        }
    }

    @Test func codeResetsThePassword() async throws {
        try await RunningServer.run { server async throws in
            let code = try await server.code(for: "+905551112233")
            let old: Tokens = try await Self.verify("+905551112233", code, on: server).decoded()
            let next = try await server.code(for: "+905551112233")
            func reset(_ phone: String, _ code: String) async throws -> Reply {
                try await server.send(
                    .POST, "/auth/password/reset",
                    #"{"phone":"\#(phone)","code":"\#(code)","password":"battery staple"}"#)
            }
            let wrong = try await reset("+905551112233", Self.other(than: next))
            #expect(wrong.status == 401 && wrong.code == "bad-code")
            #expect(try await reset("+905551112233", next).status == 204)
            #expect(try await server.send(.GET, "/auth/me", token: old.access_token).status == 401)
            #expect(try await reset("+905551112233", next).status == 401, "a code is good once")
            let stranger = try await server.code(for: "+905559999999")
            let unknown = try await reset("+905559999999", stranger)
            #expect(unknown.status == 401 && unknown.body == wrong.body, "no account, no difference")
        }
    }

    @Test func logHoldsNoNumberTokenOrPassword() async throws {
        try await RunningServer.run { server async throws in
            let tokens = try await server.newAccount("canary@example.org", password: "canary-password")
            _ = try await server.send(.GET, "/auth/me", token: tokens.access_token)
            _ = try await server.send(.POST, "/auth/sms/verify", #"{"phone":"+905551112233","code":"1"}"#)
            // But for what stands for a mail server, which the operator must not use.
            let lines = server.messages.all.filter { !$0.hasPrefix("mail for development") }.joined(separator: "\n")
            #expect(lines.contains("route=/auth/me") && lines.contains("status=401"))
            for secret in ["canary", "+90555", tokens.access_token, tokens.refresh_token] {
                #expect(!lines.contains(secret))
            }
        }
    }
}
