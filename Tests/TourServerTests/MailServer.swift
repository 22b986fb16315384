import Foundation
import ServerAccounts
import ServerRequests
import Testing

/// aiosmtpd, with a mailbox that says what came.
struct MailServer {
    /// How it serves.
    enum Manner: String {
        case well
        /// It does not answer DATA.
        case stallsBefore
        /// It does not say whether it has taken the message.
        case stallsBehind
        /// An answer in the clear follows the one to STARTTLS, before TLS begins.
        case speaksEarly
        /// Addresses beyond ASCII too.
        case takesUTF8
        /// It takes them, and does not offer it.
        case hidesUTF8
        /// It takes passwords by AUTH LOGIN alone, as Microsoft 365 does.
        case loginOnly
        /// It hangs up on who greets as `localhost`, as Google's relay does.
        case refusesLocalhost
        /// It puts off each recipient once.
        case busyOnce
        /// It takes mail for nobody.
        case knowsNobody
        /// It takes tokens by XOAUTH2 alone.
        case takesTokens
    }

    struct Message: Decodable {
        var from: String
        var to: [String]
        var subject: String
        var text: String
        var tls: Bool
        var user: String?
        /// The field `From`, decoded.
        var source: String?
        /// The name by which it was greeted.
        var hello: String?
    }

    let port: Int
    let certificate: String
    private let withTLS: Bool
    private let process: ChildProcess
    private let folder: String

    static func isInstalled() async throws -> Bool {
        try await ChildProcess("/usr/bin/python3", ["-c", "import aiosmtpd"]).wait() == 0
    }

    private static let script = """
        import asyncio, email, email.policy, json, socket, ssl, sys
        from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

        manner, user, password, files = *sys.argv[1:4], sys.argv[4:]

        asked = set()

        async def stall():
            print("stalls", flush=True)
            await asyncio.Event().wait()

        class Server(SMTP):
            async def smtp_DATA(self, arg):
                if manner == "stallsBefore": await stall()
                await super().smtp_DATA(arg)

            async def smtp_RCPT(self, arg):
                if manner == "knowsNobody": return await self.push("550 5.1.1 No such user")
                if manner == "busyOnce" and arg not in asked:
                    asked.add(arg)
                    return await self.push("451 4.7.1 Try again later")
                await super().smtp_RCPT(arg)

            async def smtp_EHLO(self, name):
                if manner == "refusesLocalhost" and name.startswith("localhost"):
                    await self.push("421 4.7.0 Try again later, closing connection.")
                    self.transport.close()
                else: await super().smtp_EHLO(name)

            async def auth_XOAUTH2(self, _, args):
                said = await self.challenge_auth("")
                wanted = f"user={user}\\1auth=Bearer {password}\\1\\1".encode()
                return AuthResult(success=said == wanted, auth_data=LoginPassword(user.encode(), b""))

            async def push(self, status):
                if manner == "hidesUTF8" and status == "250-SMTPUTF8": return
                if manner == "speaksEarly" and status.startswith("220 Ready"): status += "\\r\\n250 taken"
                await super().push(status)

        class Mailbox:
            async def handle_DATA(self, server, session, envelope):
                if manner == "stallsBehind": await stall()
                message = email.message_from_bytes(envelope.original_content, policy=email.policy.default)
                data = session.auth_data
                print(json.dumps({"from": envelope.mail_from, "to": envelope.rcpt_tos, "subject": message["Subject"],
                    "text": message.get_payload(decode=True).decode(), "tls": session.ssl is not None,
                    "user": data.login.decode() if data else None, "source": message["From"],
                    "hello": session.host_name}), flush=True)
                return "250 taken"

        def known(server, session, envelope, mechanism, data):
            success = data.login == user.encode() and data.password == password.encode()
            return AuthResult(success=success, handled=False, auth_data=data)

        more = dict(enable_SMTPUTF8=manner in ("takesUTF8", "hidesUTF8"))
        if files:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(*files)
            more |= dict(tls_context=context, require_starttls=True, authenticator=known, auth_required=True)
            taken = dict(loginOnly=["LOGIN"], takesTokens=["XOAUTH2"]).get(manner, ["LOGIN", "PLAIN"])
            more |= dict(auth_exclude_mechanism=[name for name in ("LOGIN", "PLAIN", "XOAUTH2") if name not in taken])

        async def main():
            loop = asyncio.get_running_loop()
            server = await loop.create_server(lambda: Server(Mailbox(), **more), "localhost", 0, family=socket.AF_INET)
            print("port", server.sockets[0].getsockname()[1], flush=True)
            await server.serve_forever()

        asyncio.run(main())
        """

    /// - Parameters:
    ///   - withTLS: whether it wants STARTTLS and a login.
    ///   - user: the account that it knows then.
    init(
        withTLS: Bool, manner: Manner = .well, user: String = "tours", password: String = "gizli"
    ) async throws {
        self.withTLS = withTLS
        folder = RunningServer.temporaryDirectory()
        let files = try await TestCertificate(folder, named: "localhost")
        certificate = files.certificate
        process = try ChildProcess(
            "/usr/bin/python3",
            ["-c", Self.script, manner.rawValue, user, password] + (withTLS ? [files.certificate, files.key] : []))
        let line = try await process.line { $0.hasPrefix("port ") }
        port = try #require(Int(line.dropFirst(5)))
    }

    /// How the default account reaches it.
    func settings() throws -> SMTPSettings {
        let from = try #require(MailSource("Turlar <tours@example.org>"))
        var settings = SMTPSettings(
            host: "localhost", port: port, security: withTLS ? .startTLS : .none, from: from)
        if withTLS { (settings.user, settings.password, settings.authorities) = ("tours", "gizli", certificate) }
        return settings
    }

    func message() async throws -> Message {
        let line = try await process.line { $0.hasPrefix("{") }
        return try JSONDecoder().decode(Message.self, from: Data(line.utf8))
    }

    /// Waits until it stalls.
    func stalls() async throws { _ = try await process.line { $0 == "stalls" } }

    func end() async throws {
        try await process.end(SIGTERM)
        try? FileManager.default.removeItem(atPath: folder)
    }
}
