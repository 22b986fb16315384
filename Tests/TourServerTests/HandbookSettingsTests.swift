import Foundation
import ServerAccounts
import ServerBase
import ServerRequests
import Testing
import TourModel

/// Goal: the settings file of the handbook is good as it stands, and sends mail by the servers of large providers.
/// Method: the block of the chapter, read by the built program and by this one; stand-ins that behave as Microsoft 365
/// and as Google's relay.
struct HandbookSettingsTests {
    private static func example() throws -> String {
        let chapter = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Documentation/server.md")
        let text = try String(contentsOf: chapter, encoding: .utf8)
        let block = try #require(text.firstMatch(of: /```toml\n# \/etc\/tour-server\.toml\n((?s).*?)```/))
        return String(block.1)
    }

    /// The values of the example by their keys.
    private static func values() throws -> [String: String] {
        let text = try SettingsText(Array(example().utf8))
        #expect(text.strays.isEmpty)
        return text.entries.reduce(into: [:]) { $0[$1.key] = $1.value }
    }

    @Test(
        .enabled("no aiosmtpd") { try await MailServer.isInstalled() },
        arguments: [MailServer.Manner.loginOnly, .refusesLocalhost])
    func itsMailGoesOut(manner: MailServer.Manner) async throws {
        let values = try Self.values()
        let from = try #require(MailSource(values["mail-from"] ?? ""))
        let named = try #require(SMTPSettings(url: values["smtp"] ?? "", from: from))
        #expect(named.security == .startTLS && named.port == 587)
        let (user, password) = (try #require(values["smtp-user"]), try #require(values["smtp-password"]))
        let server = try await MailServer(withTLS: true, manner: manner, user: user, password: password)
        // The stand-in is here, and nothing else differs.
        var settings = SMTPSettings(host: "localhost", port: server.port, security: named.security, from: from)
        (settings.user, settings.password, settings.authorities) = (user, password, server.certificate)
        settings.hello = values["smtp-hello"]
        try await SMTPSender(settings: settings, timeout: .seconds(300)).send(
            Mail(to: "a@example.org", subject: "Code", text: "123456\r\n"))
        let got = try await server.message()
        #expect(got.from == from.address && got.source == values["mail-from"])
        #expect(got.user == user && got.tls && got.hello == values["smtp-hello"])
        try await server.end()
    }

    private static func check(
        _ text: String, environment: [String: String] = [:]
    ) async throws -> (text: String, status: Int32) {
        let place = RunningServer.temporaryDirectory()
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let path = place + "/f.toml"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let process = try ChildProcess(
            ServerProgram.path, ["config", "check", path], environment: environment, readsErrors: true)
        var lines = [String]()
        while let line = try? await process.line(where: { _ in true }) { lines.append(line) }
        return (lines.joined(separator: "\n"), try await process.wait())
    }

    @Test(.enabled(if: ServerProgram.isBuilt, "tour-server is not built"))
    func itIsGoodAsItStands() async throws {
        let checked = try await Self.check(try Self.example())
        #expect(checked.status == 0 && checked.text.contains("is good"), "\(checked.text)")
    }

    @Test(.enabled(if: ServerProgram.isBuilt, "tour-server is not built"))
    func aLoginOfTheEnvironmentAloneIsNoError() async throws {
        let login = ["SMTP_USER": "a", "SMTP_PASSWORD": "x"]
        let checked = try await Self.check("listen = \"127.0.0.1:0\"", environment: login)
        #expect(checked.status == 0 && checked.text.contains("is good"), "\(checked.text)")
        let told = checked.text.split(separator: "\n").filter { $0.contains("SMTP_USER and SMTP_PASSWORD") }
        #expect(told.count == 1, "\(checked.text)")
    }

    /// The program names what is missing by the keys of the file, with a line.
    @Test(
        .enabled(if: ServerProgram.isBuilt, "tour-server is not built"),
        arguments: [
            ("sms = \"twilio\"", ["twilio-account-sid", "twilio-auth-token", "twilio-from", "--sms (line 1)"]),
            ("sms = \"twilio\"\ntwilio-from = \"+15005550006\"", ["twilio-account-sid", "--sms (line 1)"]),
            ("smtp-password = \"x\"", ["without --smtp", "smtp-password (line 1)"]),
            ("mail-from = \"a@example.org\"", ["without --smtp", "--mail-from (line 1)"]),
            ("smtp = \"smtp://localhost\"", ["--mail-from wants"]),
            ("smtp = \"localhost\"\nmail-from = \"a@example.org\"", ["--smtp wants", "--smtp (line 1)"]),
            ("smtp = \"smtp://a\"\nmail-from = \"Tours\"", ["--mail-from (line 2)"]),
            (
                "smtp = \"smtp://a\"\nmail-from = \"a@example.org\"\nsmtp-user = \"a\"",
                ["smtp-password", "smtp-token-file", "smtp-user (line 3)"]
            ),
            (
                "smtp = \"smtp://a\"\nmail-from = \"a@example.org\"\nsmtp-hello = \"localhost\"",
                ["--smtp-hello (line 3)"]
            ),
        ])
    func whatIsMissingIsNamedAsInTheFile(text: String, told: [String]) async throws {
        let checked = try await Self.check(text)
        #expect(checked.status != 0)
        for words in told { #expect(checked.text.contains(words), "\(checked.text)") }
    }
}
