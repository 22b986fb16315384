import Foundation
import Glibc
import Logging
import NIOHTTP1
import ServerAccounts
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourServer

/// Goal: what others give to an e-mail address goes to whoever reads its mail, and to nobody else.
/// Method: a whole server that writes mail to its log; a real mail server, with and without TLS.
struct EmailProofTests {
    private static func verify(_ code: String, _ token: String, on server: RunningServer) async throws -> Reply {
        try await server.send(.POST, "/auth/email/verify", token: token, #"{"code":"\#(code)"}"#)
    }

    private static func other(than code: String) -> String { code == "000000" ? "111111" : "000000" }

    /// Asked for after the one that the signup sends, so that it is the one that counts.
    private static func code(_ email: String, _ token: String, on server: RunningServer) async throws -> String {
        #expect(try await server.repeats { !server.messages.mailedCodes(email).isEmpty })
        #expect(try await server.send(.POST, "/auth/email/request", token: token).status == 202)
        return server.messages.mailedCodes(email).last ?? ""
    }

    @Test func aCodeThatComesBackProvesTheAddress() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            let before = try await server.send(.GET, "/auth/me", token: token)
            #expect(before.text.contains(#""email_verified":false"#))
            let code = try await Self.code("a@example.org", token, on: server)
            #expect(try await Self.verify(Self.other(than: code), token, on: server).code == "bad-code")
            let stranger = try await server.newAccount("b@example.org").access_token
            #expect(try await Self.verify(code, stranger, on: server).status == 401, "one account's")
            let proven = try await Self.verify(code, token, on: server)
            #expect(proven.status == 200 && proven.text.contains(#""email_verified":true"#))
            #expect(try await Self.verify(code, token, on: server).status == 401, "once")
            #expect(try await server.send(.POST, "/auth/email/request", token: token).status == 204)
        }
    }

    @Test func fiveTriesAndHalfAnHourAreAll() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            let first = try await Self.code("a@example.org", token, on: server)
            for _ in 0..<5 {
                #expect(try await Self.verify(Self.other(than: first), token, on: server).status == 401)
            }
            #expect(try await Self.verify(first, token, on: server).status == 401)
            let second = try await Self.code("a@example.org", token, on: server)
            server.clock.advance(seconds: 1_800)
            let fresh: Tokens = try await server.send(
                .POST, "/auth/login", #"{"email":"a@example.org","password":"correct horse"}"#
            ).decoded()
            #expect(try await Self.verify(second, fresh.access_token, on: server).status == 401)
        }
    }

    /// A guest's signup whose body comes late finds that the account has an address by now, and leaves it.
    @Test func aSignupThatWasHeldReplacesNoAddress() async throws {
        try await RunningServer.run { server async throws in
            let guest: Tokens = try await server.send(.POST, "/auth/anonymous").decoded()
            let token = guest.access_token
            let late = #"{"email":"b@example.org","password":"correct horse"}"#
            let client = try await RawClient(server.port)
            try client.write(
                "POST /auth/signup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Authorization: Bearer \(token)\r\nContent-Length: \(late.utf8.count)\r\n\r\n")
            #expect(
                try await server.repeats {
                    try await server.send(.GET, "/metrics").text.contains("tour_server_requests_under_way 2\n")
                })
            let own = #"{"email":"a@example.org","password":"correct horse"}"#
            #expect(try await server.send(.POST, "/auth/signup", token: token, own).status == 201)
            try await server.prove("a@example.org", token: token)
            try client.write(late)
            _ = await client.read(until: "\r\n\r\n")
            let me = try await server.send(.GET, "/auth/me", token: token).text
            #expect(me.contains(#""email":"a@example.org""#) && me.contains(#""email_verified":true"#))
            client.close()
        }
    }

    /// Whoever signs up first with somebody's address gets nothing that is meant for that somebody.
    @Test func anUnprovenAddressGetsNoRank() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            let door = try OpenedServer(settings: .data(in: server.directory))
            let failure = await #expect(throws: Failure.self) { try await door.setRole(.guide, of: "a@example.org") }
            #expect(failure?.code == .emailNotProven)
            let admin = try await server.newAccount("admin@example.org").access_token
            try await door.setRole(.admin, of: "admin@example.org", vouches: true)
            let refused = try await server.send(.PUT, "/accounts/1/role", token: admin, #"{"role":"guide"}"#)
            #expect(refused.status == 409 && refused.code == "email-not-proven")
            try await server.prove("a@example.org", token: token)
            #expect(try await server.send(.PUT, "/accounts/1/role", token: admin, #"{"role":"guide"}"#).status == 200)
            try await door.setRole(.user, of: "a@example.org")
            try await door.storage.close()
        }
    }

    /// A phone of one's own makes somebody else's address no better.
    @Test func anUnprovenAddressBesideAPhoneGetsNoRank() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            let (phone, code) = ("+905551112233", try await server.code(for: "+905551112233"))
            let body = #"{"phone":"\#(phone)","code":"\#(code)","current_password":"correct horse"}"#
            #expect(try await server.send(.PUT, "/auth/me/phone", token: token, body).status == 200)
            let door = try OpenedServer(settings: .data(in: server.directory))
            let failure = await #expect(throws: Failure.self) { try await door.setRole(.guide, of: "a@example.org") }
            #expect(failure?.code == .emailNotProven)
            try await door.setRole(.guide, of: phone)
            try await door.storage.close()
            let made = await #expect(throws: Failure.self) {
                _ = try await server.asOperator { try await $0.addOrganisation("Tours", admin: "a@example.org") }
            }
            #expect(made?.code == .emailNotProven)
        }
    }

    @Test func oneAddressIsNotFlooded() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            var statuses = [Int]()
            for _ in 0..<6 {
                statuses.append(try await server.send(.POST, "/auth/email/request", token: token).status)
            }
            #expect(statuses.filter { $0 == 202 }.count <= 3 && statuses.last == 429)
        }
    }

    @Test func strangersKeepNoCodeFromTheOwner() async throws {
        try await RunningServer.run { server async throws in
            let owner = try await server.newAccount("a@example.org").access_token
            let stranger = try await server.newAccount("b@example.org").access_token
            var last = 202
            for _ in 0..<4 {
                let wanted = #"{"email":"a@example.org"}"#
                last = try await server.send(.POST, "/auth/me/email", token: stranger, wanted).status
            }
            #expect(last == 429, "strangers have three, with that of the signup")
            #expect(try await server.send(.POST, "/auth/email/request", token: owner).status == 202)
            // An address that no account has is one for strangers.
            let other = #"{"email":"c@example.org"}"#
            for expected in [202, 202, 202, 429] {
                let reply = try await server.send(.POST, "/auth/me/email", token: owner, other)
                #expect(reply.status == expected)
            }
        }
    }

    private static func mail(_ settings: SMTPSettings, to address: String = "a@example.org") async throws {
        try await SMTPSender(settings: settings, timeout: .seconds(300)).send(
            Mail(to: address, subject: "Kodunuz: ğüşıöç", text: "Kodunuz 123456.\r\n.\r\nİyi yolculuklar\r\n"))
    }

    @Test(.enabled("no aiosmtpd") { try await MailServer.isInstalled() }, arguments: [false, true])
    func aRealMailServerTakesIt(withTLS: Bool) async throws {
        let server = try await MailServer(withTLS: withTLS)
        let settings = try server.settings()
        try await Self.mail(settings)
        let got = try await server.message()
        #expect(got.from == "tours@example.org" && got.to == ["a@example.org"])
        #expect(got.subject == "Kodunuz: ğüşıöç" && got.text == "Kodunuz 123456.\r\n.\r\nİyi yolculuklar\r\n")
        #expect(got.tls == withTLS && got.user == (withTLS ? "tours" : nil))
        if withTLS {
            // Nobody whom the authorities do not know, and nobody without TLS, gets a password or an address.
            for (security, authorities, password) in [
                (SMTPSettings.Security.startTLS, nil, "gizli"), (.implicitTLS, server.certificate, "gizli"),
                (.startTLS, server.certificate, "wrong"),
            ] {
                var changed = SMTPSettings(
                    host: "localhost", port: server.port, security: security, from: settings.from)
                (changed.user, changed.password, changed.authorities) = ("tours", password, authorities)
                let wrong = changed
                let failure = await #expect(throws: Failure.self) { try await Self.mail(wrong) }
                #expect(failure?.code == .mailFailed)
            }
        } else {
            let failure = await #expect(throws: Failure.self) {
                try await Self.mail(
                    SMTPSettings(host: "localhost", port: server.port, security: .startTLS, from: settings.from))
            }
            #expect(failure?.code == .mailFailed, "a server that offers no TLS")
            await #expect(throws: Failure.self) { try await Self.mail(settings, to: "a>@example.org") }
        }
        try await server.end()
    }
}
