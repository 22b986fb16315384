import ArgumentParser
import TourAPI
import TourJSON
import TourMailbox
import TourModel
import TourWords

/// `login`
struct LoginCommand: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: Phrase("Log in at the server."),
        discussion: Phrase(
            """
            A guide logs in once, so that the server gets to know the tour; members sync without an account. The \
            server sends a code to the phone, which is asked for; or the password is asked for, and a code of the \
            authenticator app where the account wants one. Scripts give them by --code, --password-file and \
            --second-factor; with --phone alone and --json the code is only sent.

            With --forgot the server sends a code to the address or phone, by which you set a new password; every \
            session of the account ends with that.

            EXAMPLES
              tour-chat login --server https://tours.example --phone +905321234567
              tour-chat login --email guide@tours.example
              tour-chat login --email guide@tours.example --forgot
              tour-chat login --phone +905321234567 --code 123456 --json
            """))

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

    @Option(
        help: ArgumentHelp(Phrase("A code of the authenticator app, or a recovery code."), valueName: "code"))
    var secondFactor: String?
    @Flag(help: ArgumentHelp(Phrase("Set a new password, by a code that is sent.")))
    var forgot = false
    @Option(help: ArgumentHelp(Phrase("A file with the new password."), valueName: "file"), completion: .file())
    var newPasswordFile: String?

    func validate() throws {
        if let server { try ServerArgument.check(server) }
        guard (phone == nil) != (email == nil) else { throw ValidationError(Phrase("Give --phone or --email.")) }
        if code != nil, phone == nil, !forgot { throw ValidationError(Phrase("--code goes with --phone.")) }
        if passwordFile != nil, email == nil || forgot {
            throw ValidationError(Phrase("--password-file goes with --email."))
        }
        if newPasswordFile != nil, !forgot {
            throw ValidationError(Phrase("--new-password-file goes with --forgot."))
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer: JSON
        if forgot {
            let (done, password) = try await reset(client, output)
            // A phone's login takes another code.
            guard let password, email != nil else {
                return try output.done(done, Phrase("The password is set, and every session has ended."))
            }
            answer = try await logIn(client, by: password)
        } else {
            answer = try await email == nil ? logInByCode(client, output) : logInByPassword(client)
        }
        guard let login: ServerLogin = try output.forPeople(answer) else { return }
        try output.text(Phrase("Logged in at \(login.server) as \(login.account ?? "")."))
    }

    private func logInByPassword(_ client: LocalClient) async throws -> JSON {
        let password =
            try passwordFile.map(SecretFile.read)
            ?? AccountQuestions.secret(Phrase("Password"), or: "--password-file")
        return try await logIn(client, by: String(decoding: password, as: UTF8.self))
    }

    private func logIn(_ client: LocalClient, by password: String) async throws -> JSON {
        try await AccountQuestions.withSecondFactor(secondFactor) { factor in
            try await client.call(
                .POST, LocalPath.make(["mailbox", "login"]),
                request(["email": email, "password": password, "secondFactor": factor]))
        }
    }

    private func logInByCode(_ client: LocalClient, _ output: Output) async throws -> JSON {
        let path = LocalPath.make(["mailbox", "login"])
        let phone = try AccountQuestions.phone(phone ?? "", json: global.json)
        var typed = code
        if typed == nil {
            let sent = try await client.call(.POST, path, request(["phone": phone]))
            // A script obtains the code elsewhere and calls again with it.
            guard !output.json else { return sent }
            typed = try AccountQuestions.sentCode(to: phone)
        }
        let digits = (typed ?? "").withoutInvisibleMarks.filter { !$0.isWhitespace }
        return try await AccountQuestions.withSecondFactor(secondFactor) { factor in
            try await client.call(.POST, path, request(["phone": phone, "code": digits, "secondFactor": factor]))
        }
    }

    /// Sets a new password by a code that is sent.
    /// - Returns: the password; nil where the code was only sent.
    private func reset(_ client: LocalClient, _ output: Output) async throws -> (answer: JSON, password: String?) {
        let path = LocalPath.make(["mailbox", "reset"])
        let phone = try phone.map { try AccountQuestions.phone($0, json: global.json) }
        var typed = code
        if typed == nil {
            let sent = try await client.call(.POST, path, request(["email": email, "phone": phone]))
            guard !output.json else { return (sent, nil) }
            typed = try AccountQuestions.sentCode(to: email ?? phone ?? "")
        }
        let digits = (typed ?? "").withoutInvisibleMarks.filter { !$0.isWhitespace }
        let password = try AccountQuestions.newPassword(newPasswordFile)
        let fields = request(["email": email, "phone": phone, "code": digits, "password": password])
        return (try await client.call(.POST, path, fields), password)
    }

    /// - Parameter fields: those that are nil are left out.
    private func request(_ fields: KeyValuePairs<String, String?>) -> JSON {
        let given = fields.compactMap { field in
            field.value.map { JSONMember(name: field.key, value: .text($0)) }
        }
        return .object(given + (server.map { [JSONMember(name: "server", value: .text($0))] } ?? []))
    }
}

/// `logout`
struct LogoutCommand: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: Phrase("End the session at the server."),
        discussion: Phrase(
            """
            Tours that the server knows are synced on: members need no account.

            EXAMPLES
              tour-chat logout
            """))

    @OptionGroup var global: GlobalOptions

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.POST, LocalPath.make(["mailbox", "logout"]))
        try output.done(answer, Phrase("Logged out."))
    }
}

/// The address of a server on the command line.
package enum ServerArgument {
    /// - Parameter allowsOff: whether `off` stands for none.
    /// - Throws: `ValidationError`, worded for the user.
    package static func check(_ text: String, allowsOff: Bool = false) throws {
        if allowsOff, text == "off" { return }
        guard (try? MailboxBase(text)) != nil else {
            throw ValidationError(Phrase("A server is https://HOST, or http://HOST:PORT, not '\(text)'."))
        }
    }
}
