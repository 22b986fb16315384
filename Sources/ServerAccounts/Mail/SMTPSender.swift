import Foundation
import ServerBase
import ServerRequests
import TourCurl

/// Sends mail through the operator's mail server.
package struct SMTPSender: MailSender {
    /// The mail server, and how to reach it.
    package struct Settings: Sendable, CustomStringConvertible {
        /// How the connection is protected: by TLS from the beginning; by STARTTLS, without which nothing is sent; or
        /// not at all, on this machine alone.
        package enum Security: Sendable { case implicitTLS, startTLS, none }

        let host: String
        let port: Int
        let security: Security
        let user: String?
        let password: String?
        /// The sender's address of every message.
        let from: String
        /// A PEM file of authorities for the server's certificate; nil: the system's.
        let authorities: String?

        /// - Parameter authorities: a PEM file; nil: the system's authorities.
        package init(
            host: String, port: Int, security: Security, user: String? = nil, password: String? = nil, from: String,
            authorities: String? = nil
        ) {
            self.host = host
            self.port = port
            self.security = security
            self.user = user
            self.password = password
            self.from = from
            self.authorities = authorities
        }

        /// - Parameter url: `smtp://HOST[:PORT]`, port 587 by default, or `smtps://HOST[:PORT]`, port 465 by default.
        ///   `smtp` uses STARTTLS, except to this machine.
        /// - Returns: nil for another form of address, or a `from` that is no e-mail address.
        package init?(
            url: String, user: String? = nil, password: String? = nil, from: String, authorities: String? = nil
        ) {
            guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty,
                ["", "/"].contains(parts.path), parts.query == nil, parts.user == nil, EmailAddress(from) != nil
            else { return nil }
            let isHere = host == "localhost" || host == "[::1]" || host.hasPrefix("127.")
            switch parts.scheme {
            case "smtps":
                self.init(
                    host: host, port: parts.port ?? 465, security: .implicitTLS, user: user, password: password,
                    from: from, authorities: authorities)
            case "smtp":
                self.init(
                    host: host, port: parts.port ?? 587, security: isHere ? .none : .startTLS, user: user,
                    password: password, from: from, authorities: authorities)
            default: return nil
            }
        }

        /// Leaves out the password: a service manager may write settings into its log.
        package var description: String { "SMTP server \(host):\(port)" }
    }

    private let settings: Settings
    private let timeout: Duration
    private let transport: MailTransport

    /// - Parameter timeout: how long a mail may take, the connection included: a client may be waiting for it.
    /// - Throws: `unavailable` for authorities that cannot be read, and where libcurl is not installed.
    package init(settings: Settings, timeout: Duration = ServerLimits.mailTimeout) throws(Failure) {
        self.settings = settings
        self.timeout = timeout
        do throws(TransferError) {
            transport = try MailTransport(authority: settings.authorities)
        } catch {
            throw Failure(error, settingUp: "mail to the \(settings)")
        }
    }

    /// Sends one mail, in a connection of its own.
    /// - Throws: `mailFailed`, also after the timeout.
    package func send(_ mail: Mail) async throws(Failure) {
        guard !mail.to.utf8.contains(where: { $0 <= 0x20 || "<>".utf8.contains($0) }) else {
            throw Failure(.mailFailed, cause: "\(settings) takes no such address")
        }
        let scheme = settings.security == .implicitTLS ? "smtps" : "smtp"
        let outgoing = OutgoingMail(
            address: "\(scheme)://\(settings.host):\(settings.port)", requiresTLS: settings.security != .none,
            login: settings.user.map { ($0, settings.password ?? "") }, sender: settings.from, recipient: mail.to,
            message: Array(mail.message(from: settings.from, now: Date()).utf8), timeout: timeout)
        do throws(TransferError) {
            try await transport.send(outgoing)
        } catch {
            throw Failure(.mailFailed, cause: "\(settings): \(error)")
        }
    }
}
