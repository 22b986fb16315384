import Foundation
import NIOHTTP1
import ServerAccounts
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourCrypto
import TourServer

/// Goal: an account with a second factor opens only with it, each code once; who loses the app gets in by a recovery
/// code; a role may count only with one. Method: a whole server over HTTP with a clock that the test sets, and an app
/// that makes codes from the secret as it was shown.
struct SecondFactorTests {
    /// An authenticator app that has read the secret.
    private struct App {
        let secret: [UInt8]

        func code(_ server: RunningServer, stepsLater steps: Int64 = 0) throws -> String {
            try TOTP.code(secret, step: TOTP.step(at: server.clock.now) + steps)
        }
    }

    private struct Begun: Decodable {
        var secret: String
        var uri: String
    }

    private struct Codes: Decodable { var recovery_codes: [String] }

    private struct Standing: Decodable {
        var on: Bool
        var required: Bool
        var recovery_codes_left: Int
    }

    private static let password = "correct horse"

    private static func logIn(
        _ email: String, _ factor: String? = nil, password: String = password, on server: RunningServer,
        headers: [(String, String)] = []
    ) async throws -> Reply {
        let more = factor.map { #","second_factor":"\#($0)""# } ?? ""
        return try await server.send(
            .POST, "/auth/login", #"{"email":"\#(email)","password":"\#(password)"\#(more)}"#, headers: headers)
    }

    /// A proven account whose second factor is on; the step of the clock is unused.
    private static func turnOn(
        _ email: String = "a@example.org", on server: RunningServer
    ) async throws -> (app: App, codes: [String], token: String) {
        let token = try await server.newAccount(email).access_token
        try await server.prove(email, token: token)
        let begun: Begun = try await server.send(
            .POST, "/auth/second-factor", token: token, #"{"current_password":"\#(password)"}"#
        ).decoded()
        let app = App(secret: Base32.bytes(of: Base32.values(of: begun.secret) ?? []))
        #expect(begun.uri.hasPrefix("otpauth://totp/") && begun.uri.contains("secret=\(begun.secret)&"))
        let confirmed = try await server.send(
            .POST, "/auth/second-factor/confirm", token: token, #"{"code":"\#(app.code(server))"}"#)
        #expect(confirmed.status == 200, "\(confirmed.text)")
        let codes = try confirmed.decoded(Codes.self).recovery_codes
        server.clock.advance(seconds: 60)
        return (app, codes, token)
    }

    @Test func aLoginTakesTheCodeOnce() async throws {
        try await RunningServer.run { server async throws in
            let (app, _, token) = try await Self.turnOn(on: server)
            #expect(try await server.send(.GET, "/auth/me", token: token).text.contains(#""second_factor":true"#))
            let needed = try await Self.logIn("a@example.org", on: server)
            #expect(needed.status == 401 && needed.code == "second-factor-needed" && needed.field == "second_factor")
            let wrong = try await Self.logIn("a@example.org", password: "wrong horse", on: server)
            #expect(wrong.code == "bad-credentials", "a wrong password is told nothing of it")
            let code = try app.code(server)
            #expect(try await Self.logIn("a@example.org", "000000", on: server).code == "bad-second-factor")
            #expect(try await Self.logIn("a@example.org", "no code", on: server).code == "bad-second-factor")
            #expect(try await Self.logIn("a@example.org", code, on: server).status == 200)
            #expect(try await Self.logIn("a@example.org", code, on: server).code == "bad-second-factor", "once")
            let earlier = try app.code(server, stepsLater: -1)
            #expect(try await Self.logIn("a@example.org", earlier, on: server).status == 401, "no step goes back")
            #expect(try await Self.logIn("a@example.org", app.code(server, stepsLater: 2), on: server).status == 401)
            let next = try app.code(server, stepsLater: 1)
            let spaced = next.prefix(3) + " " + next.suffix(3)
            #expect(try await Self.logIn("a@example.org", String(spaced), on: server).status == 200, "a clock ahead")
        }
    }

    /// Whoever looks over the owner's shoulder is as quick as the owner: one of them gets in.
    @Test func oneCodeIsNotGoodTwiceAtOnce() async throws {
        try await RunningServer.run { server async throws in
            let (app, codes, _) = try await Self.turnOn(on: server)
            for factor in [try app.code(server), codes[0]] {
                let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
                    for _ in 0..<4 {
                        tasks.addTask { try await Self.logIn("a@example.org", factor, on: server).status }
                    }
                    return try await tasks.reduce(into: [Int]()) { $0.append($1) }
                }
                #expect(statuses.sorted() == [200, 401, 401, 401], "\(statuses)")
                server.clock.advance(seconds: 3_600)
            }
        }
    }

    /// An answer that was lost is asked for again, and is the same session.
    @Test func aRepeatedLoginIsOneLogin() async throws {
        try await RunningServer.run { server async throws in
            let (app, _, _) = try await Self.turnOn(on: server)
            let (code, key) = (try app.code(server), [("Idempotency-Key", "l-1")])
            let first: Tokens = try await Self.logIn("a@example.org", code, on: server, headers: key).decoded()
            let again: Tokens = try await Self.logIn("a@example.org", code, on: server, headers: key).decoded()
            #expect(first.refresh_token == again.refresh_token)
        }
    }

    @Test func aRecoveryCodeStandsInOnce() async throws {
        try await RunningServer.run { server async throws in
            let (app, codes, token) = try await Self.turnOn(on: server)
            #expect(codes.count == ServerLimits.recoveryCodes && Set(codes).count == codes.count)
            let written = codes[3].lowercased().replacing("-", with: " ")
            #expect(try await Self.logIn("a@example.org", written, on: server).status == 200)
            #expect(try await Self.logIn("a@example.org", codes[3], on: server).code == "bad-second-factor")
            #expect(try await server.repeats { server.messages.allMails.contains { $0.contains("9 are left") } })
            let standing: Standing = try await server.send(.GET, "/auth/second-factor", token: token).decoded()
            #expect(standing.on && !standing.required && standing.recovery_codes_left == 9)
            // New ones need the owner, and end the others.
            let refused = try await server.send(.POST, "/auth/second-factor/recovery-codes", token: token, "{}")
            #expect(refused.status == 422 && refused.field == "current_password")
            let proof = try #"{"current_password":"\#(Self.password)","second_factor":"\#(app.code(server))"}"#
            let renewed = try await server.send(.POST, "/auth/second-factor/recovery-codes", token: token, proof)
            let fresh = try renewed.decoded(Codes.self).recovery_codes
            #expect(try await Self.logIn("a@example.org", codes[4], on: server).status == 401)
            #expect(try await Self.logIn("a@example.org", fresh[4], on: server).status == 200)
        }
    }

    /// Neither the secret nor a recovery code stands readable in the database.
    @Test func theDatabaseTellsNothing() async throws {
        try await RunningServer.run { server async throws in
            let (app, codes, token) = try await Self.turnOn(on: server)
            let export = try await server.send(.GET, "/auth/me/export", token: token)
            #expect(export.text.contains(#""second_factor":{"recovery_codes_left":10,"since":"#))
            #expect(try !server.databaseHolds(app.secret))
            for code in codes {
                let raw = Base32.bytes(of: Base32.values(of: code) ?? [])
                #expect(try !server.databaseHolds(code.utf8) && !server.databaseHolds(raw))
            }
            #expect(!server.messages.all.contains { line in codes.contains { line.contains($0) } })
        }
    }

    @Test func itIsTurnedOffByItsOwnerOrTheOperator() async throws {
        try await RunningServer.run { server async throws in
            let (app, _, token) = try await Self.turnOn(on: server)
            let path = "/auth/second-factor/remove"
            let password = #""current_password":"\#(Self.password)""#
            #expect(try await server.send(.POST, path, token: token, "{\(password)}").code == "second-factor-needed")
            let wrong = try await server.send(.POST, path, token: token, #"{\#(password),"second_factor":"0"}"#)
            #expect(wrong.code == "bad-second-factor")
            let again = try await server.send(.POST, "/auth/second-factor", token: token, "{\(password)}")
            #expect(again.code == "second-factor-on")
            let off = try await server.send(
                .POST, path, token: token, #"{\#(password),"second_factor":"\#(app.code(server))"}"#)
            #expect(off.status == 204)
            #expect(try await server.repeats { server.messages.allMails.contains { $0.contains("takes no code") } })
            #expect(try await Self.logIn("a@example.org", on: server).status == 200)
            #expect(try await server.rowCounts(["second_factors", "recovery_codes"]).values.allSatisfy { $0 == 0 })
            _ = try await Self.turnOn("b@example.org", on: server)
            let door = try OpenedServer(settings: .data(in: server.directory))
            try await door.removeSecondFactor(of: "b@example.org")
            #expect(try await Self.logIn("b@example.org", on: server).status == 200)
            let none = await #expect(throws: Failure.self) { try await door.removeSecondFactor(of: "b@example.org") }
            #expect(none?.code == .notFound)
            try await door.storage.close()
        }
    }

    @Test func aPhonesLoginTakesItToo() async throws {
        try await RunningServer.run { server async throws in
            let phone = "+905551112233"
            func verify(_ code: String, _ factor: String? = nil) async throws -> Reply {
                let more = factor.map { #","second_factor":"\#($0)""# } ?? ""
                return try await server.send(
                    .POST, "/auth/sms/verify", #"{"phone":"\#(phone)","code":"\#(code)"\#(more)}"#)
            }
            let tokens: Tokens = try await verify(server.code(for: phone)).decoded()
            let begun: Begun = try await server.send(
                .POST, "/auth/second-factor", token: tokens.access_token, "{}"
            ).decoded()
            let app = App(secret: Base32.bytes(of: Base32.values(of: begun.secret) ?? []))
            let on = try await server.send(
                .POST, "/auth/second-factor/confirm", token: tokens.access_token, #"{"code":"\#(app.code(server))"}"#)
            #expect(on.status == 200)
            let told = "Logging in to your tour-chat account now takes a code of an authenticator app."
            #expect(try await server.repeats { server.messages.lastText == told }, "by SMS, without an address")
            let code = try await server.code(for: phone)
            #expect(try await verify(code).code == "second-factor-needed")
            #expect(try await verify(code, "000000").code == "bad-second-factor")
            server.clock.advance(seconds: 30)
            #expect(try await verify(code, app.code(server)).status == 200, "the code stays good meanwhile")
            #expect(try await verify(code, app.code(server, stepsLater: 1)).code == "bad-code", "and then is used up")
        }
    }

    /// Whoever is in an account can have notices sent to its phone: few, and the one of a new password comes still.
    @Test func noticesToAPhoneAreFew() async throws {
        try await RunningServer.run { server async throws in
            let phone = "+905551112233"
            let code = try await server.code(for: phone)
            let tokens: Tokens = try await server.send(
                .POST, "/auth/sms/verify", #"{"phone":"\#(phone)","code":"\#(code)"}"#
            ).decoded()
            let token = tokens.access_token
            let begun: Begun = try await server.send(.POST, "/auth/second-factor", token: token, "{}").decoded()
            let app = App(secret: Base32.bytes(of: Base32.values(of: begun.secret) ?? []))
            _ = try await server.send(
                .POST, "/auth/second-factor/confirm", token: token, #"{"code":"\#(app.code(server))"}"#)
            #expect(try await server.repeats { server.messages.lastText?.contains("authenticator app") == true })
            func told() -> Int { server.messages.allTexts.count { $0.contains("recovery codes") } }
            func isSettled(_ count: Int) async throws -> Bool {
                try await server.repeats {
                    told() + server.messages.all.count { $0.contains("could not be told of a change") } == count
                }
            }
            for count in 1...10 {
                server.clock.advance(seconds: 60)
                let renewed = try await server.send(
                    .POST, "/auth/second-factor/recovery-codes", token: token,
                    #"{"second_factor":"\#(app.code(server))"}"#)
                #expect(renewed.status == 200, "\(renewed.text)")
                #expect(try await isSettled(count))
            }
            #expect(told() == 4, "the notice of the second factor counts too")
            let contact = #""phone":"\#(phone)""#
            let before = server.messages.allTexts.count
            #expect(try await server.send(.POST, "/auth/password/forgot", "{\(contact)}").status == 202)
            #expect(try await server.repeats { server.messages.allTexts.count > before })
            let body = #"{\#(contact),"code":"\#(server.messages.lastCode ?? "")","password":"battery staple"}"#
            #expect(try await server.send(.POST, "/auth/password/reset", body).status == 204)
            #expect(try await server.repeats { server.messages.lastText?.contains("was set anew") == true })
        }
    }

    /// As to a phone: nobody has the mail of the whole server sent to an account of its own.
    @Test func noticesByMailAreFew() async throws {
        try await RunningServer.run { server async throws in
            let (app, _, token) = try await Self.turnOn(on: server)
            func told(_ words: String) -> Int { server.messages.allMails.count { $0.contains(words) } }
            #expect(try await server.repeats { told("now takes a code") == 1 })
            for count in 1...10 {
                server.clock.advance(seconds: 60)
                let proof = try #"{"current_password":"\#(Self.password)","second_factor":"\#(app.code(server))"}"#
                let renewed = try await server.send(.POST, "/auth/second-factor/recovery-codes", token: token, proof)
                #expect(renewed.status == 200, "\(renewed.text)")
                #expect(
                    try await server.repeats {
                        told("new recovery codes")
                            + server.messages.all.count { $0.contains("could not be told of a change") } == count
                    })
            }
            #expect(told("new recovery codes") == 4, "the notice of the second factor counts too")
            let contact = #""email":"a@example.org""#
            #expect(try await server.send(.POST, "/auth/password/forgot", "{\(contact)}").status == 202)
            #expect(try await server.repeats { told("for a new password is") == 1 })
            let code = server.messages.mailedCodes("a@example.org").last ?? ""
            let body = #"{\#(contact),"code":"\#(code)","password":"battery staple"}"#
            #expect(try await server.send(.POST, "/auth/password/reset", body).status == 204)
            #expect(try await server.repeats { told("was set anew") == 1 })
        }
    }

    @Test func whoHasProvenNothingLocksNobodyOut() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            let refused = try await server.send(
                .POST, "/auth/second-factor", token: token, #"{"current_password":"\#(Self.password)"}"#)
            #expect(refused.status == 409 && refused.code == "email-not-proven")
            let guest: Tokens = try await server.send(.POST, "/auth/anonymous").decoded()
            #expect(try await server.send(.POST, "/auth/second-factor", token: guest.access_token, "{}").status == 403)
        }
    }

    /// What was only begun is asked of nobody.
    @Test func aBegunOneCountsForNothing() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            try await server.prove("a@example.org", token: token)
            let path = "/auth/second-factor"
            let early = try await server.send(.POST, path + "/confirm", token: token, #"{"code":"123456"}"#)
            #expect(early.code == "bad-second-factor")
            let proof = #"{"current_password":"\#(Self.password)"}"#
            let first: Begun = try await server.send(.POST, path, token: token, proof).decoded()
            #expect(try await Self.logIn("a@example.org", on: server).status == 200)
            let second: Begun = try await server.send(.POST, path, token: token, proof).decoded()
            #expect(first.secret != second.secret)
            for (begun, status) in [(first, 401), (second, 200)] {
                let app = App(secret: Base32.bytes(of: Base32.values(of: begun.secret) ?? []))
                let reply = try await server.send(
                    .POST, path + "/confirm", token: token, #"{"code":"\#(app.code(server))"}"#)
                #expect(reply.status == status)
            }
        }
    }

    @Test func guessesEndSoonAndShutTheOwnerOutNowhereItWas() async throws {
        try await RunningServer.run(change: { $0.isBehindProxy = true }) { server async throws in
            let (app, _, _) = try await Self.turnOn(on: server)
            let home = [("X-Forwarded-For", "203.0.113.1")]
            let entered = try await Self.logIn("a@example.org", app.code(server), on: server, headers: home)
            #expect(entered.status == 200)
            server.clock.advance(seconds: 3_600)
            var codes = Set<String?>()
            for number in 0..<30 {
                let elsewhere = [("X-Forwarded-For", "198.51.100.\(number)")]
                codes.insert(try await Self.logIn("a@example.org", "000000", on: server, headers: elsewhere).code)
            }
            #expect(codes == ["bad-second-factor", "too-many-requests"])
            let late = [("X-Forwarded-For", "198.51.100.200")]
            let held = try await Self.logIn("a@example.org", app.code(server), on: server, headers: late)
            #expect(held.code == "too-many-requests")
            let free = try await Self.logIn("a@example.org", app.code(server), on: server, headers: home)
            #expect(free.status == 200)
        }
    }

    @Test func aRoleMayCountOnlyWithOne() async throws {
        try await RunningServer.run(change: { $0.rules.secondFactorFrom = .admin }) { server async throws in
            let (app, _, plain) = try await Self.turnOn("admin@example.org", on: server)
            let lax = try await server.newAccount("lax@example.org").access_token
            let door = try OpenedServer(settings: .data(in: server.directory))
            for email in ["admin@example.org", "lax@example.org"] {
                try await door.setRole(.admin, of: email, vouches: true)
            }
            try await door.setRole(.guide, of: "lax@example.org")
            let body = #"{"name":"Efes"}"#
            #expect(try await server.send(.POST, "/groups", token: lax, body).status == 201, "a guide needs none")
            try await door.setRole(.admin, of: "lax@example.org")
            for (method, path, body) in [
                (HTTPMethod.POST, "/groups", body), (.PUT, "/accounts/1/role", #"{"role":"user"}"#),
            ] {
                let refused = try await server.send(method, path, token: lax, body)
                #expect(refused.status == 403 && refused.code == "second-factor-required", "\(path)")
            }
            let standing: Standing = try await server.send(.GET, "/auth/second-factor", token: lax).decoded()
            #expect(standing.required && !standing.on)
            #expect(try await server.send(.GET, "/groups", token: lax).status == 200, "all else goes on")
            let done = try await server.send(.PUT, "/accounts/2/role", token: plain, #"{"role":"guide"}"#)
            #expect(done.status == 200)
            #expect(!app.secret.isEmpty)
            try await door.storage.close()
        }
    }
}
