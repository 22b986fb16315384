import ArgumentParser
import Glibc
import ServerAccounts
import ServerRequests
import Synchronization

/// Where mail is handed in.
struct MailOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where mail is handed in: smtp://HOST[:PORT] or smtps://HOST[:PORT]; without it mail goes to the log.",
            valueName: "url"))
    var smtp: String?
    @Option(help: ArgumentHelp("The address that mail comes from, or NAME <ADDRESS>.", valueName: "address"))
    var mailFrom: String?
    @Option(
        help: ArgumentHelp(
            "The name by which this machine greets the mail server (default: its own full name).", valueName: "host"))
    var smtpHello: String?
    @Option(
        help: ArgumentHelp(
            "File with a token for OAUTHBEARER or XOAUTH2 in place of a password, read for each mail.",
            valueName: "file"))
    var smtpTokenFile: String?
    @Option(
        help: ArgumentHelp(
            "Authorities of the mail server's certificate, PEM, in place of the system's.", valueName: "file"))
    var smtpAuthorities: String?

    /// A login that the environment alone has may be meant for another program: without a mail server it is no error.
    func validate() throws {
        guard smtp == nil else { return }
        let ignored = ["SMTP_USER", "SMTP_PASSWORD"].filter { environmentValue($0) != nil && !Self.isOfFile($0) }
        guard !ignored.isEmpty else { return }
        printLine(
            "tour-server: without --smtp nothing uses \(ignored.joined(separator: " and ")) of the environment.",
            to: STDERR_FILENO)
    }

    private static func isOfFile(_ variable: String) -> Bool {
        ConfiguredArguments.variables.withLock { $0.contains(variable) }
    }

    /// Nil: mail goes to the log.
    func settings() throws -> SMTPSettings? {
        let (user, password) = (environmentValue("SMTP_USER"), environmentValue("SMTP_PASSWORD"))
        let named = [
            ("--mail-from", mailFrom), ("--smtp-hello", smtpHello), ("--smtp-token-file", smtpTokenFile),
            ("--smtp-authorities", smtpAuthorities), ("smtp-user", Self.isOfFile("SMTP_USER") ? user : nil),
            ("smtp-password", Self.isOfFile("SMTP_PASSWORD") ? password : nil),
        ].compactMap { $0.1 == nil ? nil : $0.0 }
        guard let smtp else {
            guard named.isEmpty else {
                throw ValidationError(
                    """
                    \(named.joined(separator: ", ")) without --smtp sends nothing: name the mail server, in the \
                    settings file as smtp = "smtp://HOST".
                    """)
            }
            return nil
        }
        guard let from = mailFrom.flatMap({ MailSource($0) }) else {
            throw ValidationError(
                "--mail-from wants the address that mail comes from: x@example.org, or Tours <x@example.org>.")
        }
        guard var settings = SMTPSettings(url: smtp, from: from) else {
            throw ValidationError("--smtp wants smtp://HOST or smtps://HOST, with :PORT where it is another.")
        }
        guard smtpHello.map(SMTPSettings.isGreeting) ?? true else {
            throw ValidationError("--smtp-hello wants this machine's full name, such as tours.example.org.")
        }
        let secrets = [password, smtpTokenFile].compactMap { $0 }
        guard secrets.count == (user == nil ? 0 : 1) else {
            throw ValidationError(
                """
                smtp-user (or SMTP_USER) wants either smtp-password (or SMTP_PASSWORD) or --smtp-token-file beside it, \
                and neither goes without it.
                """)
        }
        (settings.user, settings.password, settings.tokenFile) = (user, password, smtpTokenFile)
        (settings.hello, settings.authorities) = (smtpHello, smtpAuthorities)
        return settings
    }
}
