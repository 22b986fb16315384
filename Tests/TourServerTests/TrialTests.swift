import Foundation
import ServerAccounts
import ServerRequests
import Testing
import TourServer

/// Goal: an operator who tries out mail or text messages hears how far they come, and what to do.
/// Method: real mail servers of each manner; the built program as an operator runs it.
struct TrialTests {
    private static func steps(_ trial: MailTrial) -> [String] {
        trial.steps.map { ($0.done ? "" : "not ") + $0.step.rawValue }
    }

    private static let all = ["connection", "hello", "encryption", "login", "sender", "recipient", "content"]

    @Test(
        .enabled("no aiosmtpd") { try await MailServer.isInstalled() },
        arguments: [MailServer.Manner.well, .loginOnly, .refusesLocalhost])
    func aMailThatIsTakenHasGoneAllTheWay(manner: MailServer.Manner) async throws {
        let server = try await MailServer(withTLS: true, manner: manner)
        let trial = try await MailTrial.run(try server.settings(), to: "a@example.org")
        #expect(trial.sent && trial.advice == nil && Self.steps(trial) == Self.all)
        #expect(try await server.message().to == ["a@example.org"])
        try await server.end()
    }

    @Test(.enabled("no aiosmtpd") { try await MailServer.isInstalled() })
    func whatFailsIsNamedWithWhatToDo() async throws {
        let server = try await MailServer(withTLS: true)
        let good = try server.settings()
        var settings = good
        settings.password = "wrong"
        var trial = try await MailTrial.run(settings, to: "a@example.org")
        #expect(Self.steps(trial) == ["connection", "hello", "encryption", "not login"])
        #expect(trial.steps.last?.words.hasPrefix("535") == true && trial.advice?.contains("smtp-password") == true)
        settings = good
        settings.authorities = nil
        trial = try await MailTrial.run(settings, to: "a@example.org")
        #expect(Self.steps(trial) == ["connection", "hello", "not encryption"])
        #expect(trial.advice?.contains("smtp-authorities") == true)
        try await server.end()
        trial = try await MailTrial.run(settings, to: "a@example.org")
        #expect(Self.steps(trial) == ["not connection"] && trial.advice?.contains("port") == true)

        let picky = try await MailServer(withTLS: false, manner: .knowsNobody)
        settings = try picky.settings()
        trial = try await MailTrial.run(settings, to: "a@example.org")
        #expect(Self.steps(trial) == ["connection", "hello", "sender", "not recipient"])
        #expect(trial.steps.last?.words.hasPrefix("550") == true)
        let plain = SMTPSettings(host: "localhost", port: picky.port, security: .startTLS, from: settings.from)
        trial = try await MailTrial.run(plain, to: "a@example.org")
        #expect(Self.steps(trial).last == "not encryption" && trial.advice?.contains("smtps://") == true)
        try await picky.end()
    }

    private static func run(_ words: String...) async throws -> (text: String, status: Int32) {
        let process = try ChildProcess(ServerProgram.path, words, readsErrors: true)
        var lines = [String]()
        while let line = try? await process.line(where: { _ in true }) { lines.append(line) }
        return (lines.joined(separator: "\n"), try await process.wait())
    }

    @Test(
        .enabled(if: ServerProgram.isBuilt, "tour-server is not built"),
        .enabled("no aiosmtpd") { try await MailServer.isInstalled() })
    func theProgramTriesBothByTheFile() async throws {
        let place = RunningServer.temporaryDirectory()
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let server = try await MailServer(withTLS: false)
        let path = place + "/f.toml"
        let file = """
            listen = "127.0.0.1:0"
            data-dir = "\(place)/none"
            smtp = "smtp://localhost:\(server.port)"
            mail-from = "Tours <tours@example.org>"
            sms = "gammu"
            gammu-outbox = "\(place)"
            """
        try Data(file.utf8).write(to: URL(fileURLWithPath: path))
        let mail = try await Self.run("mail", "test", "a@example.org", "--config", path)
        #expect(mail.status == 0 && mail.text.contains("ok   content: 250 taken"), "\(mail.text)")
        #expect(try await server.message().source == "Tours <tours@example.org>")
        try await server.end()
        let failed = try await Self.run("mail", "test", "a@example.org", "--config", path, "--json")
        #expect(failed.status == 1 && failed.text.contains(#""sent":false"#), "\(failed.text)")
        let text = try await Self.run("sms", "test", "+905551112233", "--config", path, "--json")
        #expect(text.status == 0 && text.text.contains(#""sent":true"#), "\(text.text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).contains { $0.hasPrefix("OUTA_") })
        let none = try await Self.run("mail", "test", "a@example.org")
        #expect(none.status == 1 && none.text.contains("smtp"), "\(none.text)")
    }
}
