import ArgumentParser
import TourWeb
import TourWords

/// A contact that the account is to get, by a code that is sent there.
struct ContactChange {
    /// `email` or `phone`.
    let kind: String
    /// The address or number.
    let name: String
    /// The code; nil: has it sent, and asks for it.
    let code: String?
    let owner: OwnerOptions

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let path = AccountCommand.path("contact")
        let account = try await client.call(.GET, AccountCommand.path())
        var typed = code
        if typed == nil {
            let sent = try await client.call(.POST, path, .object([member]))
            // A script obtains the code elsewhere and calls again with it.
            guard !output.json else { return try output.object(sent) }
            typed = try AccountQuestions.sentCode(to: name)
        }
        let digits = (typed ?? "").filter { !$0.isWhitespace }
        let body = [member, JSONMember(name: "code", value: .text(digits))] + (try owner.proof(of: account))
        let answer = try await client.call(.POST, path, .object(body))
        if output.json { return try output.object(answer) }
        try output.text(Phrase("The account has \(output.foreign(name, .bold)) now."))
    }

    private var member: JSONMember { JSONMember(name: kind, value: .text(name)) }
}

/// `account email`
struct AccountEmail: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "email", abstract: Phrase("Give the account an e-mail address, or another one.").text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var owner: OwnerOptions
    @Argument(help: ArgumentHelp(Phrase("The address, which gets a code."), valueName: "address"))
    var address: String
    @Option(help: ArgumentHelp(Phrase("The code that came.")))
    var code: String?

    var absence: NodeAccess.Absence { .online }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try await ContactChange(kind: "email", name: address, code: code, owner: owner).perform(client, output)
    }
}

/// `account phone`
struct AccountPhone: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone", abstract: Phrase("Give the account a phone, or another one.").text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var owner: OwnerOptions
    @Argument(help: ArgumentHelp(Phrase("A number that gets a code."), valueName: "number"))
    var number: String
    @Option(help: ArgumentHelp(Phrase("The code that came.")))
    var code: String?

    var absence: NodeAccess.Absence { .online }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let number = try AccountQuestions.phone(number, json: global.json)
        try await ContactChange(kind: "phone", name: number, code: code, owner: owner).perform(client, output)
    }
}

/// `account password`
struct AccountPassword: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: Phrase("Set the password, and end all other sessions.").text)

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp(Phrase("A file with the password."), valueName: "file"), completion: .file())
    var passwordFile: String?
    @Option(help: ArgumentHelp(Phrase("A file with the new password."), valueName: "file"), completion: .file())
    var newPasswordFile: String?

    var absence: NodeAccess.Absence { .online }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let account = try await client.call(.GET, AccountCommand.path())
        var owner = OwnerOptions()
        owner.passwordFile = passwordFile
        let old = try owner.password(of: account)
        var body = [JSONMember(name: "password", value: .text(try AccountQuestions.newPassword(newPasswordFile)))]
        if let old { body.append(JSONMember(name: "old", value: old)) }
        let answer = try await client.call(.POST, AccountCommand.path("password"), .object(body))
        if output.json { return try output.object(answer) }
        try output.text(Phrase("The password is set, and all other sessions have ended."))
    }
}
