import ServerBase
import TourModel

// Every text message and every mail of the server goes out here, so that none goes to a banned contact, and the
// metrics count all of them.
extension RequestParts {
    /// - Throws: `smsFailed`; `banned`.
    package func send(_ text: String, to phone: PhoneNumber) async throws(Failure) {
        try bans.refuse(contact: phone.text, now: now())
        do throws(Failure) { try await sms.send(text, to: phone) } catch {
            metrics.countMessage(isSent: false)
            throw error
        }
        metrics.countMessage(isSent: true)
    }

    /// Takes a mail; with a mail server it goes out in a moment, or once the mail server is back.
    /// - Throws: `mailFailed` where too many wait; `banned`; `unavailable`.
    package func send(_ message: Mail) async throws(Failure) {
        try bans.refuse(contact: message.to, now: now())
        if let mailQueue { return try await mailQueue.add(message) }
        do throws(Failure) { try await mail.send(message) } catch {
            metrics.countMail(.failed)
            throw error
        }
        metrics.countMail(.sent)
    }
}
