import ArgumentParser
import TourAPI
import TourJSON
import TourWords

/// What an account's owner is asked for, where no option gives it.
enum AccountQuestions {
    /// A line that the screen does not show.
    /// - Parameter option: gives the same in a script.
    static func secret(_ question: Phrase, or option: String) throws -> [UInt8] {
        guard HiddenLine.isPossible else {
            throw CommandFailure(code: "input-needed", message: Phrase("nobody can be asked here: give \(option)"))
        }
        return try HiddenLine.read(question)
    }

    /// A code, as it was typed.
    static func code(_ question: Phrase, or option: String) throws -> String {
        String(decoding: try secret(question, or: option), as: UTF8.self)
    }

    /// A code that was sent.
    /// - Parameter contact: an e-mail address or a phone.
    static func sentCode(to contact: String) throws -> String {
        let question =
            contact.contains("@")
            ? Phrase("The code that was mailed to \(contact)") : Phrase("The code that was sent to \(contact)")
        return try code(question, or: "--code")
    }

    /// The new password, typed twice; or that of a file.
    static func newPassword(_ file: String?) throws -> String {
        if let file { return String(decoding: try SecretFile.read(file), as: UTF8.self) }
        guard HiddenLine.isPossible else {
            let option = "--new-password-file"
            throw CommandFailure(code: "input-needed", message: Phrase("nobody can be asked here: give \(option)"))
        }
        return String(decoding: try HiddenLine.readNew(Phrase("New password")), as: UTF8.self)
    }

    /// A code of the authenticator app.
    static func secondFactor() throws -> String {
        try code(Phrase("A code of your authenticator app, or a recovery code"), or: "--second-factor")
    }

    /// Does what may need a second factor: asks for it once the server says so.
    static func withSecondFactor(
        _ given: String?, _ work: (_ secondFactor: String?) async throws -> JSON
    ) async throws -> JSON {
        do {
            return try await work(given)
        } catch let failure as CommandFailure where failure.code == "mailbox-second-factor" && given == nil {
            guard HiddenLine.isPossible else { throw failure }
            return try await work(try secondFactor())
        }
    }

    /// The number with its country's code: that of the locale, or the one that the user names.
    static func phone(_ number: String, json: Bool) throws -> String {
        if let known = PhoneNumber.international(number, region: PhoneNumber.region { environmentValue($0) }) {
            return known
        }
        guard Confirmation.canBeAsked(json: json), !number.hasPrefix("+") else {
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
}

/// What shows the server that the owner asks: options, or questions.
struct OwnerOptions: ParsableArguments {
    @Option(help: ArgumentHelp(Phrase("A file with the password."), valueName: "file"), completion: .file())
    var passwordFile: String?
    @Option(
        help: ArgumentHelp(Phrase("A code of the authenticator app, or a recovery code."), valueName: "code"))
    var secondFactor: String?

    /// The members of a request.
    /// - Parameter account: says what the account has, and so what the server wants.
    func proof(of account: AccountOverview) throws -> [JSONMember] {
        var members = [JSONMember]()
        if let password = try password(of: account) { members.append(JSONMember(name: "password", value: password)) }
        if account.secondFactor.on {
            let typed = try secondFactor ?? AccountQuestions.secondFactor()
            members.append(JSONMember(name: "secondFactor", value: .text(typed)))
        }
        return members
    }

    /// Asks the server for what it does only for the owner.
    func post(_ path: String, _ client: LocalClient) async throws -> JSON {
        let proof = try proof(of: try await client.ask(.GET, AccountCommand.path()))
        return try await client.call(.POST, path, .object(proof))
    }

    /// - Returns: nil for an account without one.
    func password(of account: AccountOverview) throws -> JSON? {
        guard account.hasPassword else { return nil }
        let bytes =
            try passwordFile.map(SecretFile.read)
            ?? AccountQuestions.secret(Phrase("Password"), or: "--password-file")
        return .text(String(decoding: bytes, as: UTF8.self))
    }
}
