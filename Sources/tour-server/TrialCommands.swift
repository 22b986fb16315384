import ArgumentParser
import ServerAccounts
import ServerBase
import ServerRequests
import TourServer

/// `mail`: the mail server.
struct MailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "Mail that the server sends.", subcommands: [MailTestCommand.self])
}

/// `mail test`: one mail, with each step on its way.
struct MailTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send one mail as 'serve' would, and say each step.",
        discussion: """
            EXAMPLES
              tour-server mail test you@example.org --config /etc/tour-server.toml
            """)

    @OptionGroup var options: TrialOptions
    @OptionGroup var mail: MailOptions
    @Argument(help: ArgumentHelp("Where the mail goes.", valueName: "email"))
    var address: String

    func validate() throws {
        guard EmailAddress(address) != nil else { throw ValidationError("'\(address)' is no e-mail address.") }
        _ = try mail.settings()
    }

    func run() async throws {
        let output = AdminOutput(json: options.json)
        do {
            guard let settings = try mail.settings() else {
                throw Failure(
                    .unavailable,
                    cause:
                        "no mail server is named: set smtp and mail-from in the settings file, and name it by --config")
            }
            let trial = try await MailTrial.run(settings, to: address)
            let lines = trial.steps.map {
                AdminAnswer.Part.line("\($0.done ? "ok  " : "FAIL") \($0.step): \($0.words)")
            }
            let end = trial.advice ?? "The \(settings) has taken the mail: look into the mailbox of \(address)."
            try output.show(AdminAnswer(trial, parts: lines + [.line(end)]))
            if !trial.sent { throw ExitCode.failure }
        } catch let failure as Failure where options.json {
            try output.fail(code: failure.code.rawValue, "\(failure)")
        }
    }
}

/// `sms`: text messages.
struct SMSTrialCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sms", abstract: "Text messages that the server sends.", subcommands: [SMSTestCommand.self])
}

/// `sms test`: one text message.
struct SMSTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send one text message as 'serve' would, and say each step.",
        discussion: """
            It counts to no limit.

            EXAMPLES
              tour-server sms test +905551112233 --config /etc/tour-server.toml
            """)

    @OptionGroup var options: TrialOptions
    @OptionGroup var texts: SMSOptions
    @Argument(help: ArgumentHelp("Where the message goes, with + and the country.", valueName: "phone"))
    var phone: String

    func validate() throws {
        guard PhoneNumber(phone) != nil else {
            throw ValidationError("'\(phone)' is no phone number: +90 555 111 22 33.")
        }
    }

    func run() async throws {
        guard let number = PhoneNumber(phone) else { return }
        let output = AdminOutput(json: options.json)
        do {
            let trial = try await SMSTrial.run(try texts.choice(), to: number)
            let word = trial.sent ? "ok  " : "FAIL"
            try output.show(AdminAnswer(trial, "\(word) \(trial.sender): \(trial.words)", trial.advice))
            if !trial.sent { throw ExitCode.failure }
        } catch let failure as Failure where options.json {
            try output.fail(code: failure.code.rawValue, "\(failure)")
        }
    }
}

/// The options of both.
struct TrialOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Settings file of 'serve'.", valueName: "file"), completion: .file())
    var config: String?
    @Flag(help: "Print JSON, errors too.")
    var json = false
}
