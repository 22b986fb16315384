import ArgumentParser
import Glibc
import TourClient
import TourJSON
import TourModel
import TourWords

/// How the process ends when a command has failed.
enum FailureReport {
    /// Prints the error on standard error, and exits: 64 for wrong usage, 130 for Ctrl-C at a question, else 1.
    static func exit(_ error: any Error, json: Bool) -> Never {
        switch error {
        case let failure as CommandFailure:
            // As if SIGINT had ended the process.
            let isInterrupted = failure.code == CommandFailure.interrupted.code
            report(failure, json: json, status: isInterrupted ? ExitCode(128 + SIGINT) : .failure)
        case let fault as any Fault:
            report(CommandFailure(fault), json: json)
        // As if SIGPIPE had ended the process.
        case is ClosedOutput: Glibc.exit(128 + SIGPIPE)
        default:
            let code = TourChat.exitCode(for: error)
            if json, code == .validationFailure {
                let message = Phrase(verbatim: TourChat.message(for: error))
                report(CommandFailure(code: "usage", message: message), json: true, status: code)
            }
            // The parser's own help, where it is in the user's language.
            guard Language.ofUser != .english || !code.isSuccess else { TourChat.exit(withError: error) }
            leave(error, status: code)
        }
    }

    /// Prints the parser's help or refusal in the user's language.
    private static func leave(_ error: any Error, status: ExitCode) -> Never {
        let text = UsageWords.text(for: error, of: TourChat.self, columns: TerminalSize.current.columns)
        let stream = status.isSuccess ? StandardStream.output : .error
        if !text.isEmpty { try? stream.line(text) }
        Glibc.exit(status.rawValue)
    }

    private static func report(_ failure: CommandFailure, json: Bool, status: ExitCode = .failure) -> Never {
        var text: String
        if json {
            text = String(decoding: failure.json().encoded, as: UTF8.self)
        } else {
            text = "tour-chat: \(TerminalText.safe(failure.message.text)) (\(TerminalText.safe(failure.code)))"
            if let advice = failure.advice { text += "\n" + advice.indented.text }
        }
        // Standard error may be closed as well; then there is no place left for a message.
        try? StandardStream.error.line(text)
        Glibc.exit(status.rawValue)
    }
}
