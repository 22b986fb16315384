import ArgumentParser
import ServerRequests
import ServerStorage
import TourServer

/// `migrate`: brings the database to this version's schema, before the processes that share it start.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Bring the database to this version's form ('serve' does it too).")

    @OptionGroup var place: PlaceOptions

    func run() async throws {
        let taken = try await place.door.storage.migrate()
        printLine(taken.isEmpty ? "Nothing to do." : "Done: \(taken.joined(separator: ", "))")
    }
}

/// `copy`: moves a server from SQLite to PostgreSQL.
struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy an SQLite database into an empty PostgreSQL database.",
        discussion: "The server must not run meanwhile. The file stays; keys, blobs and files stay where they are.")

    @OptionGroup var place: PlaceOptions
    @Option(
        help: ArgumentHelp("The SQLite file (default: server.sqlite in the data directory).", valueName: "file"))
    var from: String?

    func run() async throws {
        let settings = place.settings
        let file = from ?? settings.dataDirectory + "/server.sqlite"
        let count = try await DatabaseCopy.run(from: file, to: settings)
        printLine("\(count) rows are copied from \(file).")
    }
}

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Accounts.", subcommands: [UserRoleCommand.self, UserSecondFactorCommand.self])
}

/// `user second-factor`: for an owner who has lost app and recovery codes, and whom the operator knows.
struct UserSecondFactorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "second-factor",
        abstract: "Turn an account's second factor off, for an owner who has lost the app and the recovery codes.",
        discussion: """
            EXAMPLES
              tour-server user second-factor +905551112233 off --data-dir /var/lib/tour-server
            """)

    @OptionGroup var place: PlaceOptions
    @Argument(help: ArgumentHelp("Its e-mail address or phone number.", valueName: "email|phone"))
    var account: String
    @Argument(help: ArgumentHelp("off.", valueName: "off"))
    var state: String

    func validate() throws {
        guard state == "off" else { throw ValidationError("Only its owner can turn a second factor on.") }
    }

    func run() async throws {
        try await place.door.removeSecondFactor(of: account)
        printLine("\(account) logs in without a second factor now.")
    }
}

/// `user role`: appoints the first guide and the first admin.
struct UserRoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Give an account a role: user, guide (creates tours) or admin (changes roles).")

    @OptionGroup var place: PlaceOptions
    @Argument(help: ArgumentHelp("Its e-mail address or phone number.", valueName: "email|phone"))
    var account: String
    @Argument(help: ArgumentHelp("user, guide or admin.", valueName: "role"))
    var role: String
    @Flag(help: "I know that this e-mail address is the account's: its owner need not prove it.")
    var vouch = false

    func validate() throws {
        guard AccountRole(rawValue: role) != nil else { throw ValidationError("The role is user, guide or admin.") }
    }

    func run() async throws {
        guard let role = AccountRole(rawValue: role) else { return }
        try await place.door.setRole(role, of: account, vouches: vouch)
        printLine("\(account) is \(role.rawValue) now.")
    }
}

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "The keys that sign access tokens.", subcommands: [KeysRotateCommand.self])
}

/// `keys rotate`: a running server signs its next tokens with the new key.
struct KeysRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Make a new key; tokens signed with the old one stay good until they expire.")

    @OptionGroup var place: PlaceOptions

    func run() async throws {
        let door = try place.door
        printLine(try await door.rotateKeys())
        try await door.storage.close()
    }
}
