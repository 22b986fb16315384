import ArgumentParser
import TourJSON
import TourModel
import TourWords

/// `account …`: the account at the server.
struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: Phrase("See and change the account at the server.").text,
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
            """
        ).text,
        subcommands: [
            AccountShow.self, AccountEmail.self, AccountPhone.self, AccountPassword.self, AccountEnd.self,
            AccountTOTP.self, AccountExport.self, AccountOrganisation.self,
        ],
        defaultSubcommand: AccountShow.self)

    /// The address of the account in the local API, or of a part of it.
    static func path(_ parts: String...) -> String { LocalPath.make(["mailbox", "account"] + parts) }
}

/// `account show`
struct AccountShow: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: Phrase("Show the account and its sessions.").text)

    @OptionGroup var global: GlobalOptions

    var absence: NodeAccess.Absence { .online }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let account = try await client.call(.GET, AccountCommand.path())
        if output.json { return try output.object(account) }
        var table = Table()
        table.add([.init(Phrase("Server")), .init(account.shown("server"))])
        table.add([.init(Phrase("E-mail")), .init(Self.email(of: account))])
        let phone = account["phone"]?.text.map { Phrase(verbatim: $0) }
        table.add([.init(Phrase("Phone")), .init(phone ?? Phrase("none"))])
        table.add([.init(Phrase("Your role")), .init(account.shown("role"))])
        table.add([.init(Phrase("Second factor")), .init(Self.secondFactor(of: account))])
        try output.table(table)
        var sessions = Table([
            Phrase("SESSION"), Phrase("DEVICE"), Phrase("NETWORK"), Phrase("SINCE"), Phrase("LAST USED"),
        ])
        for session in account["sessions"]?.list ?? [] {
            let isHere = session["current"]?.flag == true
            sessions.add([
                .init(String(session.shown("id").prefix(AccountEnd.digitsShown)), .dim),
                .init(isHere ? Phrase("this device") : Phrase(verbatim: session["device"]?.text ?? "?")),
                .init(session["network"]?.text ?? "?"),
                .init(Timestamp(session.shown("since"))?.dateAndTime ?? ""),
                .init(Timestamp(session.shown("lastUsed"))?.dateAndTime ?? ""),
            ])
        }
        try output.text(.empty)
        try output.table(sessions)
    }

    private static func email(of account: JSON) -> Phrase {
        guard let email = account["email"]?.text else { return Phrase("none") }
        return account["emailProven"]?.flag == true
            ? Phrase(verbatim: email) : Phrase("\(email) (not proven: 'tour-chat account email \(email)')")
    }

    private static func secondFactor(of account: JSON) -> Phrase {
        let factor = account["secondFactor"]
        if factor?["on"]?.flag == true {
            let left = factor?["recoveryCodesLeft"]?.integer ?? 0
            return Phrase(left, one: "on; \(left) recovery code is left", other: "on; \(left) recovery codes are left")
        }
        return factor?["required"]?.flag == true
            ? Phrase("off, and your role here wants one: 'tour-chat account totp on'") : Phrase("off")
    }
}

/// `account end`
struct AccountEnd: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: Phrase("End a session, or all others.").text)

    /// As many digits of a session's id as a table shows.
    static let digitsShown = 8

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("The session's first digits."), valueName: "session"))
    var session: String?
    @Flag(help: ArgumentHelp(Phrase("All but this device's own.")))
    var others = false

    var absence: NodeAccess.Absence { .online }

    func validate() throws {
        guard (session != nil) != others else { throw ValidationError(Phrase("Name a session, or give --others.")) }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        guard let session else {
            let answer = try await client.call(.DELETE, AccountCommand.path("sessions"))
            if output.json { return try output.object(answer) }
            return try output.text(Phrase("All other sessions have ended."))
        }
        let account = try await client.call(.GET, AccountCommand.path())
        let ids = (account["sessions"]?.list ?? []).map { $0.shown("id") }.filter { $0.hasPrefix(session) }
        guard let id = ids.first, ids.count == 1 else {
            throw CommandFailure(
                code: ids.isEmpty ? "unknown-session" : "ambiguous",
                message: ids.isEmpty
                    ? Phrase("there is no session \(session)") : Phrase("several sessions begin with \(session)"))
        }
        let answer = try await client.call(.DELETE, AccountCommand.path("sessions", id))
        if output.json { return try output.object(answer) }
        try output.text(Phrase("The session has ended."))
    }
}
