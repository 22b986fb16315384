import ArgumentParser
import ServerBase
import ServerRequests
import TourServer

/// `admin accounts`: a list.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "List accounts.", subcommands: [AccountsListCommand.self],
        defaultSubcommand: AccountsListCommand.self)
}

struct AccountsListCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List accounts by their numbers.",
        discussion: """
            EXAMPLES
              tour-server admin accounts --limit 20
              tour-server admin accounts --search +90555
              tour-server admin accounts --after 50 --json
            """)

    @OptionGroup var options: AdminOptions
    @OptionGroup var rows: LimitOption
    @Option(help: ArgumentHelp("Only those with this in their address or phone, or as number.", valueName: "text"))
    var search: String?
    @Option(help: ArgumentHelp("Only those behind the account of this number.", valueName: "id"))
    var after: Int64 = 0

    func validate() throws {
        guard search.map({ $0.utf8.count <= ServerLimits.searchBytesMax }) ?? true else {
            throw ValidationError("--search wants at most \(ServerLimits.searchBytesMax) bytes.")
        }
    }

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let page = try await server.accounts(matching: search, behind: after, limit: rows.limit)
        let headings = ["ID", "E-MAIL", "PHONE", "ROLE", "STATE", "SESSIONS", "LAST USED", "SINCE"]
        return AdminAnswer(page, headings, none: "There is no such account.") { account in
            [
                String(account.id), account.email ?? "-", account.phone ?? "-", account.role.rawValue,
                account.disabledAt == nil ? "enabled" : "disabled", String(account.sessions),
                AdminOutput.time(account.lastUsedAt), AdminOutput.time(account.createdAt),
            ]
        }
    }
}
