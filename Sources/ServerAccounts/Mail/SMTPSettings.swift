import Foundation
import ServerBase
import ServerRequests
import TourCurl

/// The operator's mail server, and how to reach it.
package struct SMTPSettings: Sendable, CustomStringConvertible {
    /// How the connection is protected: by TLS from the beginning; by STARTTLS, without which nothing is sent; or not
    /// at all, on this machine alone.
    package enum Security: Sendable { case implicitTLS, startTLS, none }

    /// The mail server.
    package let host: String
    /// Its port.
    package let port: Int
    /// How the connection is protected.
    package let security: Security
    /// The account at the mail server; nil: it asks for none.
    package var user: String?
    /// The account's password, unless a token opens it.
    package var password: String?
    /// A file with a token for OAUTHBEARER or XOAUTH2 in place of a password: it is read for each mail, since tokens
    /// live for an hour and the operator's program renews them.
    package var tokenFile: String?
    /// The sender of every message.
    package var from: MailSource
    /// The name by which this machine greets the mail server; nil: its own full name.
    package var hello: String?
    /// A PEM file of authorities for the server's certificate; nil: the system's.
    package var authorities: String?

    package init(host: String, port: Int, security: Security, from: MailSource) {
        self.host = host
        self.port = port
        self.security = security
        self.from = from
    }

    /// - Parameter url: `smtp://HOST[:PORT]`, port 587 by default, or `smtps://HOST[:PORT]`, port 465 by default.
    ///   `smtp` uses STARTTLS, except to this machine.
    /// - Returns: nil for another form of address.
    package init?(url: String, from: MailSource) {
        guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty,
            ["", "/"].contains(parts.path), parts.query == nil, parts.user == nil
        else { return nil }
        let isHere = host == "localhost" || host == "[::1]" || host.hasPrefix("127.")
        switch parts.scheme {
        case "smtps": self.init(host: host, port: parts.port ?? 465, security: .implicitTLS, from: from)
        case "smtp":
            self.init(host: host, port: parts.port ?? 587, security: isHere ? .none : .startTLS, from: from)
        default: return nil
        }
    }

    /// Leaves out the password: a service manager may write settings into its log.
    package var description: String { "SMTP server \(host):\(port)" }

    /// Whether mail servers take this as the name of a machine. Many refuse `localhost`.
    package static func isGreeting(_ name: String) -> Bool {
        name.wholeMatch(of: /[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+/)
            != nil && !name.lowercased().hasPrefix("localhost.") && name.utf8.count <= 253
    }

    /// The name with which this machine greets: its full name, else the host of the sender's address.
    /// - Parameter machine: what this machine says that its full name is.
    /// - Throws: `unavailable` where neither is a name on the internet.
    package func greeting(of machine: String? = MachineName.full()) throws(Failure) -> String {
        let sender = from.address.split(separator: "@").last.map(String.init)
        for name in [hello, machine, sender] {
            if let name, Self.isGreeting(name) { return name }
        }
        throw Failure(
            .unavailable, cause: "this machine has no full name to greet the \(self) with: set smtp-hello to one")
    }

    /// - Throws: `mailFailed` where the token cannot be read.
    func login() throws(Failure) -> (user: String, secret: OutgoingMail.Secret)? {
        guard let user else { return nil }
        guard let tokenFile else { return (user, .password(password ?? "")) }
        let token = (try? FileHandle(forReadingFrom: URL(fileURLWithPath: tokenFile)))
            .flatMap { try? $0.read(upToCount: ServerLimits.mailTokenBytesMax) }
            .map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
        guard let token, !token.isEmpty else {
            throw Failure(
                .mailFailed, retryAfter: ServerLimits.mailWaitMin,
                cause: "\(tokenFile) (smtp-token-file) has no token that can be read")
        }
        return (user, .token(token))
    }
}
