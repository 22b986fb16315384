import ArgumentParser
import TourAPI
import TourModel
import TourWords

/// `account …`: the account at the server.
struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: Phrase("See and change the account at the server."),
        discussion: Phrase(
            """
            Shows the e-mail address, the phone, the second factor and the sessions of the account that is logged in \
            ('tour-chat login'). A change asks for the password of an account that has one, and for a code of the \
            authenticator app where a login takes one; scripts give them by --password-file and --second-factor. A \
            code that is sent is asked for, or given by --code; with --json and without --code it is only sent.

            EXAMPLES
              tour-chat account
              tour-chat account phone +905321234567
              tour-chat account email guide@tours.example
              tour-chat account password
              tour-chat account end 3fa2c1
              tour-chat account end --others
              tour-chat account totp on
              tour-chat account totp codes
              tour-chat account totp off
              tour-chat account export account.tar
            """),
        subcommands: [
            AccountShow.self, AccountEmail.self, AccountPhone.self, AccountPassword.self, AccountEnd.self,
            AccountTOTP.self, AccountExport.self, AccountOrganisation.self,
        ],
        defaultSubcommand: AccountShow.self)

    /// The address of the account in the local API, or of a part of it.
    static func path(_ parts: String...) -> String { LocalPath.make(["mailbox", "account"] + parts) }
}

/// `account show`
struct AccountShow: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: Phrase("Show the account and its sessions."))

    @OptionGroup var global: GlobalOptions

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.GET, AccountCommand.path())
        guard let account: AccountOverview = try output.forPeople(answer) else { return }
        var table = Table()
        table.add([.init(Phrase("Server")), .init(account.server)])
        table.add([.init(Phrase("E-mail")), .init(Self.email(of: account))])
        table.add([.init(Phrase("Phone")), account.phone.map { .init($0) } ?? .init(Phrase("none"))])
        table.add([.init(Phrase("Your role")), .init(account.role)])
        table.add([.init(Phrase("Second factor")), .init(Self.secondFactor(of: account.secondFactor))])
        try output.table(table)
        try output.text(.empty)
        let head = [Phrase("SESSION"), Phrase("DEVICE"), Phrase("NETWORK"), Phrase("SINCE"), Phrase("LAST USED")]
        try output.table(account.sessions, head) { session in
            [
                .init(String(session.id.prefix(AccountEnd.digitsShown)), .dim),
                session.current ? .init(Phrase("this device")) : .init(session.device ?? "?"),
                .init(session.network ?? "?"), .moment(session.since), .moment(session.lastUsed),
            ]
        }
    }

    private static func email(of account: AccountOverview) -> Phrase {
        guard let email = account.email else { return Phrase("none") }
        return account.emailProven
            ? Phrase(verbatim: email) : Phrase("\(email) (not proven: 'tour-chat account email \(email)')")
    }

    private static func secondFactor(of factor: AccountOverview.SecondFactor) -> Phrase {
        if factor.on {
            let left = factor.recoveryCodesLeft
            return Phrase(left, one: "on; \(left) recovery code is left", other: "on; \(left) recovery codes are left")
        }
        return factor.required
            ? Phrase("off, and your role here wants one: 'tour-chat account totp on'") : Phrase("off")
    }
}

/// `account end`
struct AccountEnd: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: Phrase("End a session, or all others."))

    /// As many digits of a session's id as a table shows.
    static let digitsShown = 8

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("The session's first digits."), valueName: "session"))
    var session: String?
    @Flag(help: ArgumentHelp(Phrase("All but this device's own.")))
    var others = false

    func validate() throws {
        guard (session != nil) != others else { throw ValidationError(Phrase("Name a session, or give --others.")) }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        guard let session else {
            let answer = try await client.call(.DELETE, AccountCommand.path("sessions"))
            return try output.done(answer, Phrase("All other sessions have ended."))
        }
        let account: AccountOverview = try await client.ask(.GET, AccountCommand.path())
        let ids = account.sessions.map(\.id).filter { $0.hasPrefix(session) }
        guard let id = ids.first, ids.count == 1 else {
            throw CommandFailure(
                code: ids.isEmpty ? "unknown-session" : "ambiguous",
                message: ids.isEmpty
                    ? Phrase("there is no session \(session)") : Phrase("several sessions begin with \(session)"))
        }
        let answer = try await client.call(.DELETE, AccountCommand.path("sessions", id))
        try output.done(answer, Phrase("The session has ended."))
    }
}
