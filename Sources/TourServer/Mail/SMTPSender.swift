import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// Sends mail through the operator's mail server.
/// Source: RFC 5321; RFC 3207 for STARTTLS; RFC 4954 for AUTH.
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
    private let tls: NIOSSLContext?

    /// - Parameter timeout: how long a connection may take, and then the dialogue.
    /// - Throws: the library's errors for authorities that cannot be read.
    package init(settings: Settings, timeout: Duration = ServerLimits.mailTimeout) throws {
        self.settings = settings
        self.timeout = timeout
        guard settings.security != .none else {
            tls = nil
            return
        }
        var configuration = TLSConfiguration.makeClientConfiguration()
        if let file = settings.authorities { configuration.trustRoots = .file(file) }
        tls = try NIOSSLContext(configuration: configuration)
    }

    /// Sends one mail, in a connection of its own.
    /// - Throws: `mailFailed`, also after the timeout.
    package func send(_ mail: Mail) async throws(Failure) {
        do {
            let stream = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(TimeAmount(timeout))
                .connect(host: settings.host, port: settings.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if settings.security == .implicitTLS { try addTLS(to: channel) }
                        return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
            // Bounds the whole dialogue, however slowly the server answers: a client may be waiting for it.
            let end = stream.channel.eventLoop.scheduleTask(in: TimeAmount(timeout)) {
                stream.channel.close(promise: nil)
            }
            defer { end.cancel() }
            try await stream.executeThenClose { inbound, outbound in
                var talk = SMTPConversation(inbound: inbound.makeAsyncIterator(), outbound: outbound)
                try await hand(mail, in: &talk, channel: stream.channel)
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.mailFailed, cause: "\(settings) is out of reach: \(type(of: error))")
        }
    }

    private func hand(_ mail: Mail, in talk: inout SMTPConversation, channel: any Channel) async throws {
        try await talk.expect(220)
        var offers = try await talk.hello()
        if settings.security == .startTLS {
            guard offers.contains(where: { $0.uppercased() == "STARTTLS" }) else {
                throw Failure(.mailFailed, cause: "\(settings) offers no STARTTLS")
            }
            try await talk.send("STARTTLS", expecting: 220)
            // Bytes that arrived in the clear behind that answer may come from an attacker, not the server.
            guard talk.hasReadAll else { throw Failure(.mailFailed, cause: "\(settings) spoke before TLS began") }
            try await channel.eventLoop.submit { try addTLS(to: channel) }.get()
            offers = try await talk.hello()
        }
        if let user = settings.user {
            let secret = Data("\u{0}\(user)\u{0}\(settings.password ?? "")".utf8).base64EncodedString()
            try await talk.send("AUTH PLAIN \(secret)", expecting: 235)
        }
        let isASCII = mail.to.utf8.allSatisfy { $0 < 0x80 }
        let speaksMore = offers.contains { $0.uppercased() == "SMTPUTF8" }
        guard isASCII || speaksMore, !mail.to.contains(where: { "<>".contains($0) }) else {
            throw Failure(.mailFailed, cause: "\(settings) takes no such address")
        }
        try await talk.send("MAIL FROM:<\(settings.from)>\(isASCII ? "" : " SMTPUTF8")", expecting: 250)
        try await talk.send("RCPT TO:<\(mail.to)>", expecting: 250)
        try await talk.send("DATA", expecting: 354)
        try await talk.send(mail.message(from: settings.from, now: Date()) + ".", expecting: 250)
        // The server has accepted the mail, whatever becomes of this line.
        _ = try? await talk.send("QUIT", expecting: 221)
    }

    /// Adds TLS in front of all other handlers.
    private func addTLS(to channel: any Channel) throws {
        guard let tls else { return }
        let isAddress = (try? SocketAddress(ipAddress: settings.host, port: 0)) != nil
        let handler = try NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : settings.host)
        try channel.pipeline.syncOperations.addHandler(handler, position: .first)
    }
}
