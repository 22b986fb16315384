import ArgumentParser
import TourServer

/// `admin account sessions`: where an account is logged in.
struct AccountSessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List and end the sessions of an account.",
        subcommands: [SessionsListCommand.self, SessionsEndCommand.self])
}

struct SessionsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the sessions of an account, those used last first.",
        discussion: """
            EXAMPLES
              tour-server admin account sessions list guide@example.org
            """)

    @OptionGroup var named: AccountArgument
    @OptionGroup var options: AdminOptions

    func run() async throws {
        try await options.run { server, output in
            let sessions = try await server.sessions(of: named.account)
            try output.show(sessions) {
                guard !sessions.isEmpty else { return printLine("It has no session.") }
                output.table(OperatorSession.headings, sessions.map(\.cells))
            }
        }
    }
}

struct SessionsEndCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End one session of an account, or all.",
        discussion: """
            EXAMPLES
              tour-server admin account sessions end guide@example.org --all
              tour-server admin account sessions end guide@example.org --session=SESSION
            """)

    @OptionGroup var named: AccountArgument
    @OptionGroup var options: AdminOptions
    @Option(help: ArgumentHelp("The id of a session, as 'list' shows it.", valueName: "session"))
    var session: String?
    @Flag(help: "All sessions of the account.")
    var all = false

    func validate() throws {
        guard (session == nil) == all else { throw ValidationError("Name one --session, or --all.") }
    }

    func run() async throws {
        try await options.run { server, output in
            let ended = try await server.endSessions(of: named.account, only: session)
            try output.show(["sessions_ended": ended]) { printLine("Sessions ended: \(ended).") }
        }
    }
}

extension OperatorSession {
    static var headings: [String] { ["SESSION", "DEVICE", "NETWORK", "LAST USED", "SINCE", "UNTIL"] }

    var cells: [String] {
        [
            id, device ?? "-", network ?? "-", AdminOutput.time(lastUsedAt), AdminOutput.time(createdAt),
            AdminOutput.time(expiresAt),
        ]
    }
}
