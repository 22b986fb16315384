import ArgumentParser
import TourNode
import TourWeb
import TourWords

/// `login`
struct LoginCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: Phrase("Log in at the server.").text,
        discussion: Phrase(
            """
            A guide logs in once, so that the server gets to know the tour; members sync without an account. The \
            server sends a code to the phone, which is asked for; or the password is asked for. Scripts give them by \
            --code, or by --password-file; with --phone alone and --json the code is only sent.

            EXAMPLES
              tour-chat login --server https://tours.example --phone +905321234567
              tour-chat login --email guide@tours.example
              tour-chat login --phone +905321234567 --code 123456 --json
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp(Phrase("The server (default: the last one)."), valueName: "url"))
    var server: String?
    @Option(help: ArgumentHelp(Phrase("A number that gets a code."), valueName: "number"))
    var phone: String?
    @Option(help: ArgumentHelp(Phrase("The code that came.")))
    var code: String?
    @Option(help: ArgumentHelp(Phrase("An address with a password."), valueName: "address"))
    var email: String?
    @Option(
        help: ArgumentHelp(Phrase("A file with the password."), valueName: "file"), completion: .file())
    var passwordFile: String?

    func validate() throws {
        if let server { try ServerArgument.check(server) }
        guard (phone == nil) != (email == nil) else { throw ValidationError(Phrase("Give --phone or --email.")) }
        if code != nil, phone == nil { throw ValidationError(Phrase("--code goes with --phone.")) }
        if passwordFile != nil, email == nil { throw ValidationError(Phrase("--password-file goes with --email.")) }
    }

    var absence: NodeAccess.Absence { .online }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await email == nil ? logInByCode(client, output) : logInByPassword(client)
        if output.json { return try output.object(answer) }
        try output.text(Phrase("Logged in at \(answer.shown("server")) as \(answer.shown("account"))."))
    }

    private func logInByPassword(_ client: LocalClient) async throws -> JSON {
        let password = try passwordFile.map(SecretFile.read) ?? asked(Phrase("Password"), "--password-file")
        return try await client.call(
            .POST, LocalPath.make(["mailbox", "login"]),
            request(["email": email ?? "", "password": String(decoding: password, as: UTF8.self)]))
    }

    private func logInByCode(_ client: LocalClient, _ output: Output) async throws -> JSON {
        let path = LocalPath.make(["mailbox", "login"])
        let phone = try international(phone ?? "")
        var typed = code
        if typed == nil {
            let sent = try await client.call(.POST, path, request(["phone": phone]))
            // A script obtains the code elsewhere and calls again with it.
            guard !output.json else { return sent }
            let question = Phrase("The code that was sent to \(phone)")
            typed = try String(decoding: asked(question, "--code"), as: UTF8.self)
        }
        let digits = (typed ?? "").filter { !$0.isWhitespace }
        return try await client.call(.POST, path, request(["phone": phone, "code": digits]))
    }

    /// The number with its country's code: that of the locale, or the one that the user names.
    private func international(_ number: String) throws -> String {
        if let known = PhoneNumber.international(number, region: PhoneNumber.region { environmentValue($0) }) {
            return known
        }
        guard Confirmation.canBeAsked(json: global.json), !number.hasPrefix("+") else {
            throw CommandFailure.phoneWithoutCountry(number)
        }
        let question = Phrase("The number's country, by its code (+90) or two letters (TR):")
        try StandardStream.output.write("\(question.text) ".utf8)
        let region = readLine().flatMap { PhoneNumber.region(named: $0) }
        guard let known = PhoneNumber.international(number, region: region) else {
            throw CommandFailure.phoneWithoutCountry(number)
        }
        return known
    }

    private func request(_ fields: KeyValuePairs<String, String>) -> JSON {
        let given = fields.map { JSONMember(name: $0.key, value: .text($0.value)) }
        return .object(given + (server.map { [JSONMember(name: "server", value: .text($0))] } ?? []))
    }

    private func asked(_ question: Phrase, _ option: String) throws -> [UInt8] {
        guard HiddenLine.isPossible else {
            throw CommandFailure(code: "input-needed", message: Phrase("nobody can be asked here: give \(option)"))
        }
        return try HiddenLine.read(question)
    }
}

/// `logout`
struct LogoutCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: Phrase("End the session at the server.").text,
        discussion: Phrase(
            """
            Tours that the server knows are synced on: members need no account.

            EXAMPLES
              tour-chat logout
            """
        ).text)

    @OptionGroup var global: GlobalOptions

    var absence: NodeAccess.Absence { .online }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.POST, LocalPath.make(["mailbox", "logout"]))
        if output.json { return try output.object(answer) }
        try output.text(Phrase("Logged out."))
    }
}

/// The address of a server on the command line.
enum ServerArgument {
    static func check(_ text: String, allowsOff: Bool = false) throws {
        if allowsOff, text == "off" { return }
        guard TourNode.isServer(text) else {
            throw ValidationError(Phrase("A server is https://HOST, or http://HOST:PORT, not '\(text)'."))
        }
    }
}
