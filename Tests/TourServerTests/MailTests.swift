import Foundation
import ServerAccounts
import ServerBase
import ServerRequests
import Testing

/// Goal: a mail server that stalls, cheats or takes no such address costs nobody more than the mail.
/// Method: a real mail server that is made to do so.
@Suite(.enabled("no aiosmtpd") { try await MailServer.isInstalled() })
struct MailTests {
    private static func mail(
        _ server: MailServer, to address: String = "a@example.org", timeout: Duration = .seconds(300)
    ) async throws {
        try await SMTPSender(settings: try server.settings(), timeout: timeout).send(
            Mail(to: address, subject: "Kodunuz", text: "Kodunuz 123456.\r\n"))
    }

    /// The caller is told after the timeout, or as soon as it gives up.
    @Test(arguments: [MailServer.Manner.stallsBefore, .stallsBehind])
    func aServerThatStallsHoldsNobodyUp(manner: MailServer.Manner) async throws {
        let server = try await MailServer(withTLS: false, manner: manner)
        let waiting = Task { try await Self.mail(server) }
        try await server.stalls()
        waiting.cancel()
        await #expect(throws: Failure.self) { try await waiting.value }
        let failure = await #expect(throws: Failure.self) { try await Self.mail(server, timeout: .seconds(2)) }
        #expect(failure?.code == .mailFailed)
        try await server.end()
    }

    /// Anybody on the way could have said it.
    @Test func whatIsSaidBeforeTLSIsNotTaken() async throws {
        let server = try await MailServer(withTLS: true, manner: .speaksEarly)
        let failure = await #expect(throws: Failure.self) { try await Self.mail(server) }
        #expect(failure?.code == .mailFailed)
        try await server.end()
    }

    @Test func addressesBeyondASCIIGoWhereTheyAreTaken() async throws {
        let server = try await MailServer(withTLS: false, manner: .takesUTF8)
        try await Self.mail(server, to: "şükrü@example.org")
        #expect(try await server.message().to == ["şükrü@example.org"])
        try await server.end()
    }

    @Test(arguments: [MailServer.Manner.well, .hidesUTF8])
    func addressesBeyondASCIIGoNowhereElse(manner: MailServer.Manner) async throws {
        let server = try await MailServer(withTLS: false, manner: manner)
        let failure = await #expect(throws: Failure.self) { try await Self.mail(server, to: "şükrü@example.org") }
        #expect(failure?.code == .mailFailed)
        try await Self.mail(server)
        #expect(try await server.message().to == ["a@example.org"], "nothing came before it")
        try await server.end()
    }

    /// Microsoft 365 takes LOGIN alone, Google's relay closes the door to `localhost`, and either may ask for a token.
    @Test(arguments: [MailServer.Manner.loginOnly, .refusesLocalhost, .takesTokens])
    func largeProvidersTakeIt(manner: MailServer.Manner) async throws {
        let server = try await MailServer(withTLS: true, manner: manner)
        var settings = try server.settings()
        let folder = RunningServer.temporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        if manner == .takesTokens {
            (settings.password, settings.tokenFile) = (nil, folder + "/token")
            let failure = await #expect(throws: Failure.self) { try await Self.send(settings) }
            #expect(failure?.cause?.contains("smtp-token-file") == true)
            try Data("gizli\n".utf8).write(to: URL(fileURLWithPath: folder + "/token"))
        }
        try await Self.send(settings)
        let got = try await server.message()
        #expect(got.user == "tours" && got.tls && got.source == "Turlar <tours@example.org>")
        #expect(got.hello?.contains(".") == true && got.hello?.contains("localhost") == false)
        settings.hello = "tours.example.org"
        try await Self.send(settings)
        #expect(try await server.message().hello == "tours.example.org")
        try await server.end()
    }

    private static func send(_ settings: SMTPSettings) async throws {
        try await SMTPSender(settings: settings, timeout: .seconds(300)).send(
            Mail(to: "a@example.org", subject: "Kodunuz", text: "Kodunuz 123456.\r\n"))
    }

    @Test func thisMachineIsNeverLocalhost() throws {
        var settings = SMTPSettings(
            host: "localhost", port: 25, security: .none, from: try #require(MailSource("a@mail.example.org")))
        for machine in [nil, "localhost", "localhost.localdomain", "laptop", "laptop.", "a_b.example.org", ""] {
            #expect(try settings.greeting(of: machine) == "mail.example.org", "\(machine ?? "nil")")
        }
        #expect(try settings.greeting(of: "tours.example.org") == "tours.example.org")
        settings.hello = "mx.example.org"
        #expect(try settings.greeting(of: "tours.example.org") == "mx.example.org")
        settings = SMTPSettings(host: "localhost", port: 25, security: .none, from: try #require(MailSource("a@here")))
        let failure = #expect(throws: Failure.self) { try settings.greeting(of: "localhost") }
        #expect(failure?.cause?.contains("smtp-hello") == true)
    }

    @Test func sendersMayHaveNames() {
        for (written, address, name) in [
            ("a@example.org", "a@example.org", nil), (" <a@example.org> ", "a@example.org", nil),
            ("Tours <a@example.org>", "a@example.org", "Tours"),
            ("\"Tours, Ltd.\" <a@example.org>", "a@example.org", "Tours, Ltd."),
        ] as [(String, String, String?)] {
            let source = MailSource(written)
            #expect(source?.address == address && source?.name == name, "\(written)")
        }
        let long = String(repeating: "n", count: 46)
        for written in [
            "", "Tours", "Tours a@example.org", "<>", "a@example.org <", "T\r\nBcc: <a@example.org>",
            long + " <a@example.org>",
        ] {
            #expect(MailSource(written) == nil, "\(written)")
        }
    }

    @Test func addressesOfMailServersAreRead() throws {
        let from = try #require(MailSource("a@example.org"))
        for url in ["smtp://mail.example.org", "smtps://mail.example.org:4650", "smtp://localhost:25", "smtp://[::1]"] {
            #expect(SMTPSettings(url: url, from: from) != nil, "\(url)")
        }
        for url in [
            "", "mail.example.org", "http://mail.example.org", "smtp://", "smtp://a:b@c", "smtp://a/b", "smtp://a?b",
        ] {
            #expect(SMTPSettings(url: url, from: from) == nil, "\(url)")
        }
    }
}
