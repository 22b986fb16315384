import ArgumentParser
import Glibc
import ServerBase
import ServerStorage
import TourServer

/// `admin`: what the operator sees of accounts and tours, and does about them.
struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Accounts, tours, bans and the audit log, whether or not the server runs.",
        discussion: """
            Each command works on the data directory or database of the server. A server that runs follows with its \
            next request; bans and open streams of events follow within half a minute.

            EXAMPLES
              tour-server admin accounts --search example.org --data-dir /var/lib/tour-server
              tour-server admin account disable guide@example.org --data-dir /var/lib/tour-server
              tour-server admin tours --json --data-dir /var/lib/tour-server
              tour-server admin ban 203.0.113.0/24 --until 7d --data-dir /var/lib/tour-server
              tour-server admin audit --since 7d --data-dir /var/lib/tour-server
            """,
        subcommands: [
            AccountsCommand.self, AccountCommand.self, ToursCommand.self, InvitationsCommand.self,
            OrganisationCommand.self, BanCommand.self, UnbanCommand.self, BansCommand.self, AuditCommand.self,
            SMSCommand.self, PageCommand.self,
        ])
}

/// The options of every command of `admin`.
struct AdminOptions: ParsableArguments {
    @OptionGroup var place: PlaceOptions
    @Flag(help: "Print JSON, errors too.")
    var json = false

    /// Runs a command on the server's data, which must be there, and shows its answer.
    /// - Throws: `ExitCode` once an error is printed; else what `act` throws.
    func run(_ act: (ServerOperator) async throws -> AdminAnswer) async throws {
        let output = AdminOutput(json: json)
        do {
            let settings = place.settings
            // Opening creates what is missing: a mistyped directory would look like an empty server.
            guard access(settings.dataDirectory, F_OK) == 0 else {
                throw Failure(
                    .unavailable, cause: "there is no data directory \(settings.dataDirectory): name it by --data-dir")
            }
            if settings.database == nil, access(settings.dataDirectory + "/server.sqlite", F_OK) != 0 {
                throw Failure(
                    .unavailable,
                    cause: "there is no database in \(settings.dataDirectory): name it by --data-dir or --database")
            }
            let door = try place.door
            try output.show(try await act(ServerOperator(door, user: SystemUser.name)))
            try await door.storage.close()
        } catch let refusal as DeletionConsent.Missing {
            try output.fail(code: "confirmation-needed", refusal.message)
        } catch let failure as Failure where json {
            try output.fail(code: failure.code.rawValue, "\(failure)")
        }
    }
}

/// A command of `admin`: it asks for or changes one thing, and shows one answer.
protocol AdminAction: AsyncParsableCommand {
    var options: AdminOptions { get }
    func answer(_ server: ServerOperator) async throws -> AdminAnswer
}

extension AdminAction {
    func run() async throws { try await options.run(answer) }
}

/// How many rows a list has.
struct LimitOption: ParsableArguments {
    @Option(help: ArgumentHelp("Rows at most, 1 to \(ServerLimits.operatorRowsMax).", valueName: "count"))
    var limit = ServerLimits.operatorRows

    func validate() throws {
        guard (1...ServerLimits.operatorRowsMax).contains(limit) else {
            throw ValidationError("--limit wants 1 to \(ServerLimits.operatorRowsMax).")
        }
    }
}

/// The account that a command is about.
struct AccountArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("Its number, e-mail address or phone number.", valueName: "id|email|phone"))
    var account: String
}
