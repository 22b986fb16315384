import ArgumentParser
import Glibc
import TourModel
import TourWeb

/// How the process ends when a command has failed.
enum FailureReport {
    /// Says what went wrong on standard error, and leaves: 64 for wrong usage, 130 for Ctrl-C at a question, else 1.
    static func exit(_ error: any Error, json: Bool) -> Never {
        switch error {
        case let failure as CommandFailure:
            // As if SIGINT had ended it.
            let isInterrupted = failure.code == CommandFailure.interrupted.code
            report(failure, json: json, status: isInterrupted ? ExitCode(128 + SIGINT) : .failure)
        case let fault as any Fault:
            report(CommandFailure(code: fault.code, message: fault.description), json: json)
        // As if SIGPIPE had ended it.
        case is ClosedOutput: Glibc.exit(128 + SIGPIPE)
        default:
            let code = TourChat.exitCode(for: error)
            if json, code == .validationFailure {
                report(CommandFailure(code: "usage", message: TourChat.message(for: error)), json: true, status: code)
            }
            TourChat.exit(withError: error)
        }
    }

    private static func report(_ failure: CommandFailure, json: Bool, status: ExitCode = .failure) -> Never {
        var text: String
        if json {
            text = String(decoding: failure.json.encoded, as: UTF8.self)
        } else {
            text = "tour-chat: \(TerminalText.safe(failure.message)) (\(TerminalText.safe(failure.code)))"
            if let advice = failure.advice ?? Advice.text(for: failure.code) { text += "\n  \(advice)" }
        }
        // Standard error may be closed as well; then nobody is left to tell.
        try? StandardStream.error.line(text)
        Glibc.exit(status.rawValue)
    }
}
