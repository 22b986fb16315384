import Logging
import ServerBase

/// Sends SMS.
package protocol SMSSender: Sendable {
    /// Sends one message.
    /// - Throws: `smsFailed` when the message was not accepted; it may have been sent all the same.
    func send(_ text: String, to phone: PhoneNumber) async throws(Failure)
}

/// For development: writes the message, and so the code, to the log, whose readers can log in as anybody.
package struct LogSender: SMSSender {
    private let logger: Logger

    /// Warns in the log that no SMS is sent.
    package init(logger: Logger) {
        self.logger = logger
        logger.critical("SMS codes are written to this log and sent to nobody: for development only (--sms log)")
    }

    /// Writes the message to the log.
    package func send(_ text: String, to phone: PhoneNumber) async throws(Failure) {
        logger.critical("SMS for development", metadata: ["to": "\(phone.text)", "text": "\(text)"])
    }
}
