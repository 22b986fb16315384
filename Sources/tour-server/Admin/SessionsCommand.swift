import ArgumentParser
import ServerAccounts
import TourServer

/// `admin account sessions`: where an account is logged in.
struct AccountSessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List and end the sessions of an account.",
        subcommands: [SessionsListCommand.self, SessionsEndCommand.self])
}

struct SessionsListCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the sessions of an account, those used last first.",
        discussion: """
            EXAMPLES
              tour-server admin account sessions list guide@example.org
            """)

    @OptionGroup var named: AccountArgument
    @OptionGroup var options: AdminOptions

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let sessions = try await server.sessions(of: named.account)
        return AdminAnswer(sessions, parts: [sessions.isEmpty ? .line("It has no session.") : sessions.table])
    }
}

struct SessionsEndCommand: AdminAction {
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

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let ended = try await server.endSessions(of: named.account, only: session)
        return AdminAnswer(["sessions_ended": ended], "Sessions ended: \(ended).")
    }
}

extension [ListedSession] {
    /// A row for each session.
    var table: AdminAnswer.Part {
        let rows = map { session in
            [
                session.id, session.device ?? "-", session.network ?? "-", AdminOutput.time(session.lastUsedAt),
                AdminOutput.time(session.createdAt), AdminOutput.time(session.expiresAt),
            ]
        }
        return .table(["SESSION", "DEVICE", "NETWORK", "LAST USED", "SINCE", "UNTIL"], rows)
    }
}
