import ArgumentParser
import Glibc
import ServerRequests
import TourServer

/// `admin account`: one account.
struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "One account: make, show, disable, enable, reset, export and delete it.",
        subcommands: [
            AccountCreateCommand.self, AccountInviteCommand.self,
            AccountShowCommand.self, AccountDisableCommand.self, AccountEnableCommand.self, AccountResetCommand.self,
            AccountExportCommand.self, AccountDeleteCommand.self, AccountSessionsCommand.self,
        ])
}

struct AccountShowCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an account, its sessions and its tours.",
        discussion: """
            EXAMPLES
              tour-server admin account show 17
              tour-server admin account show guide@example.org --json
            """)

    @OptionGroup var named: AccountArgument
    @OptionGroup var options: AdminOptions

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let details = try await server.account(named.account)
        let sessions = details.sessions.isEmpty ? [] : [.line(""), details.sessions.table]
        return AdminAnswer(details, parts: [.fields(details.fields)] + sessions)
    }
}

struct AccountDisableCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Disable an account: its sessions end, and it cannot log in.",
        discussion: """
            Its data stay. Its devices stay members of their tours, which is for the tours' guides to change.

            EXAMPLES
              tour-server admin account disable guide@example.org
            """)

    @OptionGroup var named: AccountArgument
    @OptionGroup var options: AdminOptions

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        AdminAnswer(disabled: true, try await server.setDisabled(true, named.account))
    }
}

struct AccountEnableCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Enable an account again: its owner can log in.",
        discussion: """
            EXAMPLES
              tour-server admin account enable guide@example.org
            """)

    @OptionGroup var named: AccountArgument
    @OptionGroup var options: AdminOptions

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        AdminAnswer(disabled: false, try await server.setDisabled(false, named.account))
    }
}

extension AdminAnswer {
    fileprivate init(disabled isDisabled: Bool, _ found: (account: AccountSummary, isChange: Bool)) {
        let state = isDisabled ? "disabled" : "enabled"
        self.init(found.account, "\(found.account.title) is \(state)\(found.isChange ? "" : " already").")
    }
}

struct AccountResetCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "End an account's sessions, password and second factor, and print a code for a new password.",
        discussion: """
            For an owner whom you know, and whose account somebody else may have. Give the code to its owner alone.

            EXAMPLES
              tour-server admin account reset guide@example.org
            """)

    @OptionGroup var named: AccountArgument
    @OptionGroup var options: AdminOptions

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let reset = try await server.resetAccount(named.account)
        let factor = reset.hadSecondFactor ? ", and its second factor is off" : ""
        let minutes = reset.validSeconds / 60
        let option = reset.contact.contains("@") ? "--email" : "--phone"
        return AdminAnswer(
            reset, "\(reset.account.title): sessions ended: \(reset.sessionsEnded).",
            "Its password is void\(factor).",
            "The code \(reset.code) for \(reset.contact) sets a new one within \(minutes) minutes.",
            "Its owner: tour-chat login --server URL \(option) \(reset.contact) --forgot")
    }
}

struct AccountExportCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write everything that the server has of an account into a tar archive.",
        discussion: """
            What its owner can get too: documents in JSON, pictures and files. The archive is not sealed, and \
            readable for you alone. The audit log says that you made it.

            EXAMPLES
              tour-server admin account export 17 --to account-17.tar
            """)

    @OptionGroup var named: AccountArgument
    @OptionGroup var options: AdminOptions
    @Option(help: ArgumentHelp("A file that does not exist yet.", valueName: "file"), completion: .file())
    var to: String

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let (account, missing) = try await server.exportAccount(named.account, to: to)
        for path in missing { printLine("Missing at the server itself: \(path)", to: STDERR_FILENO) }
        return AdminAnswer(account, "\(account.title) is written to \(to).")
    }
}

struct AccountDeleteCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an account with everything that the server stores of it.",
        discussion: """
            As if its owner did. Tours that it made known stay, since they belong to their members.

            EXAMPLES
              tour-server admin account delete 17         # says what would go
              tour-server admin account delete 17 --yes
            """)

    @OptionGroup var named: AccountArgument
    @OptionGroup var options: AdminOptions
    @OptionGroup var consent: DeletionConsent

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        try await consent.require {
            let details = try await server.account(named.account)
            return """
                \(details.account.title) has \(details.notebookItems) items in its notebook, \
                \(AdminOutput.size(details.fileBytes)) of files and \(details.tours.count) tours
                """
        }
        let account = try await server.deleteAccount(named.account)
        return AdminAnswer(account, "\(account.title) is deleted.")
    }
}

extension AccountSummary {
    /// `Account 17 (guide@example.org)`.
    var title: String { "Account \(id)" + ((email ?? phone).map { " (\($0))" } ?? "") }
}

extension AccountDetails {
    fileprivate var fields: [(name: String, value: String)] {
        let proof = account.isEmailProven ? "" : " (not proven)"
        return [
            ("Account", String(account.id)), ("E-mail", account.email.map { $0 + proof } ?? "-"),
            ("Phone", account.phone ?? "-"), ("Role", account.role.rawValue),
            ("State", account.disabledAt.map { "disabled since \(AdminOutput.time($0))" } ?? "enabled"),
            ("Second factor", account.hasSecondFactor.yesOrNo), ("Since", AdminOutput.time(account.createdAt)),
            ("Notebook", "\(notebookItems) items, \(AdminOutput.size(fileBytes)) of files"),
            ("Tours", tours.isEmpty ? "-" : tours.joined(separator: " ")), ("Sessions", String(account.sessions)),
        ]
    }
}
