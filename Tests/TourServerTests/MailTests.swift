import ServerAccounts
import ServerBase
import ServerRequests
import Testing

/// Goal: a mail server that stalls, cheats or takes no such address costs nobody more than the mail.
/// Method: a real mail server that is made to do so.
@Suite(.enabled("no aiosmtpd") { try await MailServer.isInstalled() })
struct MailTests {
    private static func mail(
        _ server: MailServer, to address: String = "a@example.org", withTLS: Bool = false,
        timeout: Duration = .seconds(300)
    ) async throws {
        let settings = SMTPSender.Settings(
            host: "localhost", port: server.port, security: withTLS ? .startTLS : .none,
            user: withTLS ? "tours" : nil, password: withTLS ? "gizli" : nil, from: "tours@example.org",
            authorities: withTLS ? server.certificate : nil)
        try await SMTPSender(settings: settings, timeout: timeout).send(
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
        let failure = await #expect(throws: Failure.self) { try await Self.mail(server, withTLS: true) }
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
}
