import Foundation
import NIOHTTP1
import Testing

/// Goal: the operator's commands print what programs can read, refuse with words, and act on a server that runs.
/// Method: the built `tour-server`, as an operator runs it.
@Suite(.enabled(if: ServerProgram.isBuilt, "tour-server is not built"))
struct AdminCommandTests {
    private static func lines(
        _ arguments: [String], in directory: String
    ) async throws -> (lines: [String], status: Int32) {
        let process = try ChildProcess(
            ServerProgram.path, ["admin"] + arguments + ["--data-dir", directory], readsErrors: true)
        var lines = [String]()
        while let line = try? await process.line(where: { _ in true }) { lines.append(line) }
        return (lines, try await process.wait())
    }

    @Test func listsActsAndRefuses() async throws {
        try await RunningServer.run { server async throws in
            let email = "a@example.org"
            let token = try await server.newAccount(email).access_token
            func run(_ arguments: String...) async throws -> (lines: [String], status: Int32) {
                try await Self.lines(arguments, in: server.directory)
            }
            let listed = try await run("accounts", "--search", email)
            #expect(listed.status == 0 && listed.lines.count == 2 && listed.lines[1].contains(email))
            #expect(!listed.lines.joined().contains("\u{1B}"), "colours are for terminals")
            let json = try await run("accounts", "--json")
            #expect(json.lines.count == 1 && json.lines[0].contains(#""more":false"#))
            let disabled = try await run("account", "disable", email)
            #expect(disabled.status == 0 && disabled.lines == ["Account 1 (a@example.org) is disabled."])
            #expect(try await server.send(.GET, "/auth/me", token: token).code == "account-disabled")
            let careful = try await run("account", "delete", "1")
            #expect(careful.status == 1 && careful.lines.joined().contains("--yes"))
            let nobody = try await run("account", "show", "2", "--json")
            #expect(nobody.status == 1 && nobody.lines.joined().contains(#""code":"not-found""#))
            #expect(try await run("account", "delete", "1", "--yes").status == 0)
            let audit = try await run("audit", "--since", "1d", "--json")
            #expect(audit.status == 0 && audit.lines.joined().contains("account-deleted"))
            #expect(try await run("tours").lines == ["There is no tour."])
            #expect(try await run("sms").lines == ["None was sent."])
            // The command counts days back from now, which the server's clock of this test is not near.
            server.clock.advance(seconds: Int64(Date().timeIntervalSince1970) - server.clock.now / 1_000_000)
            _ = try await server.code(for: "+905551112233")
            let texts = try await run("sms", "--days", "35", "--json")
            #expect(texts.status == 0 && texts.lines.joined().contains(#""prefix":"+90""#))
            #expect(try await run("sms", "--days", "0").status == 64)
            #expect(try await run("bans").lines == ["Nobody is banned."])
            let banned = try await run("ban", "203.0.113.7/24", "--until", "7d", "--reason", "spam")
            #expect(banned.status == 0 && banned.lines.joined().hasPrefix("203.0.113.0/24 is banned until "))
            let bans = try await run("bans", "--json")
            #expect(bans.status == 0 && bans.lines.joined().contains(#""target":"203.0.113.0/24""#))
            let everybody = try await run("ban", "0.0.0.0/0", "--json")
            #expect(everybody.status == 1 && everybody.lines.joined().contains(#""code":"invalid-field""#))
            #expect(try await run("ban", "203.0.113.7", "--until", "soon").status == 64)
            #expect(try await run("unban", "203.0.113.0/24").lines == ["203.0.113.0/24 is banned no more."])
            #expect(try await run("accounts", "--limit", "0").status == 64)
            #expect(try await run("audit", "--since", "yesterday").status == 64)
        }
    }

    @Test(.enabled(if: !TestDatabase.isPostgres, "the directory alone names no database"))
    func aMistypedDirectoryIsNotMade() async throws {
        let directory = RunningServer.temporaryDirectory()
        let refused = try await Self.lines(["accounts"], in: directory)
        #expect(refused.status == 1 && refused.lines.joined().contains("--data-dir"))
        #expect(!FileManager.default.fileExists(atPath: directory))
    }
}
