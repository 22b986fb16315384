import ArgumentParser
import TourAPI
import TourCode
import TourJSON
import TourWords

/// `account totp …`: the second factor.
struct AccountTOTP: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "totp",
        abstract: Phrase("Have a login take a code of an authenticator app, too."),
        subcommands: [AccountTOTPOn.self, AccountTOTPOff.self, AccountTOTPCodes.self])

    /// Shows recovery codes, for this once.
    /// - Parameter words: what is said before, to people.
    static func show(_ answer: JSON, _ output: Output, after words: Phrase? = nil) throws {
        guard let codes: RecoveryCodes = try output.forPeople(answer) else { return }
        if let words { try output.text(words) }
        try output.text(
            Phrase("Recovery codes, each good once in place of the app. They are shown only now: write them down."))
        for code in codes.recoveryCodes { try output.text(Phrase(verbatim: "  " + output.foreign(code, .bold))) }
    }
}

/// `account totp on`
struct AccountTOTPOn: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: Phrase("Turn it on: shows a QR code for the app, and then recovery codes."))

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp(Phrase("A file with the password."), valueName: "file"), completion: .file())
    var passwordFile: String?
    @Option(help: ArgumentHelp(Phrase("The code that the app shows, for what an earlier call began.")))
    var code: String?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var typed = code
        if typed == nil {
            var owner = OwnerOptions()
            owner.passwordFile = passwordFile
            let account: AccountOverview = try await client.ask(.GET, AccountCommand.path())
            let password = try owner.password(of: account).map { [JSONMember(name: "password", value: $0)] } ?? []
            let answer = try await client.call(.POST, AccountCommand.path("totp"), .object(password))
            // A script reads the code from an app of its own and calls again with it.
            guard let begun: BegunSecondFactor = try output.forPeople(answer) else { return }
            // A machine without the library for codes still has the key.
            if let code = try? QRCode(begun.uri) {
                try output.code(code) { Phrase("(The QR code needs \($0) columns; widen the terminal.)") }
            }
            let key = output.foreign(begun.secret, .bold)
            try output.text(Phrase("Scan this with an authenticator app, or type its key there: \(key)"))
            typed = try AccountQuestions.code(Phrase("The code that the app shows"), or: "--code")
        }
        let digits = (typed ?? "").filter { !$0.isWhitespace }
        let answer = try await client.call(
            .POST, AccountCommand.path("totp", "confirm"), ["code": .text(digits)])
        try AccountTOTP.show(answer, output, after: Phrase("From now on a login takes a code of the app."))
    }
}

/// `account totp off`
struct AccountTOTPOff: OnlineCommand {
    static let configuration = CommandConfiguration(commandName: "off", abstract: Phrase("Turn it off."))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var owner: OwnerOptions

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await owner.post(AccountCommand.path("totp", "remove"), client)
        try output.done(answer, Phrase("A login takes no code of the app any more."))
    }
}

/// `account totp codes`
struct AccountTOTPCodes: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "codes", abstract: Phrase("Make new recovery codes; the older ones are void."))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var owner: OwnerOptions

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try AccountTOTP.show(try await owner.post(AccountCommand.path("totp", "codes"), client), output)
    }
}
