import ArgumentParser
import ServerBase
import TourServer

/// `admin account create`.
struct AccountCreateCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make an account, whoever else may make one.",
        discussion: """
            You vouch that the address or number is its owner's. An account with an address gets a password, which is \
            printed once; one with a phone logs in by a code that is sent to it.

            EXAMPLES
              tour-server admin account create guide@example.org
              tour-server admin account create +905321234567
            """)

    @Argument(help: ArgumentHelp("Its e-mail address or phone number.", valueName: "email|phone"))
    var contact: String
    @OptionGroup var options: AdminOptions

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let made = try await server.makeAccount(contact)
        let way =
            made.password.map { "Its password is \($0) until its owner sets another one: nothing shows it again." }
            ?? "Its owner: tour-chat login --server URL --phone \(made.account.phone ?? contact)"
        return AdminAnswer(made, "\(made.account.title) is made.", way)
    }
}

/// `admin account invite`.
struct AccountInviteCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Print a code by which one person makes an account.",
        discussion: """
            For 'serve --registration invited'. The code is good once: give it to one person, who enters it in an app \
            that asks for it. For guides who use tour-chat make the account yourself: 'admin account create'.

            EXAMPLES
              tour-server admin account invite --days 3
            """)

    @Option(
        help: ArgumentHelp(
            """
            For how many days it is good, \(ServerLimits.accountInvitationDays.lowerBound) to \
            \(ServerLimits.accountInvitationDays.upperBound).
            """, valueName: "days"))
    var days = ServerLimits.accountInvitationDaysUsual
    @OptionGroup var options: AdminOptions

    func validate() throws {
        let range = ServerLimits.accountInvitationDays
        guard range.contains(days) else {
            throw ValidationError("--days wants \(range.lowerBound) to \(range.upperBound).")
        }
    }

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let invitation = try await server.inviteAccount(days: days)
        return AdminAnswer(
            invitation, "The code \(invitation.code) makes one account until \(AdminOutput.time(invitation.expiresAt))."
        )
    }
}
