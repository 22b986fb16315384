import Foundation
import Logging
import ServerBase
import TourCrypto
import TourModel

/// One message to one address.
package struct Mail: Sendable {
    /// The recipient's address.
    package let to: String
    /// The subject; any Unicode text.
    package let subject: String
    /// The body as plain text, with `\r\n` at the ends of lines.
    package let text: String
    /// Its purpose.
    package let need: Need
    /// The account that it is sent for; nil: none.
    package let account: Int64?

    /// The purpose of a mail: the lower, the sooner it goes out where several wait.
    package enum Need: Int64, Sendable {
        case code
        case invitation
        case notice

        /// How long it is of use, in seconds.
        var lifetime: Int64 { self == .code ? ServerLimits.mailCodeLifetime : ServerLimits.mailNoticeLifetime }
    }

    /// One mail; the `MailSender` says from whom.
    package init(to: String, subject: String, text: String, need: Need = .code, account: Int64? = nil) {
        self.to = to
        self.subject = subject
        self.text = text
        self.need = need
        self.account = account
    }

    /// The message in transport form: no line is too long or begins with a dot.
    /// Source: RFC 5322; RFC 2047 for the subject; RFC 2045, section 6.8, for the text.
    package func message(from source: MailSource, now: Date) -> String {
        let date =
            now.formatted(
                Date.VerbatimFormatStyle(
                    format: """
                        \(weekday: .abbreviated), \(day: .defaultDigits) \(month: .abbreviated) \
                        \(year: .defaultDigits) \
                        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
                        \(second: .twoDigits)
                        """, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
                    calendar: Calendar(identifier: .gregorian))) + " +0000"
        let host = source.address.split(separator: "@").last ?? ""
        let body = Data(text.utf8).base64EncodedString(options: [
            .lineLength76Characters, .endLineWithCarriageReturn,
            .endLineWithLineFeed,
        ])
        return [
            "From: \(source.field)", "To: <\(to)>", "Date: \(date)",
            "Message-ID: <\(Hex.encode(Randomness.bytes(16)))@\(host)>",
            "Subject: =?UTF-8?B?\(Data(subject.utf8).base64EncodedString())?=", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
            "Auto-Submitted: auto-generated", "", body, "",
        ].joined(separator: "\r\n")
    }
}

/// Sends mail.
package protocol MailSender: Sendable {
    /// Whether a mail that does not go out may do so later, so that mail waits in a queue.
    var mayTryAgain: Bool { get }

    /// Sends one mail.
    /// - Throws: `mailFailed` when the mail server does not accept it; without `retryAfter` it never will.
    func send(_ mail: Mail) async throws(Failure)
}

/// For development: writes the message, and so the code, to the log.
package struct LogMailer: MailSender {
    private let logger: Logger

    /// Warns in the log that no mail is sent.
    package init(logger: Logger) {
        self.logger = logger
        logger.critical("mail is written to this log and sent to nobody: for development only (--mail log)")
    }

    package let mayTryAgain = false

    /// Writes the mail to the log.
    package func send(_ mail: Mail) async throws(Failure) {
        logger.critical("mail for development", metadata: ["to": "\(mail.to)", "mail": "\(mail.text)"])
    }
}
