import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import TourCurl

/// Sends mail through the operator's mail server.
package struct SMTPSender: MailSender {
    private let settings: SMTPSettings
    private let hello: String
    private let timeout: Duration
    private let transport: MailTransport

    /// - Parameter timeout: how long a mail may take, the connection included: a client may be waiting for it.
    /// - Throws: `unavailable` for authorities that cannot be read, where libcurl is not installed, and where this
    ///   machine has no name to greet with.
    package init(settings: SMTPSettings, timeout: Duration = ServerLimits.mailTimeout) throws(Failure) {
        self.settings = settings
        self.timeout = timeout
        hello = try settings.greeting()
        do throws(TransferError) {
            transport = try MailTransport(authority: settings.authorities)
        } catch {
            throw Failure(error, settingUp: "mail to the \(settings)")
        }
    }

    package let mayTryAgain = true

    /// Sends one mail, in a connection of its own.
    /// - Throws: `mailFailed`, also after the timeout.
    package func send(_ mail: Mail) async throws(Failure) { try await send(mail, heard: nil) }

    /// - Parameter heard: receives each line that the mail server says.
    func send(_ mail: Mail, heard: (@Sendable (String) -> Void)?) async throws(Failure) {
        guard !mail.to.utf8.contains(where: { $0 <= 0x20 || "<>".utf8.contains($0) }) else {
            throw Failure(.mailFailed, cause: "\(settings) takes no such address")
        }
        let scheme = settings.security == .implicitTLS ? "smtps" : "smtp"
        var outgoing = OutgoingMail(
            address: "\(scheme)://\(settings.host):\(settings.port)", requiresTLS: settings.security != .none,
            hello: hello, login: try settings.login(), sender: settings.from.address, recipient: mail.to,
            message: Array(mail.message(from: settings.from, now: Date()).utf8), timeout: timeout)
        outgoing.heard = heard
        do throws(TransferError) {
            try await transport.send(outgoing)
        } catch {
            let wait = error.isRefusal ? nil : ServerLimits.mailWaitMin
            throw Failure(.mailFailed, retryAfter: wait, cause: "\(settings): \(error)")
        }
    }
}
