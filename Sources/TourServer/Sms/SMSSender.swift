import Logging

/// What sends a text message to a phone.
package protocol SMSSender: Sendable {
    /// - Throws: `smsFailed` when it was not taken; a message may have been sent all the same.
    func send(_ text: String, to phone: PhoneNumber) async throws(Failure)
}

/// For development: writes the message, and so the code, to the log. Anybody who reads the log can log in as anybody.
package struct LogSender: SMSSender {
    private let logger: Logger

    package init(logger: Logger) {
        self.logger = logger
        logger.critical("SMS codes are written to this log and sent to nobody: for development only (--sms log)")
    }

    package func send(_ text: String, to phone: PhoneNumber) async throws(Failure) {
        logger.critical("SMS for development", metadata: ["to": "\(phone.text)", "text": "\(text)"])
    }
}
