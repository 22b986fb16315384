import Foundation
import Logging
import TourCrypto
import TourModel

/// One message to one address.
package struct Mail: Sendable {
    package let to: String
    package let subject: String
    package let text: String

    package init(to: String, subject: String, text: String) {
        self.to = to
        self.subject = subject
        self.text = text
    }

    /// As it goes over the wire: nothing in it is longer than a line may be, or begins with a dot.
    /// Source: RFC 5322; RFC 2047 for the subject; RFC 2045, section 6.8, for the text.
    func message(from: String, now: Date) -> String {
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
        let host = from.split(separator: "@").last ?? "localhost"
        let body = Data(text.utf8).base64EncodedString(options: [
            .lineLength76Characters, .endLineWithCarriageReturn,
            .endLineWithLineFeed,
        ])
        return [
            "From: <\(from)>", "To: <\(to)>", "Date: \(date)",
            "Message-ID: <\(Hex.encode(Randomness.bytes(16)))@\(host)>",
            "Subject: =?UTF-8?B?\(Data(subject.utf8).base64EncodedString())?=", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
            "Auto-Submitted: auto-generated", "", body, "",
        ].joined(separator: "\r\n")
    }
}

/// What sends mail.
package protocol MailSender: Sendable {
    /// - Throws: `mailFailed` when it was not taken.
    func send(_ mail: Mail) async throws(Failure)
}

/// For development: writes the message, and so the code, to the log.
package struct LogMailer: MailSender {
    private let logger: Logger

    package init(logger: Logger) {
        self.logger = logger
        logger.critical("mail is written to this log and sent to nobody: for development only (--mail log)")
    }

    package func send(_ mail: Mail) async throws(Failure) {
        logger.critical("mail for development", metadata: ["to": "\(mail.to)", "mail": "\(mail.text)"])
    }
}
