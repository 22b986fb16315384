import ArgumentParser
import TourAPI
import TourJSON
import TourWords

/// The code by which the account gets a contact, and its owner's proof.
struct ContactOptions: ParsableArguments {
    @OptionGroup var owner: OwnerOptions
    @Option(help: ArgumentHelp(Phrase("The code that came.")))
    var code: String?

    /// Gives the account the contact; without a code has it sent there, and asks for it.
    /// - Parameters:
    ///   - kind: `email` or `phone`.
    ///   - name: the address or number.
    func give(_ kind: String, _ name: String, _ client: LocalClient, _ output: Output) async throws {
        let path = AccountCommand.path("contact")
        let contact = JSONMember(name: kind, value: .text(name))
        let account: AccountOverview = try await client.ask(.GET, AccountCommand.path())
        var typed = code
        if typed == nil {
            let sent = try await client.call(.POST, path, .object([contact]))
            // A script obtains the code elsewhere and calls again with it.
            guard !output.json else { return try output.object(sent) }
            typed = try AccountQuestions.sentCode(to: name)
        }
        let digits = (typed ?? "").filter { !$0.isWhitespace }
        let body = [contact, JSONMember(name: "code", value: .text(digits))] + (try owner.proof(of: account))
        let answer = try await client.call(.POST, path, .object(body))
        try output.done(answer, Phrase("The account has \(output.foreign(name, .bold)) now."))
    }
}

/// `account email`
struct AccountEmail: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "email", abstract: Phrase("Give the account an e-mail address, or another one."))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var contact: ContactOptions
    @Argument(help: ArgumentHelp(Phrase("The address, which gets a code."), valueName: "address"))
    var address: String

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try await contact.give("email", address, client, output)
    }
}

/// `account phone`
struct AccountPhone: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone", abstract: Phrase("Give the account a phone, or another one."))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var contact: ContactOptions
    @Argument(help: ArgumentHelp(Phrase("A number that gets a code."), valueName: "number"))
    var number: String

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try await contact.give("phone", try AccountQuestions.phone(number, json: global.json), client, output)
    }
}

/// `account password`
struct AccountPassword: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: Phrase("Set the password, and end all other sessions."))

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp(Phrase("A file with the password."), valueName: "file"), completion: .file())
    var passwordFile: String?
    @Option(help: ArgumentHelp(Phrase("A file with the new password."), valueName: "file"), completion: .file())
    var newPasswordFile: String?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let account: AccountOverview = try await client.ask(.GET, AccountCommand.path())
        var owner = OwnerOptions()
        owner.passwordFile = passwordFile
        let old = try owner.password(of: account)
        var body = [JSONMember(name: "password", value: .text(try AccountQuestions.newPassword(newPasswordFile)))]
        if let old { body.append(JSONMember(name: "old", value: old)) }
        let answer = try await client.call(.POST, AccountCommand.path("password"), .object(body))
        try output.done(answer, Phrase("The password is set, and all other sessions have ended."))
    }
}
