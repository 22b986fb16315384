import Foundation
import NIOHTTP1
import ServerAccounts
import Testing
import TourServer

/// Goal: who forgot the password gets a new one by mail or SMS, and nobody else does; nobody learns who has an account.
/// Method: a whole server over HTTP whose messages the test reads; with real gammu-smsd and a real mail server.
struct ResetTests {
    private static let phone = "+905551112233"

    private static func forget(
        _ contact: String, on server: RunningServer, headers: [(String, String)] = []
    ) async throws -> Reply {
        try await server.send(.POST, "/auth/password/forgot", "{\(contact)}", headers: headers)
    }

    private static func reset(
        _ contact: String, _ code: String, password: String = "battery staple", on server: RunningServer,
        headers: [(String, String)] = []
    ) async throws -> Reply {
        try await server.send(
            .POST, "/auth/password/reset", #"{\#(contact),"code":"\#(code)","password":"\#(password)"}"#,
            headers: headers)
    }

    private static func logIn(_ password: String, on server: RunningServer) async throws -> Int {
        try await server.send(.POST, "/auth/login", #"{"email":"a@example.org","password":"\#(password)"}"#).status
    }

    private static func other(than code: String) -> String { code == "000000" ? "111111" : "000000" }

    /// The code of the last mail about a new password.
    private static func mailed(_ server: RunningServer, after count: Int = 0) async throws -> String {
        func mails() -> [String] { server.messages.allMails.filter { $0.contains("for a new password is") } }
        #expect(try await server.repeats { mails().count > count })
        let code = mails().last?.firstMatch(of: /\d{6}/)
        return String(code?.0 ?? "")
    }

    private static let email = #""email":"a@example.org""#

    @Test func aMailedCodeSetsThePasswordAndEndsEverySession() async throws {
        try await RunningServer.run { server async throws in
            let first = try await server.newAccount("a@example.org")
            try await server.prove("a@example.org", token: first.access_token)
            #expect(try await Self.forget(Self.email, on: server).status == 202)
            let code = try await Self.mailed(server)
            #expect(try await Self.reset(Self.email, Self.other(than: code), on: server).code == "bad-code")
            let key = [("Idempotency-Key", "r-1")]
            #expect(try await Self.reset(Self.email, code, on: server, headers: key).status == 204)
            let again = try await Self.reset(Self.email, code, on: server, headers: key)
            #expect(again.status == 204 && again.headers.first(name: "Idempotency-Replayed") == "true")
            #expect(try await Self.reset(Self.email, code, on: server).code == "bad-code", "once")
            #expect(try await server.send(.GET, "/auth/me", token: first.access_token).status == 401)
            let refreshed = try await server.send(
                .POST, "/auth/refresh", #"{"refresh_token":"\#(first.refresh_token)"}"#)
            #expect(refreshed.status == 401)
            #expect(try await Self.logIn("correct horse", on: server) == 401)
            #expect(try await Self.logIn("battery staple", on: server) == 200)
            #expect(
                try await server.repeats { server.messages.allMails.contains { $0.contains("was set anew") } },
                "the owner is told")
        }
    }

    @Test func aTextedCodeDoesTheSameAndBothContactsAreTold() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            try await server.prove("a@example.org", token: token)
            let proof = #""phone":"\#(Self.phone)","code":"\#(try await server.code(for: Self.phone))""#
            let added = try await server.send(
                .PUT, "/auth/me/phone", token: token, #"{\#(proof),"current_password":"correct horse"}"#)
            #expect(added.status == 200)
            let contact = #""phone":"\#(Self.phone)""#
            let before = server.messages.allTexts.count
            #expect(try await Self.forget(contact, on: server).status == 202)
            #expect(try await server.repeats { server.messages.allTexts.count > before })
            #expect(try await Self.reset(contact, server.messages.lastCode ?? "", on: server).status == 204)
            #expect(try await Self.logIn("battery staple", on: server) == 200)
            #expect(try await server.repeats { server.messages.lastText?.contains("was set anew") == true })
            #expect(try await server.repeats { server.messages.allMails.contains { $0.contains("was set anew") } })
        }
    }

    /// Nothing but the message itself, which only the owner reads, tells whether there is an account.
    @Test func everybodyIsAnsweredAlike() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            try await server.prove("a@example.org", token: token)
            let known = try await Self.forget(Self.email, on: server)
            // The signup's, the proof's and this one.
            #expect(try await server.repeats { server.messages.mailedCodes("a@example.org").count == 3 })
            let (mails, texts) = (server.messages.allMails.count, server.messages.allTexts.count)
            for contact in [#""email":"b@example.org""#, #""phone":"+905550000000""#] {
                let unknown = try await Self.forget(contact, on: server)
                #expect(unknown.status == known.status && unknown.body == known.body)
                #expect(
                    Set(unknown.headers.map(\.name)) == Set(known.headers.map(\.name)), "\(unknown.headers)")
                let refused = try await Self.reset(contact, "123456", on: server)
                let wrong = try await Self.reset(Self.email, "x23456", on: server)
                #expect(refused.status == 401 && refused.code == "bad-code" && wrong.status == 422)
            }
            // As often as the owner's own: a rate tells nothing either.
            for _ in 0..<2 { #expect(try await Self.forget(#""email":"b@example.org""#, on: server).status == 202) }
            #expect(try await Self.forget(#""email":"b@example.org""#, on: server).status == 429)
            #expect(server.messages.allMails.count == mails && server.messages.allTexts.count == texts)
            for body in ["{}", #"{\#(Self.email),"phone":"\#(Self.phone)"}"#, #"{"email":null}"#] {
                #expect(try await server.send(.POST, "/auth/password/forgot", body).status == 422)
            }
        }
    }

    @Test func fiveTriesAndHalfAnHourAreAll() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            try await server.prove("a@example.org", token: token)
            _ = try await Self.forget(Self.email, on: server)
            let first = try await Self.mailed(server)
            for _ in 0..<5 {
                #expect(try await Self.reset(Self.email, Self.other(than: first), on: server).status == 401)
            }
            #expect(try await Self.reset(Self.email, first, on: server).status == 401, "after five tries")
            _ = try await Self.forget(Self.email, on: server)
            let second = try await Self.mailed(server, after: 1)
            server.clock.advance(seconds: 1_800)
            #expect(try await Self.reset(Self.email, second, on: server).status == 401, "after half an hour")
            #expect(try await Self.logIn("correct horse", on: server) == 200)
        }
    }

    /// Whoever asks elsewhere neither replaces the owner's code nor uses it up.
    @Test func strangersAreInNobodysWay() async throws {
        try await RunningServer.run(change: { $0.isBehindProxy = true }) { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            try await server.prove("a@example.org", token: token)
            let home = [("X-Forwarded-For", "203.0.113.1")]
            _ = try await Self.forget(Self.email, on: server, headers: home)
            let code = try await Self.mailed(server)
            for number in 0..<8 {
                let elsewhere = [("X-Forwarded-For", "198.51.100.\(number)")]
                _ = try await Self.forget(Self.email, on: server, headers: elsewhere)
                let wrong = Self.other(than: code)
                #expect(try await Self.reset(Self.email, wrong, on: server, headers: elsewhere).status == 401)
            }
            #expect(try await Self.reset(Self.email, code, on: server, headers: home).status == 204)
        }
    }

    /// Who signs up with somebody's address loses the account to that somebody, who reads its mail; an address that
    /// the owner of a phone mistyped opens nothing to a stranger.
    @Test func anAddressThatNobodyProvedOpensOnlyWhatHasNoOtherName() async throws {
        try await RunningServer.run { server async throws in
            let squatter = try await server.newAccount("a@example.org").access_token
            _ = try await Self.forget(Self.email, on: server)
            let code = try await Self.mailed(server)
            #expect(try await Self.reset(Self.email, code, on: server).status == 204)
            #expect(try await server.send(.GET, "/auth/me", token: squatter).status == 401)
            let fresh: Tokens = try await server.send(
                .POST, "/auth/login", #"{"email":"a@example.org","password":"battery staple"}"#
            ).decoded()
            let me = try await server.send(.GET, "/auth/me", token: fresh.access_token)
            #expect(me.text.contains(#""email_verified":true"#), "the code came by mail")

            let careless = try await server.newAccount("mistyped@example.org").access_token
            let proof = #""phone":"\#(Self.phone)","code":"\#(try await server.code(for: Self.phone))""#
            let added = try await server.send(
                .PUT, "/auth/me/phone", token: careless, #"{\#(proof),"current_password":"correct horse"}"#)
            #expect(added.status == 200)
            #expect(try await server.repeats { !server.messages.mailedCodes("mistyped@example.org").isEmpty })
            let contact = #""email":"mistyped@example.org""#
            #expect(try await Self.forget(contact, on: server).status == 202)
            for code in server.messages.mailedCodes("mistyped@example.org") {
                #expect(try await Self.reset(contact, code, on: server).status == 401)
            }
            #expect(try await server.send(.GET, "/auth/me", token: careless).status == 200)
        }
    }

    /// The codes go through a real gammu-smsd with its dummy phone: one for the account, one for its new password.
    @Test(.enabled(if: GammuDaemon.isInstalled, "gammu-smsd is not installed"))
    func gammuDaemonBringsTheCode() async throws {
        let daemon = try GammuDaemon()
        let outbox = daemon.outbox
        try await RunningServer.run(change: { $0.sms = .gammu(outbox: outbox) }) { server async throws in
            func code() async throws -> String {
                let lines = try await daemon.nextSent()
                #expect(lines.found.contains(#"to "\#(Self.phone)""#))
                return String(lines.found.firstMatch(of: /code is (\d{6})/)?.1 ?? "")
            }
            let contact = #""phone":"\#(Self.phone)""#
            #expect(try await server.send(.POST, "/auth/sms/request", "{\(contact)}").status == 202)
            let first = #"{\#(contact),"code":"\#(try await code())"}"#
            #expect(try await server.send(.POST, "/auth/sms/verify", first).status == 200)
            #expect(try await Self.forget(contact, on: server).status == 202)
            #expect(try await Self.reset(contact, try await code(), on: server).status == 204)
            #expect(try await daemon.nextSent().found.contains("was set anew"), "the owner is told")
        }
        try await daemon.end()
    }

    /// The code and the notice go through a real mail server.
    @Test(.enabled("no aiosmtpd") { try await MailServer.isInstalled() })
    func aRealMailServerBringsTheCode() async throws {
        let mail = try await MailServer(withTLS: false)
        let settings = try mail.settings()
        try await RunningServer.run(change: { $0.mail = settings }) { server async throws in
            let body = #"{"email":"a@example.org","password":"correct horse"}"#
            #expect(try await server.send(.POST, "/auth/signup", body).status == 201)
            #expect(try await mail.message().subject == "Your tour-chat code")
            let turkish = [("Accept-Language", "tr")]
            #expect(try await Self.forget(Self.email, on: server, headers: turkish).status == 202)
            let got = try await mail.message()
            #expect(got.to == ["a@example.org"] && got.subject == "Yeni tour-chat şifresi")
            let code = String(got.text.firstMatch(of: /\d{6}/)?.0 ?? "")
            #expect(try await Self.reset(Self.email, code, on: server, headers: turkish).status == 204)
            let notice = try await mail.message()
            #expect(notice.text.hasPrefix("tour-chat şifreniz bir kodla yenilendi ve bütün oturumlar kapatıldı.\r\n"))
        }
        try await mail.end()
    }
}
